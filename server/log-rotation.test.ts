import { appendFileSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { addressOf, programs, stopped } from './testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

const { dataDir, launch } = programs({
  DEMO_STUDENTS: '0',
  SCHOOL_ID: 's1',
  SCHOOL_NAME: '测试学校',
  ADMIN_PASSWORD: 'Start-Test-92',
  BUSY_AFTER_MS: '0',
})

const linesOf = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')
/** Lines of requests that a log holds for one route. */
const requestsIn = (path: string): number => linesOf(path).split('"route":"/api/version"').length - 1

test.each(['1', '2'])(
  'SIGHUP has the log of %s process(es) written anew where it was, and loses no line',
  async (count) => {
    const log = join(dataDir, `log-${count}`)
    const moved = `${log}.moved`
    const program = launch({ LOG_FILE: log, WEB_CONCURRENCY: count })
    const address = await addressOf(program)
    let asked = 0
    const ask = async (times: number) => {
      for (let at = 0; at < times; at++, asked++)
        expect((await fetch(`${address}/api/version`, { headers: { connection: 'close' } })).status).toBe(200)
    }
    await ask(20)
    renameSync(log, moved)
    // nobody has been told yet: lines follow the file that was moved
    await ask(5)
    await expect.poll(() => requestsIn(moved)).toBe(25)
    program.child.kill('SIGHUP')
    await expect.poll(() => linesOf(log)).toContain('"msg":"log opened anew"')
    expect(statSync(log).mode & 0o777).toBe(0o600)
    await expect
      .poll(async () => {
        const before = requestsIn(log)
        await ask(4)
        await expect.poll(() => requestsIn(log) + requestsIn(moved)).toBe(asked)
        return requestsIn(log) - before
      })
      .toBe(4)
    expect((await fetch(`${address}/healthz`)).status).toBe(200)
    await stopped(program)
  },
)

test('logs that have grown past the limit are put aside at the start, and written anew', async () => {
  const log = join(dataDir, 'large-log')
  const postgresLog = join(dataDir, 'postgres.log')
  const lines = `${'x'.repeat(1023)}\n`.repeat(1100)
  appendFileSync(log, lines)
  appendFileSync(postgresLog, lines)
  const program = launch({ LOG_FILE: log, LOG_LIMIT_MB: '1' })
  await addressOf(program)
  await expect.poll(() => linesOf(log)).toContain('"msg":"started"')
  await stopped(program)
  for (const path of [log, postgresLog]) {
    expect(statSync(path).size, path).toBeLessThan(100_000)
    expect(linesOf(`${path}.1`), path).toContain(lines)
  }
  expect(linesOf(postgresLog)).toContain('database system is shut down')
})
