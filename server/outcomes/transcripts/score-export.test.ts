import { beforeAll, describe, expect, test } from 'vitest'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { studentStatus } from '../../../contract/core/codes/school.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { grantRecord, oneClass, recordPlans, reverseRecord, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let scId: string
let students: TestStudent[]
beforeAll(async () => {
  school = await newSchool()
  const place = await oneClass(school)
  scId = place.scId
  students = await place.students(4)
  const [full, some, reversed] = students as [TestStudent, TestStudent, TestStudent]
  for (const plan of recordPlans) await grantRecord(school, full, plan)
  for (const plan of recordPlans.slice(2, 4)) await grantRecord(school, some, plan)
  await reverseRecord(school, reversed, await grantRecord(school, reversed, recordPlans[3]!), '2026-11-11')
  await grantRecord(school, reversed, recordPlans[4]!)
})

/** The workbook as records by head, one a student. */
async function scores(input: object, client = school.admin): Promise<Record<string, string>[]> {
  const { bytes, name } = await client.download(scoreExportApi.export, input)
  expect(name).toMatch(/^学生成绩_\d{4}-\d\d-\d\d\.xlsx$/)
  const {
    lines: [headers, ...lines],
  } = await sheetIn(bytes)
  return lines.map(({ cells }) =>
    Object.fromEntries(headers!.cells.map((head, at) => [String(head), String(cells[at] ?? '')])),
  )
}

/**
 * The same from the ledger's raw rows, added up one by one; a reversal counts where and when the record it reverses
 * did.
 */
async function addedUp(from: string, until: string): Promise<Record<string, string>[]> {
  const { db } = school.ctx
  const [rows, modules] = await Promise.all([
    db.selectFrom('creditLedger').selectAll().where('schoolId', '=', school.schoolId).execute(),
    db
      .selectFrom('curriculum')
      .select(['lsId', 'lsName'])
      .where('schoolId', '=', school.schoolId)
      .where('lsPid', 'is', null)
      .execute(),
  ])
  const words: Record<string, string> = {
    [creditType.hours]: '学时',
    [creditType.credit]: '学分',
    [creditType.points]: '积分',
  }
  return students
    .toSorted((a, b) => (a.suiNumber < b.suiNumber ? -1 : 1))
    .map(({ suId, suiNumber }) => {
      const sums = new Map<string, number>()
      for (const name of ['合计', '课程', '补录', '其他', ...modules.map(({ lsName }) => lsName)])
        for (const word of Object.values(words)) sums.set(name + word, 0)
      for (const row of rows.filter((one) => one.suId === suId && words[one.clType])) {
        const first = rows.find(({ clId }) => clId === row.reverseOf) ?? row
        if (first.occurTime < `${from} 00:00:00` || first.occurTime > `${until} 23:59:59`) continue
        const origin = first.source === 'LESSON' ? '课程' : first.source === 'SUP' ? '补录' : '其他'
        for (const name of ['合计', origin, modules.find(({ lsId }) => lsId === row.moduleId)!.lsName])
          sums.set(name + words[row.clType], sums.get(name + words[row.clType])! + row.clValue)
      }
      return { 学号: suiNumber, ...Object.fromEntries([...sums].map(([head, sum]) => [head, fromHundredths(sum)])) }
    })
}

describe('the workbook of scores', () => {
  test.each([
    ['everything', {}, '1990-01-01', '2999-12-31'],
    ['a year', { startTime: '2026-01-01', endTime: '2026-12-31' }, '2026-01-01', '2026-12-31'],
    ['one day', { startTime: '2026-05-18', endTime: '2026-05-18' }, '2026-05-18', '2026-05-18'],
    ['a time before all', { startTime: '2020-01-01', endTime: '2020-12-31' }, '2020-01-01', '2020-12-31'],
  ])('says of %s what the ledger says, added up independently', async (_, period, from, until) => {
    const found = await scores({ suiCollegeId: scId, ...period })
    const wanted = await addedUp(from, until)
    expect(found.map((row) => Object.fromEntries(Object.keys(wanted[0]!).map((head) => [head, row[head]])))).toEqual(
      wanted,
    )
    expect(found).toHaveLength(4)
  })

  test('takes the filters of the list and single students, and is audited', async () => {
    const [one, two] = students as [TestStudent, TestStudent]
    expect((await scores({ suIds: [one.suId, two.suId] })).map((row) => row['学号'])).toEqual(
      [one.suiNumber, two.suiNumber].toSorted(),
    )
    expect((await scores({ search: one.suiNumber })).map((row) => row['姓名'])).toEqual([one.suiName])
    expect(await school.admin.ask(scoreExportApi.export, { suiStatus: studentStatus.graduated })).toMatchObject({
      reason: 'nothing-to-export',
    })
    expect(
      await school.admin.ask(scoreExportApi.export, { startTime: '2026-05-02', endTime: '2026-05-01' }),
    ).toMatchObject({ errors: [{ field: 'endTime' }] })
    const [last] = await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'after'])
      .where('schoolId', '=', school.schoolId)
      .where('bizType', '=', 'export')
      .orderBy('logId', 'desc')
      .limit(1)
      .execute()
    expect(last).toMatchObject({
      action: '导出学生成绩',
      after: { rows: 1, whole: true, filter: { search: one.suiNumber } },
    })
  })

  test('holds the students in reach only, and needs its right', async () => {
    const there = await oneClass(school)
    await there.students(2)
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    expect(await scores({}, client)).toHaveLength(4)
    expect(await scores({})).toHaveLength(6)
    const tutor = await school.person('CLASS_TUTOR', [{ caType: 'college', caTarget: scId }])
    expect(await tutor.client.ask(scoreExportApi.export, {})).toMatchObject({ status: 403 })
  })

  test('still holds a module that was closed meanwhile', async () => {
    const own = await newSchool()
    const [student] = await (await oneClass(own)).students(1)
    await grantRecord(own, student!, recordPlans[0]!)
    await own.ctx.db
      .updateTable('curriculum')
      .set({ enable: enableStatus.disabled })
      .where('schoolId', '=', own.schoolId)
      .where('lsId', '=', own.curriculum['SXCL']!)
      .execute()
    expect((await scores({}, own.admin))[0]).toMatchObject({ 思想成长学时: '2.5', 合计学时: '2.5', 课程学时: '2.5' })
  })
})
