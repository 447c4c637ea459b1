import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { demoApi } from '../contract/school/session/demo.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { bundledFile } from './core/base/bundled-file.ts'
import { serviceUser } from './core/postgres/cluster.ts'
import { joinRunning } from './core/postgres/embedded.ts'
import { demoAccounts } from './demo/account-list.ts'
import { demoParts } from './demo/demo-school.ts'
import { Client, signIn } from './testing/client.ts'
import { addressOf, programs, stopped, type Program } from './testing/program.ts'

vi.setConfig({ testTimeout: 120_000 })

/**
 * What a newcomer may meet at the first start of a demo school. Faults are real ones: triggers in the database that
 * raise or wait.
 */
const { dataDir, launch } = programs({ DEMO_STUDENTS: '2' })

let running: Program | undefined
afterEach(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
})
const start = (more: Record<string, string> = {}): Program => (running = launch(more))

/** Runs statements on the database of the program that is running, or was killed and left it running. */
async function inDatabase<R extends pg.QueryResultRow>(text: string): Promise<R[]> {
  const client = new pg.Client(joinRunning(dataDir)!)
  await client.connect()
  return client
    .query<R>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const schools = () =>
  inDatabase<{ schoolId: string }>('select "schoolId" from "school" order by 1').then((rows) =>
    rows.map(({ schoolId }) => schoolId),
  )

/** From now on inserting into a table does something before, in the database itself. */
const stumble = (table: string, when: string, body: string) =>
  inDatabase(`create or replace function stumble() returns trigger language plpgsql as $$ begin ${body}; return new; end $$;
    create trigger stumble before insert on "${table}" for each row when (${when}) execute function stumble()`)
const mend = (table: string) => inDatabase(`drop trigger stumble on "${table}"`)

const fault = `raise exception 'a disk controller on fire'`

test('without demo school it starts and tells how to make a school, which can be signed in to at once', async () => {
  const apart = programs({ DEMO_STUDENTS: '0' })
  running = apart.launch()
  const address = await addressOf(running)
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(200)
  expect(running.output()).toContain(`DATA_DIR=${apart.dataDir} npm run create-school`)
  const admin = { SCHOOL_ID: 'own', SCHOOL_NAME: '自己的学校', ADMIN_PASSWORD: 'Start-Test-92' }
  const making = spawnSync(
    process.execPath,
    [fileURLToPath(bundledFile(new URL('./create-school.ts', import.meta.url)))],
    {
      env: { PATH: process.env['PATH'], DATA_DIR: apart.dataDir, ...admin } as unknown as NodeJS.ProcessEnv,
      encoding: 'utf8',
    },
  )
  expect(making.stdout + making.stderr).toContain('已建立学校“自己的学校”（own）和管理员 admin')
  await signIn(address, 'own', 'admin', admin.ADMIN_PASSWORD)
  // the only school need not be named
  await signIn(address, '', 'admin', admin.ADMIN_PASSWORD)
  await stopped(running)
})

test('a fault while the demo school is made leaves nothing of it and keeps nobody from starting', async () => {
  const before = start({ DEMO_STUDENTS: '0' })
  await addressOf(before)
  // the program works as the service, of which this test's own connection is none
  expect(
    await inDatabase(`select distinct usename::text "user" from pg_stat_activity
      where application_name like 'second-classroom%' and datname = current_database()`),
  ).toEqual([{ user: serviceUser }])
  await stumble('supplement', 'true', fault)
  await stopped(before)

  const faulty = start()
  const address = await addressOf(faulty)
  await expect.poll(async () => (await fetch(`${address}/readyz`)).status, { timeout: 20_000 }).toBe(200)
  for (const words of [
    '演示学校没有建完：a disk controller on fire',
    '已写入的部分全部撤销',
    'DEMO_STUDENTS=0',
    'DATA_DIR=./data2',
    join(dataDir, 'service.log'),
  ])
    expect(faulty.output()).toContain(words)
  expect(faulty.output()).not.toMatch(/^\s+at /m)
  expect(readFileSync(join(dataDir, 'service.log'), 'utf8')).toMatch(/a disk controller on fire[^]*makeSupplements/)
  expect(await schools()).toEqual([])
  expect(await inDatabase('select from "person"')).toEqual([])
  await stopped(faulty)
})

test('a start that is interrupted while it makes the school ends at once and well', async () => {
  const before = start({ DEMO_STUDENTS: '0' })
  await addressOf(before)
  await mend('supplement')
  await stumble('supplement', 'true', 'perform pg_sleep(30)')
  await stopped(before)
  const waiting = start()
  await expect.poll(waiting.output, { timeout: 60_000 }).toContain('：补录\n')
  await stopped(waiting)
  expect(waiting.output()).not.toMatch(/没有建完：|启动失败|^\s+at /m)
})

test('killed between the two schools, the next start makes what is missing', async () => {
  const before = start({ DEMO_STUDENTS: '0' })
  await addressOf(before)
  await mend('supplement')
  await stumble('school', `new."schoolId" = 'demo2'`, 'perform pg_sleep(60)')
  await stopped(before)

  const killed = start()
  await expect.poll(killed.output, { timeout: 60_000 }).toContain(`${demoParts}/${demoParts}：统计`)
  // the school is there and its statistics are calculated when the second one is being made
  await expect
    .poll(() => inDatabase(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`), { timeout: 60_000 })
    .toHaveLength(1)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(await schools()).toEqual(['demo'])
  await inDatabase(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'PgSleep'`)
  await mend('school')
  await stumble('statPerson', 'true', fault)

  const faulty = start()
  await addressOf(faulty)
  expect(faulty.output()).toContain('学校 demo 的数据已经完整，可以登录')
  expect(await schools()).toEqual(['demo'])
  await mend('statPerson')
  await inDatabase('delete from "statPerson"')
  await stopped(faulty)

  const mended = start()
  const address = await addressOf(mended)
  expect(mended.output()).toContain('上次启动没有建完演示学校')
  expect(await schools()).toEqual(['demo', 'demo2'])
  expect(mended.output()).not.toContain('没有建完：')
  const [counted] = await inDatabase<{ n: number }>(
    `select count(*)::int n from "statPerson" where "schoolId" = 'demo'`,
  )
  expect(counted!.n).toBeGreaterThan(10)
  const offered = await new Client(address, undefined).send(demoApi.accounts, {})
  expect(offered.length).toBeGreaterThan(7)
  for (const { username, role, purpose } of demoAccounts) {
    // a school of two students has nobody for most of the stories, and promises none
    const isThere = offered.some((one) => one.username === username)
    expect(new RegExp(`${username} +${role} +${purpose}`).test(mended.output()), username).toBe(isThere)
    if (isThere) await (await signIn(address, 'demo', username, 'Demo-2026')).send(sessionApi.landLoad, {})
  }
  await signIn(address, 'demo2', 'admin', 'Demo-2026')
  await stopped(mended)

  const again = start()
  await addressOf(again)
  expect(again.output()).not.toMatch(/演示学校（|上次启动/)
  await stopped(again)
})

test('in production the demo schools are refused in words while their passwords open them, and not once they rest', async () => {
  const production = { NODE_ENV: 'production' }
  const refused = start(production)
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/启动失败：数据目录中有演示学校（demo、demo2）.*生产环境不启动[^]*DATA_DIR/)
  expect(refused.output()).not.toMatch(/^\s+at /m)
  for (const schoolId of ['demo', 'demo2']) {
    const resting = launch({}, ['schools', 'suspend', schoolId, '--why', '演示'])
    expect(await resting.ended, resting.output()).toBe(0)
  }
  const started = start(production)
  await addressOf(started)
  await stopped(started)
})
