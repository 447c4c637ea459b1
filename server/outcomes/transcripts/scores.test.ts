import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countedRows } from '../../../contract/core/paging.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addMinutes } from '../../core/base/clock.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool } from '../../testing/school.ts'

test('records of all students are counted so far and no further, and every page can be turned to', async () => {
  const school = await newSchool()
  const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  const { clIds } = await grantRecord(school, student, recordPlans[0]!)
  await sql`
    insert into "creditLedger" (
      "schoolId", "clId", "suId", "clType", "lsId", "moduleId", "clValue", "source", "bizId", "bizName", "explain",
      "occurTime", "grantedAt"
    )
    select c."schoolId", gen_random_uuid(), c."suId", c."clType", c."lsId", c."moduleId", c."clValue", c."source",
      gen_random_uuid(), '活动' || n, c."explain", c."occurTime" - n * interval '1 minute', c."grantedAt"
    from "creditLedger" c
    cross join generate_series(1, ${countedRows + 20}::int) n
    where c."schoolId" = ${school.schoolId} and c."clId" = ${clIds['1']}`.execute(school.ctx.db)
  const first = await school.admin.send(transcriptApi.stuScore, { pageSize: 10 })
  expect(first).toMatchObject({ total: countedRows, isCapped: true, pages: countedRows / 10 })
  expect(first.records.map(({ name }) => name).slice(0, 2)).toEqual([recordPlans[0]!.name, '活动1'])
  const beyond = await school.admin.send(transcriptApi.stuScore, { pageSize: 10, current: countedRows / 10 + 2 })
  expect(beyond.records.map(({ name }) => name)[0]).toBe(`活动${countedRows + 10}`)
  expect(await school.admin.send(transcriptApi.stuScore, { liName: '活动77', pageSize: 10 })).toMatchObject({
    total: 111,
    isCapped: false,
  })
  // a shorter time is counted whole: 活动n took place n minutes before the first
  const { startTime } = first.records[0]!
  const minutesBefore = (minutes: number) => addMinutes(startTime, -minutes)
  const some = { startTime: minutesBefore(5), endTime: minutesBefore(3) }
  const { records, ...counted } = await school.admin.send(transcriptApi.stuScore, some)
  expect(counted).toMatchObject({ total: 3, isCapped: false })
  expect(records.map(({ name }) => name)).toEqual(['活动3', '活动4', '活动5'])
  const { bytes } = await school.admin.download(transcriptApi.exportStuScore, some)
  expect((await sheetIn(bytes)).lines.length).toBe(1 + 3)
  expect(await school.admin.send(transcriptApi.stuScore, { search: '查无此人' })).toMatchObject({
    total: 0,
    isCapped: false,
  })
}, 60_000)
