import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { asOwner, testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'
import { whileLocked } from '../../testing/while-locked.ts'

await useOwnDatabase()
const { db } = await testDatabase()
const { admin, schoolId } = await newSchool()
const save = (plName: string) => admin.ask(planCalendarApi.savePlace, { plName, plCapacity: 300 })
const stored = async () => (await admin.send(planCalendarApi.places, {})).records.map(({ plName }) => plName)

/** As PostgreSQL's appendix of error codes names them. */
test.each([
  ['connection_failure', '08006'],
  ['read_only_sql_transaction', '25006'],
  ['idle_in_transaction_session_timeout', '25P03'],
  ['transaction_timeout', '25P04'],
  ['serialization_failure', '40001'],
  ['deadlock_detected', '40P01'],
  ['out_of_memory', '53200'],
  ['too_many_connections', '53300'],
  ['lock_not_available', '55P03'],
  ['query_canceled', '57014'],
  ['admin_shutdown', '57P01'],
  ['crash_shutdown', '57P02'],
  ['cannot_connect_now', '57P03'],
  ['io_error', '58030'],
])('a write that ends with %s is refused with when to come again, and is not there', async (name, code) => {
  await asOwner((owner) =>
    sql
      .raw(
        `create or replace function "refuse"() returns trigger language plpgsql as $$
        begin raise exception '${name}' using errcode = '${code}'; end $$;
        create or replace trigger "refuse" before insert on "place" for each row execute function "refuse"()`,
      )
      .execute(owner),
  )
  const refused = await save(name)
  expect(refused).toMatchObject({ status: 503, reason: 'unavailable' })
  expect(refused.msg).toMatch(/^服务暂时不可用，请稍后重试/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await stored()).not.toContain(name)
  await asOwner((owner) => sql`drop trigger "refuse" on "place"`.execute(owner))
  expect((await save(name)).code).toBe(200)
})

test('who waits in vain for what others hold is told to come again, before the statement takes too long', async () => {
  const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`plan-calendar:${schoolId}`}, 0))`
  await whileLocked(
    db,
    (held) => lock.execute(held),
    async () => {
      const refused = await save('报告厅')
      expect(refused).toMatchObject({ status: 503, reason: 'unavailable' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )
  expect((await save('报告厅')).code).toBe(200)
})

test('a release that adds a column under a running one is noticed by nobody', async () => {
  for (const name of ['图书馆', '体育馆', '礼堂', '操场']) await save(name)
  const places = async () => (await admin.send(planCalendarApi.places, {})).records
  // the row is read with all its columns, within the transaction that writes it
  const edit = async (plCapacity: number) => {
    const before = await places()
    return Promise.all(
      before.map(async ({ plId, plName, version }) => {
        const { code, msg } = await admin.ask(planCalendarApi.savePlace, { plId, plName, plCapacity, version })
        return code === 200 ? code : msg
      }),
    )
  }
  const good = (await places()).map(() => 200)
  expect(await edit(200)).toEqual(good)
  await asOwner((owner) => sql`alter table "place" add column "added" text not null default ''`.execute(owner))
  expect(await edit(100)).toEqual(good)
  expect(new Set((await places()).map(({ plCapacity }) => plCapacity))).toEqual(new Set([100]))
})
