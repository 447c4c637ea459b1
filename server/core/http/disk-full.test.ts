import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'

await useOwnDatabase()

test('what the database has no room for is refused in words, with when to come again, and is not there', async () => {
  const { admin } = await newSchool()
  const save = () => admin.ask(planCalendarApi.savePlace, { plName: '报告厅', plCapacity: 300 })
  await asOwner((db) =>
    sql
      .raw(
        `create function "noRoom"() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file' using errcode = '53100'; end $$;
        create trigger "noRoom" before insert on "place" for each row execute function "noRoom"()`,
      )
      .execute(db),
  )
  const refused = await save()
  expect(refused).toMatchObject({ status: 507, reason: 'disk-full' })
  expect(refused.msg).toMatch(/^服务器存储空间不足，本次操作未保存/)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await admin.send(planCalendarApi.places, {})).records).toEqual([])
  await asOwner((db) => sql`drop trigger "noRoom" on "place"`.execute(db))
  expect((await save()).code).toBe(200)
})
