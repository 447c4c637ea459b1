import { afterAll, expect, test, vi } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { rowsOf } from '../../testing/backup.ts'
import { signIn, type Client } from '../../testing/client.ts'
import { addressOf, programs, stopped, type Program } from '../../testing/program.ts'
import { planStandby } from '../../testing/standby.ts'

vi.setConfig({ testTimeout: 120_000 })

const standby = planStandby()
const { dataDir, launch } = programs({ DEMO_STUDENTS: '20', REPLICA_URL: standby.url })
let running: Program
let address: string
let admin: Client
afterAll(() => standby.remove())

const status = async (): Promise<string> =>
  ((await (await fetch(`${address}/readyz`)).json()) as { status: string; replica: string }).replica
/** Rows that the standby has read for the program so far, by its own count. */
const readThere = async (): Promise<number> => {
  const [seen] = await rowsOf<{ n: number }>(
    standby.connection,
    `select coalesce(sum(idx_scan + seq_scan), 0)::int "n" from pg_stat_user_tables where relname in ('college', 'statState')`,
  )
  return seen!.n
}
/** A write, and whether an export right afterwards has it; one without rows is refused. */
const writeAndExport = async (name: string): Promise<boolean> => {
  await admin.send(collegeApi.save, { scName: name, scCode: name })
  const { bytes } = await admin.download(collegeApi.exportList, { scName: name }, 'text/csv')
  return bytes.toString().includes(name)
}

test('without the standby everything is answered, and it is told that it is away', async () => {
  running = launch()
  address = await addressOf(running)
  admin = await signIn(address, 'demo', 'admin', demoPassword)
  expect(await status()).toBe('away')
  expect(await writeAndExport('REP0')).toBe(true)
})

test('once it follows, statistics and exports are read from it', async () => {
  await standby.start(dataDir)
  await expect.poll(status, { timeout: 30_000 }).toBe('ok')
  const before = await readThere()
  for (let at = 0; at < 3; at++) expect(await writeAndExport(`REP1${at}`)).toBe(true)
  await admin.send(lessonStatApi.info, {})
  await expect.poll(readThere, { timeout: 20_000, interval: 500 }).toBeGreaterThan(before)
})

test('a write is seen right afterwards although the standby does not have it yet', async () => {
  await rowsOf(standby.connection, 'select pg_wal_replay_pause()')
  for (let at = 0; at < 3; at++) expect(await writeAndExport(`REP2${at}`)).toBe(true)
  const there = await rowsOf<{ n: number }>(
    standby.connection,
    `select count(*)::int "n" from college where "scCode" like 'REP2%'`,
  )
  expect(there).toEqual([{ n: 0 }])
  await expect.poll(status, { timeout: 10_000 }).toBe('behind')
  await rowsOf(standby.connection, 'select pg_wal_replay_resume()')
  await expect.poll(status, { timeout: 20_000 }).toBe('ok')
})

test('where it is killed answers go on, and it is used again when it is back', async () => {
  await standby.kill()
  const answers = await Promise.all([
    writeAndExport('REP30'),
    admin.send(lessonStatApi.info, {}).then(() => true),
    writeAndExport('REP31'),
  ])
  expect(answers).toEqual([true, true, true])
  await expect.poll(status, { timeout: 20_000 }).toBe('away')
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  await standby.start(dataDir)
  await expect.poll(status, { timeout: 30_000 }).toBe('ok')
  const before = await readThere()
  expect(await writeAndExport('REP4')).toBe(true)
  await expect.poll(readThere, { timeout: 20_000, interval: 500 }).toBeGreaterThan(before)
  await stopped(running)
})
