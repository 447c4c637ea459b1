import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledFile } from '../base/bundled-file.ts'
import type { Connection } from '../database/connection.ts'
import { startEmbedded } from './embedded.ts'
import { runningPostmaster, shutDown } from './postmaster.ts'

const program = fileURLToPath(bundledFile(new URL('../../testing/crash-writer.ts', import.meta.url)))
const dataDir = mkdtempSync(join(tmpdir(), 'console-crash-'))
let writer: ChildProcess | undefined

beforeAll(() => chmodSync(dataDir, 0o755))
afterAll(async () => {
  writer?.kill('SIGKILL')
  const left = runningPostmaster(join(dataDir, 'postgres'))
  if (left) await shutDown(join(dataDir, 'postgres'), left.pid)
  rmSync(dataDir, { recursive: true, force: true })
})

interface Round {
  service: ChildProcess
  postmaster: number
  adopted: boolean
  connection: Connection
}

/** Starts the writer; resolves when its database is open. Numbers it acknowledges are added to `acknowledged`. */
async function startWriter(acknowledged: Set<number>): Promise<Round> {
  const service = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  writer = service
  return new Promise((done, fail) => {
    service.once('exit', (code) => fail(new Error(`the writer ended by itself with ${code}`)))
    createInterface({ input: service.stdout! }).on('line', (line) => {
      if (!line.startsWith('{')) return acknowledged.add(Number(line))
      const { pid, adopted, connection } = JSON.parse(line) as { pid: number; adopted: boolean; connection: Connection }
      done({ service, postmaster: pid, adopted, connection })
    })
  })
}

async function stored(connection: Connection): Promise<{ left: Set<number>; right: Set<number> }> {
  const client = new pg.Client(connection)
  await client.connect()
  const ids = async (table: string) =>
    new Set((await client.query<{ id: string }>(`select id from ${table}`)).rows.map((row) => Number(row.id)))
  // one snapshot for both tables: the writer goes on meanwhile
  await client.query('begin isolation level repeatable read')
  const halves = { left: await ids('left_half'), right: await ids('right_half') }
  await client.end()
  return halves
}

const endOf = (child: ChildProcess) =>
  new Promise((done) => (child.exitCode === null && child.signalCode === null ? child.once('exit', done) : done(0)))

/** Who is killed in a round, in this order, all with -9. */
const murders = [['postmaster', 'service'], ['service'], ['service', 'postmaster']] as const

test('kill -9 during a stream of acknowledged writes, 10 rounds: nothing acknowledged is lost, nothing half done, the next start works', async () => {
  const acknowledged = new Set<number>()
  for (let round = 0; round < 10; round++) {
    const before = new Set(acknowledged)
    const { service, postmaster, adopted, connection } = await startWriter(acknowledged)
    if (round > 0) expect(adopted, `round ${round}`).toBe(murders[(round - 1) % 3]!.length === 1)
    const { left, right } = await stored(connection)
    expect(
      [...before].filter((id) => !left.has(id)),
      `lost by round ${round}`,
    ).toEqual([])
    expect(
      [...left].filter((id) => !right.has(id)),
      `half done by round ${round}`,
    ).toEqual([])
    expect(right.size).toBe(left.size)
    await sleep(200 + Math.random() * 400)
    service.removeAllListeners('exit')
    for (const victim of murders[round % 3]!) process.kill(victim === 'service' ? service.pid! : postmaster, 'SIGKILL')
    if (service.signalCode === null) await endOf(service)
    await sleep(20) // the last lines it wrote are still in the pipe
  }
  const last = await startEmbedded({ dataDir })
  const { left, right } = await stored(last.connection)
  expect([...acknowledged].filter((id) => !left.has(id) || !right.has(id))).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(1000)
  await last.stop()
}, 180_000)
