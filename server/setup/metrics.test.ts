import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { fullPath } from '../../contract/core/call.ts'
import { backupKind, jobStatus } from '../../contract/core/codes/platform.ts'
import { collegeApi } from '../../contract/school/organisation/colleges.calls.ts'
import { buildApp } from '../app.ts'
import { noteRun } from '../core/backup/runs.ts'
import type { Config } from '../core/base/config.ts'
import { addDays, systemClock } from '../core/base/clock.ts'
import { telemetry } from '../core/base/telemetry.ts'
import { newId } from '../core/base/ids.ts'
import { openDatabase } from '../core/database/pool.ts'
import { watchSlowStatements } from '../core/watch/slow-statements.ts'
import { badNetwork } from '../testing/bad-network.ts'
import { testDatabase, useOwnDatabase } from '../testing/database.ts'
import { hasProgram, needDebian } from '../testing/debian-package.ts'
import { testApp } from '../testing/app.ts'
import { newSchool } from '../testing/school.ts'
import { startMetrics } from './metrics.ts'

await useOwnDatabase()

/** The metrics of the test's own process, offered while the test runs. */
async function offered(values: Partial<Config> = {}, open?: Parameters<typeof startMetrics>[0]) {
  const { services, pool } = open ?? { ...(await testApp()), pool: (await testDatabase()).pool }
  const config = { ...services.config, metricsPort: 0, ...values }
  const server = (await startMetrics({ services: { ...services, config }, pool }))!
  onTestFinished(() => server.close())
  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
  /** The value of a line; undefined where there is no such line. */
  const value = async (name: string): Promise<number | undefined> => {
    const line = (await (await at('/metrics')).text()).split('\n').find((one) => one.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }
  return { at, value }
}

test('without a port nothing is offered and nobody listens', async () => {
  const { services } = await testApp()
  const { pool } = await testDatabase()
  expect(await startMetrics({ services, pool })).toBeUndefined()
  expect([telemetry.statement.hasSubscribers(), telemetry.request.hasSubscribers()]).toEqual([false, false])
})

test('requests are counted by call and class of status, refusals by limit', async () => {
  const school = await newSchool()
  const { value } = await offered()
  const call = fullPath(collegeApi.list)
  await school.admin.send(collegeApi.list, {})
  await school.nobody.ask(collegeApi.list, {})
  await fetch(`${school.address}/api/nothing/such`)
  await expect.poll(() => value(`dekt_http_request_duration_seconds_count{call="${call}",status="2xx"}`)).toBe(1)
  await expect.poll(() => value(`dekt_http_request_duration_seconds_count{call="${call}",status="4xx"}`)).toBe(1)
  await expect.poll(() => value(`dekt_http_request_duration_seconds_count{call="none",status="4xx"}`)).toBe(1)
  const config = { ...school.services.config, addressRequestsPerMinute: 1 }
  const app = await buildApp({ ...school.services, config })
  const ask = () => app.inject({ method: collegeApi.list.method, url: call, headers: { prefer: 'handling=strict' } })
  expect([(await ask()).statusCode, (await ask()).statusCode]).toEqual([401, 429])
  await app.close()
  expect(await value('dekt_rate_limit_refusals_total{limit="address"}')).toBe(1)
})

test('the database, its jobs, the pool, the disk and the connection that listens are told', async () => {
  const { value, at } = await offered({ backupPlace: tmpdir(), walArchive: '/no/such/place' })
  const { services, clock } = await testApp()
  const now = clock.now()
  const job = (status: string, runAt: string) => ({
    jobId: newId(),
    schoolId: '',
    jobKind: 'some:kind',
    runAt,
    createTime: now,
    jobStatus: status,
  })
  await services.db
    .insertInto('job')
    .values([
      job(jobStatus.failed, now),
      job(jobStatus.failed, now),
      job(jobStatus.waiting, '2020-01-01 00:00:00'),
      job(jobStatus.done, now),
      { ...job(jobStatus.waiting, addDays(now, 1)), jobKey: 'every', attempts: 6 },
    ])
    .execute()
  const school = await newSchool()
  const odId = newId()
  const { schoolId } = school
  const place = { schoolId, odId, odChannel: 'webhook', odName: '一处', address: 'https://127.0.0.1/' }
  await services.db.insertInto('outboxDestination').values(place).execute()
  const event = { schoolId, odId, eventId: newId(), eventKind: 'some', eventData: '{}', createTime: addDays(now, -1) }
  await services.db
    .insertInto('outboxDelivery')
    .values({ ...event, dlId: newId() })
    .execute()
  services.signals.on('job', () => {})
  expect(await value('dekt_database_up')).toBe(1)
  expect(await value('dekt_connections_lost_total')).toBe(0)
  expect(await value('dekt_jobs{kind="some:kind",state="failed"}')).toBe(2)
  expect(await value('dekt_jobs{kind="some:kind",state="waiting"}')).toBe(1)
  expect(await value('dekt_jobs{kind="some:kind",state="failing"}')).toBe(1)
  expect(await value('dekt_job_oldest_due_seconds')).toBeGreaterThan(86_400)
  expect(await value('dekt_outbox_deliveries{state="waiting"}')).toBe(1)
  expect(await value('dekt_outbox_oldest_due_seconds')).toBeGreaterThan(80_000)
  expect(await value('dekt_clock_ahead_seconds{process="main"}')).toBe(0)
  expect(await value('dekt_database_size_bytes')).toBeGreaterThan(1_000_000)
  expect(await value('dekt_database_oldest_row_age')).toBeGreaterThan(0)
  for (const place of ['data', 'backup'])
    expect(await value(`dekt_disk_free_bytes{place="${place}"}`)).toBeGreaterThan(1_000_000)
  expect(await value('dekt_disk_free_bytes{place="wal"}')).toBeUndefined()
  expect(await value('dekt_pool_size{process="main"}')).toBe(services.config.poolSize)
  expect(await value('dekt_pool_connections{process="main",state="idle"}')).toBeGreaterThan(0)
  expect(await value('dekt_pool_waiting{process="main"}')).toBe(0)
  expect(await value('dekt_listen_silence_seconds{process="main"}')).toBeLessThan(30)
  const page = await (await at('/metrics')).text()
  expect(page).toMatch(/^nodejs_eventloop_lag_p99_seconds\{process="main"\} /m)
  expect(page).toMatch(/^process_resident_memory_bytes\{process="main"\} /m)
  expect(page).toMatch(/^dekt_build_info\{version="\d.*",node=".*",process="main"\} 1$/m)
  expect((await at('/')).status).toBe(404)
  expect((await at('/metrics', { method: 'POST' })).status).toBe(404)
})

test('a database that does not answer is told, and keeps nobody from the other measures', async () => {
  const { services } = await testApp()
  const proxy = await badNetwork((await testDatabase()).connection)
  const { db, pool, close } = openDatabase(proxy.connection, { max: 2 })
  onTestFinished(close)
  await sql`select 1`.execute(db)
  proxy.swallow(true)
  proxy.fallSilent()
  const { value } = await offered({}, { services: { ...services, db }, pool })
  expect(await value('dekt_database_up')).toBe(0)
  expect(await value('dekt_database_size_bytes')).toBeUndefined()
  expect(await value('dekt_pool_size{process="main"}')).toBe(services.config.poolSize)
  telemetry.connectionCut.publish({ host: 'db1' })
  expect(await value('dekt_connections_lost_total')).toBe(1)
})

test('a slow statement is told with its text, without values, and with its call', async () => {
  const school = await newSchool()
  const { value } = await offered({ slowStatementMs: 1 })
  const slow = watchSlowStatements(50, school.services.log)
  onTestFinished(() => slow.close())
  await sql`select pg_sleep(${0.08}), ${'王小明'}::text`.execute(school.services.db)
  await sql`select pg_sleep(${0.06}), ${'李小红'}::text`.execute(school.services.db)
  const [first, ...others] = slow.take()
  expect(first).toMatchObject({ text: 'select pg_sleep($1), $2::text', call: '', count: 2 })
  expect(first!.maxMs).toBeGreaterThanOrEqual(80)
  expect(others).toEqual([])
  expect(slow.take()).toEqual([])
  expect(await value('dekt_slow_statements_total')).toBeGreaterThanOrEqual(2)
  const heard: string[] = []
  onTestFinished(telemetry.statement.subscribe(({ call }) => void heard.push(call)))
  await school.admin.send(collegeApi.list, {})
  expect(heard).toContain(fullPath(collegeApi.list))
})

const deployed = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')
const rules = parse(deployed('prometheus/dekt-alerts.yml')) as {
  groups: { rules: { alert: string; expr: string }[] }[]
}

test('every metric that alert rules and dashboard name is one that the program offers', async () => {
  const { at } = await offered()
  const page = await (await at('/metrics')).text()
  const offeredNames = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  const board = JSON.parse(deployed('grafana/dekt.json')) as { panels: { targets: { expr: string }[] }[] }
  const exprs = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...board.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  const named = exprs.flatMap((expr) => expr.match(/\b(?:dekt|nodejs|process)_\w+/g) ?? [])
  expect(new Set(named).size).toBeGreaterThan(15)
  expect(exprs.filter((expr) => !/\b(?:dekt|nodejs|process)_\w+|^up\{/.test(expr))).toEqual([])
  const base = (name: string) => (offeredNames.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ''))
  expect([...new Set(named)].filter((name) => !offeredNames.has(base(name)))).toEqual([])
})

const caseFiles = ['dekt-alerts.test.yml', 'dekt-alerts-of-days.test.yml']

test('the cases of the alert rules show each firing and not, by series as the program offers them', async () => {
  const { at } = await offered()
  const { connection } = await testDatabase()
  await noteRun(connection, backupKind.backup, '/mnt', systemClock).end({ size: 1 })
  const school = await newSchool()
  await school.admin.send(collegeApi.list, {})
  const labelsOf = (labels = '') => [...labels.matchAll(/(\w+)="/g)].map(([, name]) => name!).toSorted()
  const seriesOf = (text: string) => {
    const [, name, labels] = /^(\w+)(?:\{(.*)\})?/.exec(text)!
    return { name: name!, form: `${name}{${labelsOf(labels).join()}}` }
  }
  const page = await (await at('/metrics')).text()
  const lines = page.split('\n').filter((line) => /^\w/.test(line))
  const forms = new Set(lines.map((line) => seriesOf(line).form))
  const names = new Set([...page.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!))
  const cases = caseFiles.flatMap(
    (file) =>
      (
        parse(deployed(`prometheus/${file}`)) as {
          tests: {
            input_series: { series: string }[]
            alert_rule_test: { alertname: string; exp_alerts: unknown[] }[]
          }[]
        }
      ).tests,
  )
  // whether the program answers is measured by Prometheus; here is no standby and no archive of the WAL, and nothing
  // listens
  const absent = /^dekt_(?:replica|wal_archive|listen)_/
  const series = cases
    .flatMap(({ input_series }) => input_series.map((one) => seriesOf(one.series)))
    .filter(({ name }) => name !== 'up')
  expect(series.filter(({ name, form }) => !(absent.test(name) ? names.has(name) : forms.has(form)))).toEqual([])
  const told = (fires: boolean) =>
    new Set(
      cases.flatMap(({ alert_rule_test }) =>
        alert_rule_test.filter((one) => one.exp_alerts.length > 0 === fires).map((one) => one.alertname),
      ),
    )
  const alerts = rules.groups.flatMap((group) => group.rules.map(({ alert }) => alert)).toSorted()
  expect([[...told(true)].toSorted(), [...told(false)].toSorted()]).toEqual([alerts, alerts])
})

test('the cases hold by the word of Prometheus itself', () => {
  needDebian('prometheus', () => hasProgram('promtool'))
  const folder = fileURLToPath(new URL('../../deploy/prometheus/', import.meta.url))
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...caseFiles], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
}, 120_000)

test('on the public port there are no metrics, and no page of the console in their place', async () => {
  const { address } = await testApp()
  const answer = await fetch(`${address}/metrics?x=1`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
  expect(await answer.json()).toMatchObject({ code: 404, success: false, reason: 'no-such-call' })
})
