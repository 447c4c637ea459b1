import fastify from 'fastify'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { testApp } from '../../testing/app.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'
import { openDatabase, type Database, type Db } from '../database/pool.ts'
import { openSignals } from '../database/signals.ts'
import { enqueue } from '../jobs/jobs.ts'
import { mountHealth } from './health.ts'

await useOwnDatabase()

test('a database that only reads is not ready, lists are answered, and writes are told to come again', async () => {
  const school = await newSchool()
  const { address } = await testApp()
  const { owner } = await testDatabase()
  const ready = async () => (await fetch(`${address}/readyz`)).json() as Promise<{ status: string; reason?: string }>
  expect(await ready()).toEqual({ status: 'ok' })
  const { db, close } = openDatabase(owner, { max: 1 })
  const readOnly = async (is: boolean) => {
    await sql.raw(`alter database "${owner.database}" set default_transaction_read_only = ${is}`).execute(db)
    // those that are open began before
    await sql`
      select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
  }
  await readOnly(true)
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 'unavailable', reason: 'read-only' })
  const refused = await school.admin.ask(collegeApi.save, { scName: '新学院', scCode: 'XIN' })
  expect([refused.status, refused.reason, refused.headers.get('retry-after')]).toEqual([503, 'unavailable', '5'])
  await readOnly(false)
  await close()
})

test('while requests have all connections and wait, the program is ready still', async () => {
  const { owner } = await testDatabase()
  const { services } = await testApp()
  const [work, apart, holder] = [1, 2, 3].map(() => openDatabase(owner, { max: 1 })) as [Database, Database, Database]
  // the answers are to tell of connections that wait, and not of such as are still being made
  for (const { db } of [work, apart, holder]) await sql`select 1`.execute(db)
  const answers = async (healthDb?: Db) => {
    const app = fastify()
    mountHealth(app, { ...services, db: work.db, ...(healthDb && { healthDb }) })
    const { statusCode } = await app.inject('/readyz')
    await app.close()
    return statusCode
  }
  await sql`select pg_advisory_lock(42)`.execute(holder.db)
  const busy = sql`select pg_advisory_lock(42)`.execute(work.db)
  const waiting = async () =>
    (await sql`select from pg_locks where locktype = 'advisory' and objid = 42 and not granted`.execute(holder.db)).rows
  await expect.poll(waiting).toHaveLength(1)
  expect(await answers()).toBe(503)
  await expect.poll(() => answers(apart.db)).toBe(200)
  await sql`select pg_advisory_unlock(42)`.execute(holder.db)
  await busy
  await Promise.all([work, apart, holder].map(({ close }) => close()))
})

test('a process that hears nothing from the others any more tells so, and is ready still', async () => {
  const { services } = await testApp()
  const { connection } = await testDatabase()
  const proxy = await badNetwork(connection)
  const signals = openSignals(proxy.connection, services.log, 50)
  onTestFinished(() => signals.close())
  const ready = async () => {
    const app = fastify()
    mountHealth(app, { ...services, signals }, 1000)
    const answer = await app.inject('/readyz')
    await app.close()
    return [answer.statusCode, answer.json()]
  }
  signals.on('message', () => {})
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, { status: 'ok' }])
  proxy.close()
  proxy.fallSilent()
  await expect.poll(ready, { timeout: 10_000 }).toEqual([200, { status: 'ok', listen: 'deaf' }])
})

test('jobs that nobody begins are told, and keep nobody from being answered', async () => {
  const { address, services } = await testApp()
  const ready = async () => (await fetch(`${address}/readyz`)).json() as Promise<object>
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 'ok' })
  await enqueue(services, { schoolId: '', kind: 'health:try', runAt: '2026-01-01 00:00:00' })
  await expect.poll(ready, { timeout: 10_000 }).toEqual({ status: 'ok', jobs: 'late' })
})
