import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Connection } from '../database/connection.ts'
import { startEmbedded, type EmbeddedDatabase } from './embedded.ts'
import { isAlive, startMark } from '../base/process.ts'

const root = mkdtempSync(join(tmpdir(), 'console-embedded-'))
const dataDir = join(root, 'data')
const lock = join(dataDir, 'service.lock')
let running: EmbeddedDatabase | undefined

const start = async (folder = dataDir) => (running = await startEmbedded({ dataDir: folder, forTests: true }))
const stop = async () => {
  await running?.stop()
  running = undefined
}

async function ask(connection: Connection, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return (await client.query({ text, rowMode: 'array' }).finally(() => client.end())).rows as unknown[]
}

beforeAll(async () => {
  chmodSync(root, 0o755)
  const { connection } = await start()
  await ask(connection, 'create table kept (a int)')
  await ask(connection, 'insert into kept values (1)')
  await stop()
})
beforeEach(stop)
afterAll(async () => {
  await stop()
  rmSync(root, { recursive: true, force: true })
})

test('the database is UTF-8 with a locale of its own, reached only by a private socket', async () => {
  const { connection } = await start()
  expect(
    await ask(
      connection,
      `select current_setting('server_encoding'), datlocprovider, datlocale, current_setting('listen_addresses') from pg_database where datname = current_database()`,
    ),
  ).toEqual([['UTF8', 'b', 'C.UTF-8', '']])
  expect(lstatSync(connection.host!).mode & 0o777).toBe(0o700)
  expect(await ask(connection, 'select a from kept')).toEqual([[1]])
})

test('a second start on the same folder is refused and names the holder', async () => {
  await start()
  await expect(startEmbedded({ dataDir })).rejects.toThrow(new RegExp(`进程号 ${process.pid}，`))
  expect(await ask(running!.connection, 'select 1')).toEqual([[1]])
})

test('stopping ends the server, removes the socket folder and frees the data folder', async () => {
  const { pid, connection } = await start()
  await stop()
  // its lock goes a moment before the process itself
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect([
    existsSync(lock),
    existsSync(connection.host!),
    existsSync(join(dataDir, 'postgres/postmaster.pid')),
  ]).toEqual([false, false, false])
})

test.each([
  ['of a process that is gone', { pid: 2 ** 22 - 1, mark: 'x', since: '' }],
  ['whose number now belongs to another process', { pid: process.ppid, mark: 'started long ago', since: '' }],
  ['that was never written to the end', {}],
])('a lock %s is taken over', async (_, content) => {
  writeFileSync(lock, JSON.stringify(content))
  await start()
  expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid, mark: startMark(process.pid) })
})

test('a left-over postmaster.pid whose number now belongs to somebody else does not hinder', async () => {
  const { pid } = await start()
  const file = join(dataDir, 'postgres/postmaster.pid')
  const content = readFileSync(file, 'utf8')
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
  await stop()
  // as the same user as the server, for which a living number counts as a rival
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore', uid: lstatSync(file).uid })
  writeFileSync(file, content.replace(/^\d+/, String(stranger.pid)))
  const { connection } = await start()
  expect(await ask(connection, 'select a from kept')).toEqual([[1]])
  stranger.kill()
})

test('when PostgreSQL ends by itself the service is told', async () => {
  const { pid, ended } = await start()
  process.kill(pid, 'SIGKILL')
  await expect(ended).resolves.toBeUndefined()
  const { connection } = running!
  await stop()
  await start()
  expect(existsSync(connection.host!)).toBe(false)
})

test('an interrupted creation never looks finished and is cleared away', async () => {
  const folder = join(root, 'interrupted')
  mkdirSync(join(folder, 'postgres.new-1/base'), { recursive: true })
  writeFileSync(join(folder, 'postgres.new-1/PG_VERSION'), '18\n')
  const { connection } = await start(folder)
  expect(await ask(connection, 'select 1')).toEqual([[1]])
  expect(readdirSync(folder).sort()).toEqual(['postgres', 'postgres.log', 'service.lock'])
})

test('works below a folder that nobody else may enter', async () => {
  const closed = join(root, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  const folder = join(closed, 'data')
  await ask((await start(folder)).connection, 'create table here (a int)')
  await stop()
  expect(await ask((await start(folder)).connection, 'select * from here')).toEqual([])
  await stop()
  const cluster = realpathSync(join(folder, 'postgres'))
  if (!cluster.startsWith(closed)) rmSync(dirname(cluster), { recursive: true })
  await expect(
    start(folder).then(
      () => 'started',
      (error: Error) => error.message,
    ),
  ).resolves.toMatch(cluster.startsWith(closed) ? 'started' : /不见了/)
})

test('files of another major version are refused in plain words', async () => {
  const file = join(dataDir, 'postgres/PG_VERSION')
  writeFileSync(file, '12\n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(/PostgreSQL 12 建立/)
  writeFileSync(file, '18\n')
  expect(existsSync(lock)).toBe(false)
})

test('a folder that cannot be made is named', async () => {
  writeFileSync(join(root, 'file'), '')
  await expect(startEmbedded({ dataDir: join(root, 'file/data') })).rejects.toThrow(`${root}/file/data 不可写`)
})
