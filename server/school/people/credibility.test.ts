import { describe, expect, test } from 'vitest'
import { credibilityReason, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { oneClass } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { closesRegistration, moved, opensRegistration } from './credibility-rules.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

const bounds = { credibilityMin: 0, credibilityMax: 100 }
const reason = '核实后调整分值'

test.each([
  [100, -1, 99],
  [1, -5, 0],
  [0, -1, 0],
  [98, 5, 100],
  [100, 1, 100],
  [50, 10, 60],
  // who stands beyond bounds that the school has moved meanwhile is not pushed further back by a change the other way
  [120, 1, 120],
  [120, -5, 115],
  [-3, -1, -3],
  [-3, 2, -1],
])('%d points and %d more are %d', (before, change, after) => expect(moved(before, change, bounds)).toBe(after))
test.each([
  [1, false],
  [2, false],
  [3, true],
  [4, false],
  [6, true],
  [0, false],
])('absence number %d closes registration: %s', (n, closes) =>
  expect(closesRegistration(n, { blackCount: 3 })).toBe(closes),
)
test.each([
  [3, 2, true],
  [4, 3, false],
  [4, 2, true],
  [6, 5, true],
  [2, 1, false],
])('%d absences becoming %d open it: %s', (before, after, opens) =>
  expect(opensRegistration(before, after, { blackCount: 3 })).toBe(opens),
)
test('a school without the rule closes nothing', () =>
  expect([closesRegistration(3, { blackCount: 0 }), opensRegistration(3, 0, { blackCount: 0 })]).toEqual([
    false,
    false,
  ]))

/** A finished course that cost students points, as the completion would have written it. */
async function loss(
  school: TestSchool,
  suIds: string[],
  { change = -1, reasonCode = credibilityReason.absence, liName = '讲座' } = {},
): Promise<string> {
  const { schoolId, ctx } = school
  const liId = await storeLesson(school, {
    liName,
    liStatus: lessonStatus.completed,
    startTime: '2026-03-05 14:00:00',
    endTime: '2026-03-05 16:00:00',
  })
  for (const suId of suIds) {
    const { suiCredibility: before } = await pointsRow(school, suId)
    const after = Math.max(0, before + change)
    await ctx.db
      .insertInto('credibilityLog')
      .values({
        schoolId,
        cgId: newId(),
        suId,
        change: after - before,
        before,
        after,
        reasonCode,
        reason: `缺席课程“${liName}”`,
        liId,
        operatorName: '系统',
        createTime: ctx.clock.now(),
      })
      .execute()
    await ctx.db
      .updateTable('person')
      .set({ suiCredibility: after })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .execute()
  }
  return liId
}
const pointsRow = ({ ctx, schoolId }: TestSchool, suId: string) =>
  ctx.db
    .selectFrom('person')
    .select(['suiCredibility', 'blackUntil'])
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .executeTakeFirstOrThrow()
const points = async (school: TestSchool, suId: string) => (await pointsRow(school, suId)).suiCredibility
const logOf = ({ admin }: TestSchool, suId: string) => admin.send(credibilityApi.log, { suId, pageSize: 50 })

describe('changes by hand', () => {
  test('stand in the log, the trail and the inbox, and never leave the bounds', async () => {
    const school = await newSchool()
    const { scId, smId, scClassId } = await oneClass(school)
    const student = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: scClassId }], {
      suiType: personType.student,
      suiName: '李雷',
    })
    await school.ctx.db
      .updateTable('person')
      .set({ suiCollegeId: scId, majorId: smId, scClassId, suiGrade: '2024' })
      .where('suId', '=', student.suId)
      .execute()
    expect(
      await school.admin.send(credibilityApi.update, {
        suId: student.suId,
        change: -3,
        reasonCode: credibilityReason.falseAttendance,
        reason: '代他人签到一次',
      }),
    ).toEqual({ affected: 1, failed: [] })
    expect(await points(school, student.suId)).toBe(97)
    expect(await school.admin.send(credibilityApi.update, { suId: student.suId, value: 60, reason })).toEqual({
      affected: 1,
      failed: [],
    })
    await school.admin.send(credibilityApi.update, { suId: student.suId, change: -100, reason })
    await school.admin.send(credibilityApi.update, { suId: student.suId, change: 500, reason })
    expect(
      (await logOf(school, student.suId)).records.map(({ before, after, change, reasonCode, operatorName }) => [
        before,
        after,
        change,
        reasonCode,
        operatorName,
      ]),
    ).toEqual([
      [0, 100, 100, credibilityReason.manual, '管理员'],
      [60, 0, -60, credibilityReason.manual, '管理员'],
      [97, 60, -37, credibilityReason.manual, '管理员'],
      [100, 97, -3, credibilityReason.falseAttendance, '管理员'],
    ])
    expect(await school.admin.ask(credibilityApi.update, { suId: student.suId, change: 1, reason })).toMatchObject({
      code: 300,
      reason: 'credibility-same',
    })
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select(['before', 'after', 'reason'])
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', student.suId)
      .where('action', '=', '调整诚信分')
      .orderBy('logId')
      .execute()
    expect(trail[0]).toEqual({
      before: { suiCredibility: 100 },
      after: { suiCredibility: 97 },
      reason: '代他人签到一次',
    })
    expect(trail).toHaveLength(4)
    const inbox = await student.client.send(messageApi.inbox, { current: 1, pageSize: 10 })
    expect(inbox.records.map(({ iiTitle }) => iiTitle).toReversed()[0]).toBe('诚信分减少 3 分')
    expect(JSON.stringify(inbox)).toContain('代他人签到一次')
  })

  test('of several students leave those it changes nothing for as they are, and name them', async () => {
    const school = await newSchool()
    const [one, two] = await (await oneClass(school)).students(2)
    await school.admin.send(credibilityApi.update, { suId: one!.suId, change: -2, reason })
    expect(
      await school.admin.send(credibilityApi.update, { suIds: [one!.suId, two!.suId], change: 5, reason }),
    ).toEqual({ affected: 1, failed: [{ id: two!.suId, name: two!.suiName, msg: '诚信分已是 100 分' }] })
    expect([await points(school, one!.suId), await points(school, two!.suId)]).toEqual([100, 100])
  })

  test('made twenty at a time are all counted', async () => {
    const school = await newSchool()
    const [one, two] = await (await oneClass(school)).students(2)
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        school.admin.ask(credibilityApi.update, {
          suIds: at % 2 ? [one!.suId, two!.suId] : [two!.suId, one!.suId],
          change: -1,
          reason,
        }),
      ),
    )
    expect(replies.map(({ code }) => code)).toEqual(Array(20).fill(200))
    for (const { suId } of [one!, two!]) {
      expect(await points(school, suId)).toBe(80)
      const { records } = await logOf(school, suId)
      expect(records.map(({ after }) => after).toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 20 }, (_, at) => 80 + at),
      )
      expect(records.every(({ before, after, change }) => after - before === change && change === -1)).toBe(true)
    }
  })

  test.each([
    ['without a reason', { change: -1 }, 'reason'],
    ['with a reason of four characters', { change: -1, reason: '太短了吧' }, 'reason'],
    ['by nothing', { change: 0, reason }, 'change'],
    ['neither by nor to', { reason }, 'change'],
    ['both by and to', { change: 1, value: 3, reason }, 'change'],
    ['to more than there is', { value: 101, reason }, 'value'],
    ['as an absence', { change: -1, reasonCode: credibilityReason.absence, reason }, 'reasonCode'],
    ['for a course that is not there', { change: -1, liId: newId(), reason }, 'liId'],
    ['by a half', { change: -0.5, reason }, 'change'],
  ])('%s are refused at that field', async (_, input, field) => {
    const school = await newSchool()
    const [student] = await (await oneClass(school)).students(1)
    expect(await school.admin.ask(credibilityApi.update, { suId: student!.suId, ...input })).toMatchObject({
      status: 200,
      code: 300,
      errors: [{ field }],
    })
    expect((await logOf(school, student!.suId)).total).toBe(0)
  })

  test('reach no further than the right: all or none', async () => {
    const school = await newSchool()
    const [here, there] = [await oneClass(school), await oneClass(school)]
    const [[own], [foreign]] = [await here.students(1), await there.students(1)]
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
    expect(
      await client.ask(credibilityApi.update, { suIds: [own!.suId, foreign!.suId], change: -1, reason }),
    ).toMatchObject({ status: 404 })
    expect(await client.ask(credibilityApi.log, { suId: foreign!.suId })).toMatchObject({ status: 404 })
    expect(await client.ask(credibilityApi.standing, { suId: foreign!.suId })).toMatchObject({ status: 404 })
    expect([await points(school, own!.suId), await points(school, foreign!.suId)]).toEqual([100, 100])
    const tutor = await school.person('CLASS_TUTOR', [{ caType: 'class', caTarget: here.scClassId }])
    expect(await tutor.client.ask(credibilityApi.update, { suId: own!.suId, change: -1, reason })).toMatchObject({
      status: 403,
    })
    expect(await tutor.client.send(credibilityApi.standing, { suId: own!.suId })).toMatchObject({
      suiCredibility: 100,
      can: [],
    })
    expect((await client.send(studentApi.list, { search: own!.suiNumber })).records[0]!.can).toContain('credibility')
  })
})

describe('restoring', () => {
  test('gives an entry back once, with a row of its own, and never beyond the most', async () => {
    const school = await newSchool()
    const [student] = await (await oneClass(school)).students(1)
    await loss(school, [student!.suId], { change: -4, liName: '志愿服务' })
    await school.admin.send(credibilityApi.update, { suId: student!.suId, change: 3, reason })
    const [, entry] = (await logOf(school, student!.suId)).records
    expect(entry).toMatchObject({ change: -4, liName: '志愿服务', opens: true, restored: false, can: ['restore'] })
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        school.admin.ask(credibilityApi.restore, { cgIds: [entry!.cgId], reason: '经核实并未缺席' }),
      ),
    )
    expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300, 300, 300, 300, 300])
    expect(replies.find(({ code }) => code === 200)!.data).toMatchObject({ affected: 1, points: 1 })
    expect(replies.find(({ code }) => code === 300)).toMatchObject({ reason: 'not-restorable' })
    const [restoring, , restored] = (await logOf(school, student!.suId)).records
    expect(restoring).toMatchObject({
      before: 99,
      after: 100,
      change: 1,
      reasonCode: credibilityReason.restored,
      restoreOf: entry!.cgId,
      liName: '志愿服务',
      can: [],
    })
    expect(restored).toMatchObject({ restored: true, can: [] })
    expect(await points(school, student!.suId)).toBe(100)
    expect(
      await school.admin.ask(credibilityApi.restore, { cgIds: [restoring!.cgId], reason: '经核实并未缺席' }),
    ).toMatchObject({ reason: 'not-restorable' })
  })

  test('by course is previewed, then gives everybody in reach back what it took', async () => {
    const school = await newSchool()
    const [here, there] = [await oneClass(school), await oneClass(school)]
    const [own, others] = [await here.students(3), await there.students(2)]
    const liId = await loss(
      school,
      [...own, ...others].map(({ suId }) => suId),
      { change: -2 },
    )
    await school.admin.send(credibilityApi.update, {
      suId: own[0]!.suId,
      change: -5,
      liId,
      reasonCode: credibilityReason.falseAttendance,
      reason: '请他人代为签到',
    })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
    const preview = await client.send(credibilityApi.lessonLosses, { liId, pageSize: 2 })
    expect(preview).toMatchObject({ liName: '讲座', people: 3, entries: 4, points: 11, restored: 0, total: 3 })
    expect(preview.records).toHaveLength(2)
    expect(
      await client.ask(credibilityApi.restoreByLesson, { liId, entries: 3, reason: '课程时间通知有误' }),
    ).toMatchObject({ reason: 'losses-changed' })
    const replies = await Promise.all(
      [1, 2, 3].map(() => client.ask(credibilityApi.restoreByLesson, { liId, entries: 4, reason: '课程时间通知有误' })),
    )
    expect(replies.filter(({ code }) => code === 200).map(({ data }) => data)).toEqual([
      { affected: 4, people: 3, points: 11, opened: 0 },
    ])
    for (const { suId } of own) expect(await points(school, suId)).toBe(100)
    for (const { suId } of others) expect(await points(school, suId)).toBe(98)
    expect(await client.send(credibilityApi.lessonLosses, { liId })).toMatchObject({
      people: 0,
      entries: 0,
      points: 0,
      restored: 4,
      records: [],
    })
    expect(
      await client.ask(credibilityApi.restoreByLesson, { liId, entries: 1, reason: '课程时间通知有误' }),
    ).toMatchObject({ reason: 'nothing-to-restore' })
    expect(
      await school.admin.send(credibilityApi.restoreByLesson, { liId, entries: 2, reason: '课程时间通知有误' }),
    ).toMatchObject({ people: 2, points: 4 })
    // whose students the course took nothing from learns no name
    const elsewhere = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    for (const call of [credibilityApi.lessonLosses, credibilityApi.restoreByLesson]) {
      const reply = await elsewhere.client.ask(call, { liId, entries: 1, reason: '课程时间通知有误' })
      expect(reply).toMatchObject({ status: 404, data: null })
    }
    expect(await client.ask(credibilityApi.lessonLosses, { liId: newId() })).toMatchObject({ status: 404 })
    expect(await (await newSchool()).admin.ask(credibilityApi.lessonLosses, { liId })).toMatchObject({ status: 404 })
  })

  test('an absence that had closed registration opens it again', async () => {
    const school = await newSchool()
    const [student] = await (await oneClass(school)).students(1)
    const { suId } = student!
    const close = () =>
      school.ctx.db
        .updateTable('person')
        .set({ blackUntil: addDays(school.clock.now(), 7) })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', suId)
        .execute()
    for (const liName of ['甲', '乙', '丙', '丁']) await loss(school, [suId], { liName })
    await close()
    expect(await school.admin.send(credibilityApi.standing, { suId })).toMatchObject({
      suiCredibility: 96,
      absences: 4,
      absencesPerBan: 3,
      can: ['adjust', 'lift'],
      blackUntil: expect.any(String),
    })
    const entries = (await logOf(school, suId)).records
    await school.admin.send(credibilityApi.restore, { cgIds: [entries[0]!.cgId], reason: '当日请假已批准' })
    expect((await pointsRow(school, suId)).blackUntil).not.toBeNull()
    await school.admin.send(credibilityApi.restore, { cgIds: [entries[1]!.cgId], reason: '当日请假已批准' })
    expect(await school.admin.send(credibilityApi.standing, { suId })).toMatchObject({
      suiCredibility: 98,
      absences: 2,
      blackUntil: null,
      can: ['adjust'],
    })
  })
})

test('a closed registration is opened by hand, with a reason, once', async () => {
  const school = await newSchool()
  const [closed, free] = await (await oneClass(school)).students(2)
  await school.ctx.db
    .updateTable('person')
    .set({ blackUntil: addDays(school.clock.now(), 3) })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', closed!.suId)
    .execute()
  expect(
    await school.admin.send(credibilityApi.lift, { suIds: [closed!.suId, free!.suId], reason: '已接受诚信教育' }),
  ).toEqual({ affected: 1 })
  expect((await pointsRow(school, closed!.suId)).blackUntil).toBeNull()
  expect(
    await school.admin.ask(credibilityApi.lift, { suIds: [closed!.suId], reason: '已接受诚信教育' }),
  ).toMatchObject({ reason: 'not-blacklisted' })
  const trail = await school.ctx.db
    .selectFrom('auditLog')
    .select(['bizId', 'reason'])
    .where('schoolId', '=', school.schoolId)
    .where('action', '=', '解除报名限制')
    .where('result', '=', 'ok')
    .execute()
  expect(trail).toEqual([{ bizId: closed!.suId, reason: '已接受诚信教育' }])
})
