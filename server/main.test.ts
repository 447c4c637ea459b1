import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { startEmbedded } from './core/postgres/embedded.ts'
import { migrate } from './core/database/migrate.ts'
import { isAlive } from './core/base/process.ts'
import { runningPostmaster } from './core/postgres/postmaster.ts'
import { addressOf, programs } from './testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const settings = {
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
  LOG_FILE: '-',
}
const { dataDir, cluster, launch, printed } = programs(settings)

test('starts, answers, refuses a second start on its folder, finishes what it was doing, and stops with its database', async () => {
  const first = launch()
  const address = await addressOf(first)
  // a busy machine may take longer than half a second for the first answer of its database
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(200)

  const second = launch()
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`进程号 ${first.child.pid}，`)

  const postmaster = runningPostmaster(cluster)!
  const body = JSON.stringify({ username: 'nobody', password: 'x' })
  const answer = new Promise<number>((done, fail) => {
    const half = request(`${address}/api/auth2/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    })
    half.on('response', (response) => (response.resume(), done(response.statusCode ?? 0))).on('error', fail)
    half.write(body.slice(0, 5), () => {
      first.child.kill('SIGTERM')
      first.child.kill('SIGINT') // as when a terminal and npm both pass on one Ctrl-C
      setTimeout(() => half.end(body.slice(5)), 500)
    })
  })
  expect(await answer).toBeGreaterThanOrEqual(200)
  expect(await first.ended, first.output()).toBe(0)
  expect(first.output()).toMatch(/正在停止……[^]*已停止/)
  expect([
    isAlive(postmaster.pid),
    existsSync(join(dataDir, 'service.lock')),
    existsSync(postmaster.socketDir),
  ]).toEqual([false, false, false])
})

test('a taken port is named and the next one used; in production it is refused', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo
  const running = launch({ PORT: String(port) })
  const instead = Number(new URL(await addressOf(running)).port)
  expect(instead).toBeGreaterThan(port)
  expect(running.output()).toContain(`${port} 已被占用（别的程序正在使用），改用 ${instead}`)

  const refused = launch({ PORT: String(instead), NODE_ENV: 'production', DATA_DIR: `${dataDir}/other` })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain(`启动失败：${instead} 已被占用（另一个正在运行的第二课堂 Console）`)
  expect(existsSync(`${dataDir}/other`)).toBe(false)
  other.close()
  other.closeAllConnections()
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
})

test('after kill -9 the next start takes over the database that is still running, and sweeps what was left', async () => {
  const killed = launch()
  await addressOf(killed)
  const { pid } = runningPostmaster(cluster)!
  killed.child.kill('SIGKILL')
  await killed.ended
  const temporary = join(dataDir, 'temporary')
  const upload = join(temporary, `console-upload-${killed.child.pid}-abc123`)
  mkdirSync(upload, { recursive: true })
  writeFileSync(join(upload, 'content'), 'half of a file')
  const hoursAgo = new Date(Date.now() - 2 * 3600_000)
  utimesSync(upload, hoursAgo, hoursAgo)
  const next = launch({ TMPDIR: temporary })
  await addressOf(next)
  expect(existsSync(upload)).toBe(false)
  expect(runningPostmaster(cluster)?.pid).toBe(pid)
  next.child.kill('SIGTERM')
  expect(await next.ended).toBe(0)
  expect(isAlive(pid)).toBe(false)
})

test('when the database dies the program ends with a failure, for a supervisor to start it anew', async () => {
  const running = launch()
  await addressOf(running)
  process.kill(runningPostmaster(cluster)!.pid, 'SIGKILL')
  expect(await running.ended).toBe(1)
  expect(running.output()).toContain('PostgreSQL ended unexpectedly')
})

test.each([
  [
    'a production start without any school',
    { DATA_DIR: `${dataDir}/empty`, NODE_ENV: 'production', SCHOOL_ID: '', DEMO_STUDENTS: '300' },
    '还没有学校',
  ],
  ['a guessable first password', { DATA_DIR: `${dataDir}/empty`, ADMIN_PASSWORD: 'password' }, 'ADMIN_PASSWORD：密码'],
  ['more demo students than can be made', { DEMO_STUDENTS: '1000000' }, '演示学生数 DEMO_STUDENTS 不能大于'],
  ['faulty settings', { PORT: 'abc', LOG_LEVEL: 'loud' }, 'PORT：'],
  [
    'a database that cannot be reached',
    { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
    '无法使用 DATABASE_URL',
  ],
  ['secrets that are not the database’s', { SECRET_PEPPER: 'ab'.repeat(32) }, '密钥与数据库不符'],
])('%s is refused in words', async (_, more, words) => {
  const refused = launch(more)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain(`启动失败：`)
  expect(refused.output()).toContain(words)
  expect(refused.output()).not.toMatch(/^\s+at /m)
})

test('a data folder of a version before the first release is refused in words, and its database stopped again', async () => {
  const old = join(dataDir, 'old')
  mkdirSync(old)
  const database = await startEmbedded({ dataDir: old })
  await migrate(database.connection, { '202611200900-school-people': { up: async () => {} } }).finally(() =>
    database.stop(),
  )
  const refused = launch({ DATA_DIR: old })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/启动失败：数据目录由旧的开发版本创建，不能升级到本版本。.*DATA_DIR/)
  expect(refused.output()).not.toMatch(/^\s+at /m)
  expect(runningPostmaster(join(old, 'postgres'))).toBeNull()
})

test('nothing that was printed or logged holds a secret', () => {
  const secrets = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as Record<string, string>
  const all = printed() + readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  expect(printed()).toContain('"msg":"started"')
  for (const secret of [...Object.values(secrets), settings.ADMIN_PASSWORD]) expect(all).not.toContain(secret)
})
