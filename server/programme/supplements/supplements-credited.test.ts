import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import {
  creditType,
  partakeMode,
  publictyStatus,
  supplementStatus,
  supplementType,
  supplementTab,
} from '../../../contract/core/codes/programme.ts'
import { lessonLevel } from '../../../contract/core/codes/rules.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import {
  passSupplement,
  supplementRule,
  supplementWorldOfTests,
  taskOf,
  type SupplementWorldOfTests,
} from '../../testing/supplements.ts'
import { completeSupplements } from './completion.service.ts'

const total = async (lookups: SupplementWorldOfTests, lisId: string, clType: string = creditType.hours) =>
  (await lookups.ledger(lisId)).filter((row) => row.clType === clType).reduce((sum, { clValue }) => sum + clValue, 0)
const endNotices = ({ school }: SupplementWorldOfTests) =>
  school.ctx.db
    .updateTable('supplement')
    .set({ lisPublictyEdate: addDays(school.clock.now(), -1) })
    .where('schoolId', '=', school.schoolId)
    .where('lisStatus', '=', supplementStatus.inNotice)
    .execute()

test('corrected to another level, it is booked by the rule and the abilities of that level', async () => {
  const world = await supplementWorldOfTests()
  const { school } = world
  const provincialRule = newId()
  const idea = school.labels['理想信念']!
  const moral = Object.values(school.labels).find((label) => label !== idea)!
  await school.ctx.db
    .insertInto('evaluation')
    .values({
      ...supplementRule(school, provincialRule),
      esLessonLevel: lessonLevel.provincial,
      versionNo: 4,
      baseHours: 200,
      abilityRules: JSON.stringify([{ sqlId: moral, weight: 100 }]),
    })
    .execute()
  const lisId = await world.credited((await world.students(1))[0]!.suId)
  const standing = async () => {
    const rows = await school.ctx.db
      .selectFrom('creditLedger')
      .select(['clType', 'sqlId', 'ruleVersion', sql<string>`"explain" ->> 'text'`.as('text')])
      .select(sql<number>`"clValue"`.as('clValue'))
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', lisId)
      .execute()
    const abilities = new Map<string | null, number>()
    for (const { clType, sqlId, clValue } of rows)
      if (clType === creditType.ability) abilities.set(sqlId, (abilities.get(sqlId) ?? 0) + clValue)
    return {
      abilities,
      hours: rows.filter(({ clType, text }) => clType === creditType.hours && !text.includes('冲正')),
    }
  }
  expect((await standing()).abilities).toEqual(new Map([[idea, 300]]))
  const { version } = await school.admin.send(supplementApi.detail, { lisId })
  await school.admin.send(supplementApi.correct, {
    lisId,
    version,
    lisLevel: lessonLevel.provincial,
    lisPartakeMode: partakeMode.participant,
    reason: '级别录错，核对原件后更正',
  })
  const { abilities, hours } = await standing()
  expect(abilities).toEqual(
    new Map([
      [idea, 0],
      [moral, 200],
    ]),
  )
  expect(hours).toContainEqual(
    expect.objectContaining({ ruleVersion: 4, text: '更正：基础 2 学时 ＝ 2 学时（评价规则第 4 版，省（部）级）' }),
  )
})

describe('public notice', () => {
  test('one and several, all or none, in working days, and taken out again', async () => {
    const lookups = await supplementWorldOfTests()
    const { auditor, secretary, leader } = lookups
    const students = await lookups.students(3)
    const ready: string[] = []
    for (const { suId } of students.slice(0, 2)) ready.push(await lookups.approved(suId))
    const draft = (await secretary.client.send(supplementApi.save, lookups.form(students[2]!.suId))).lisId
    await lookups.school.rules({ publictyMin: 3, publictyMax: 7 })
    const today = dayOf(lookups.school.clock.now())
    const dates = { lisPublictySdate: today, lisPublictyEdate: addDays(today, 6) }
    expect(
      await auditor.client.ask(supplementApi.batchEditPublicty, { ids: [...ready, draft], ...dates }),
    ).toMatchObject({
      code: 300,
      reason: 'sup-not-publishable',
      msg: '所选记录中有 1 条不可公示：只有审批通过的记录可以公示',
    })
    expect(await secretary.client.ask(supplementApi.batchEditPublicty, { ids: ready, ...dates })).toMatchObject({
      status: 403,
    })
    expect(
      await auditor.client.ask(supplementApi.batchEditPublicty, {
        ids: ready,
        lisPublictySdate: today,
        lisPublictyEdate: today,
      }),
    ).toMatchObject({ code: 300, msg: '公示期不得少于 3 个工作日' })
    expect(
      await auditor.client.ask(supplementApi.batchEditPublicty, {
        ids: ready,
        lisPublictySdate: today,
        lisPublictyEdate: addDays(today, 60),
      }),
    ).toMatchObject({ code: 300, msg: '公示期不得超过 7 个工作日' })
    expect(
      await auditor.client.ask(supplementApi.batchEditPublicty, {
        ids: ready,
        lisPublictySdate: addDays(today, -1),
        lisPublictyEdate: addDays(today, 6),
      }),
    ).toMatchObject({ code: 300, errors: [{ field: 'lisPublictySdate', msg: '公示开始日期不能早于今天' }] })
    expect(await auditor.client.send(supplementApi.batchEditPublicty, { ids: ready, ...dates })).toEqual({
      affected: 2,
    })
    expect(
      await auditor.client.send(supplementApi.editPublicty, {
        lisId: ready[0]!,
        lisPublictySdate: today,
        lisPublictyEdate: addDays(today, 7),
      }),
    ).toEqual({ affected: 1 })
    expect(
      await leader.client.send(supplementApi.publicise, { lisId: ready[1]!, delFlag: yesNo.yes, reason: '名单有误' }),
    ).toEqual({
      affected: 1,
    })
    expect(
      (await auditor.client.send(supplementApi.list, {})).records
        .map(({ lisId, lisStatus, lisPublictyStatus }) => [ready.indexOf(lisId), lisStatus, lisPublictyStatus])
        .toSorted(),
    ).toEqual([
      [-1, supplementStatus.draft, supplementStatus.draft],
      [0, supplementStatus.inNotice, supplementStatus.inReview],
      [1, supplementStatus.passed, supplementStatus.withdrawn],
    ])
    expect(await leader.client.ask(supplementApi.publicise, { lisId: ready[1]!, delFlag: yesNo.yes })).toMatchObject({
      code: 300,
      msg: '当前状态不可取消公示，请刷新后查看',
    })
    // days that are not told: today, and as many working days as the school asks for
    const { to } = await auditor.client.send(schoolApi.workday, { from: today, days: 3 })
    await auditor.client.send(supplementApi.batchEditPublicty, { ids: [ready[1]!] })
    expect(await auditor.client.send(supplementApi.detail, { lisId: ready[1]! })).toMatchObject({
      lisPublictySdate: `${today} 00:00:00`,
      lisPublictyEdate: `${to} 23:59:59`,
    })
    // of a notice that runs they are as they are: none is restarted or shortened, and only what changes is counted
    const days = async (lisId: string) => {
      const shown = await auditor.client.send(supplementApi.detail, { lisId })
      return [shown.lisPublictySdate, shown.lisPublictyEdate].map((moment) => moment?.slice(0, 10))
    }
    const third = await lookups.approved(students[2]!.suId)
    const [long, usual] = [addDays(today, 7), to]
    expect(await auditor.client.send(supplementApi.batchEditPublicty, { ids: [...ready, third] })).toEqual({
      affected: 1,
    })
    expect(await auditor.client.send(supplementApi.editPublicty, { lisId: ready.join(',') })).toEqual({ affected: 0 })
    expect(await Promise.all([...ready, third].map(days))).toEqual([
      [today, long],
      [today, usual],
      [today, usual],
    ])
    await lookups.school.rules({ publictyMin: 1 })
    const tomorrow = addDays(today, 1)
    const later = { ids: [...ready, third], lisPublictySdate: tomorrow }
    expect(await auditor.client.send(supplementApi.batchEditPublicty, later)).toEqual({ affected: 3 })
    expect(await Promise.all([...ready, third].map(days))).toEqual([
      [tomorrow, long],
      [tomorrow, usual],
      [tomorrow, usual],
    ])
    const longer = { ids: ready, lisPublictyEdate: long }
    expect(await auditor.client.send(supplementApi.batchEditPublicty, longer)).toEqual({ affected: 2 })
    expect(await days(ready[1]!)).toEqual([tomorrow, long])
  })

  test('a period named at the import begins with the last pass', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const lisId = await lookups.submitted(student!.suId)
    const today = dayOf(lookups.school.clock.now())
    await lookups.school.ctx.db
      .updateTable('supplement')
      .set({ lisPublictySdate: `${addDays(today, -2)} 00:00:00`, lisPublictyEdate: `${addDays(today, 5)} 23:59:59` })
      .where('lisId', '=', lisId)
      .execute()
    for (const person of [lookups.leader, lookups.auditor]) await passSupplement(person, lisId)
    expect(await lookups.school.admin.send(supplementApi.detail, { lisId })).toMatchObject({
      lisStatus: supplementStatus.inNotice,
      lisPublictyStatus: publictyStatus.running,
      lisPublictySdate: `${today} 00:00:00`,
      lisPublictyEdate: `${addDays(today, 5)} 23:59:59`,
    })
  })
})

describe('crediting', () => {
  test('each record once, whoever runs the job and however often; a record that fails holds nobody up', async () => {
    const lookups = await supplementWorldOfTests()
    const { school } = lookups
    const students = await lookups.students(6)
    const ids = []
    for (const [at, { suId }] of students.entries())
      ids.push(await lookups.inNotice(suId, at % 2 ? { lisAward: '一等奖' } : {}))
    await endNotices(lookups)
    await school.ctx.db.updateTable('supplement').set({ lsPath: [] }).where('lisId', '=', ids[0]!).execute()
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => completeSupplements(school.services, school.schoolId)),
    )
    expect(runs.reduce((sum, n) => sum + n, 0)).toBe(5)
    expect(await Promise.all(ids.map((lisId) => total(lookups, lisId)))).toEqual([0, 400, 300, 400, 300, 400])
    expect(await lookups.statusOf(ids[0]!)).toBe('5')
  })

  test('within what the school lets a student have', async () => {
    const lookups = await supplementWorldOfTests()
    await lookups.school.rules({ termCapHours: '4' })
    const [student] = await lookups.students(1)
    const [first, second] = [await lookups.credited(student!.suId), await lookups.credited(student!.suId)]
    expect([await total(lookups, first), await total(lookups, second)]).toEqual([300, 100])
    const { ledger } = await lookups.school.admin.send(supplementApi.detail, { lisId: second })
    expect(ledger[0]!.text).toContain('本学期还可计 1，按 1 学时计')
  })

  test('off-campus service has its own cap', async () => {
    const lookups = await supplementWorldOfTests()
    const [student] = await lookups.students(1)
    const [first, second] = [
      await lookups.credited(student!.suId, { lisType: supplementType.volunteering }),
      await lookups.credited(student!.suId, { lisType: supplementType.volunteering }),
    ]
    expect([
      await total(lookups, first),
      await total(lookups, second),
      await total(lookups, second, creditType.volunteerHours),
    ]).toEqual([300, 200, 200])
  })
})

describe('what has been credited', () => {
  test('is deleted only with its reversal, which takes back everything once', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, leader } = lookups
    const [student] = await lookups.students(1)
    const lisId = await lookups.credited(student!.suId)
    expect(await school.admin.ask(supplementApi.edit, { lisId, delFlag: yesNo.yes })).toMatchObject({
      code: 300,
      reason: 'sup-credited',
      msg: '已入账记录须先冲正：请选择“冲正”并填写原因',
    })
    expect(await school.admin.ask(supplementApi.remove, { lisId, delFlag: yesNo.yes, reverse: '1' })).toMatchObject({
      code: 300,
      reason: 'sup-reason-needed',
    })
    expect(
      await leader.client.ask(supplementApi.remove, { lisId, delFlag: yesNo.yes, reverse: '1', reason: '证书系伪造' }),
    ).toMatchObject({ status: 403 })
    const replies = await Promise.all(
      Array.from({ length: 6 }, () =>
        school.admin.ask(supplementApi.remove, { lisId, delFlag: yesNo.yes, reverse: '1', reason: '证书系伪造' }),
      ),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    for (const clType of [creditType.hours, creditType.credit, creditType.points, creditType.ability])
      expect(await total(lookups, lisId, clType)).toBe(0)
    expect((await lookups.ledger(lisId)).filter(({ source }) => source === 'REVERSE')).toHaveLength(4)
    expect((await school.admin.send(transcriptApi.stuScore, { search: student!.suiNumber })).records).toMatchObject([
      { hours: '0', status: '3' },
    ])
    expect((await school.admin.send(supplementApi.list, { flagType: supplementTab.deleted })).records).toMatchObject([
      { lisId, lisStatus: supplementStatus.deleted, delFlag: yesNo.yes, can: [] },
    ])
    expect(await school.admin.ask(supplementApi.remove, { lisId, delFlag: yesNo.no })).toMatchObject({
      code: 300,
      msg: '已冲正的记录不能恢复，请重新录入',
    })
    const story = await school.admin.send(auditApi.timeline, { bizType: 'supplement', bizId: lisId })
    expect(story.records.map(({ action }) => action)).toEqual([
      '冲正并删除补录',
      '冲正补录学时',
      '补录入账',
      '公示补录',
      '审批通过',
      '补录审批通过',
      '审批通过',
      '提交补录审批',
      '录入补录',
    ])
  })

  test('is corrected by entries of the difference, again and again, and deleted after that', async () => {
    const lookups = await supplementWorldOfTests()
    const { school, auditor } = lookups
    const [student] = await lookups.students(1)
    const lisId = await lookups.credited(student!.suId)
    const correct = async (more: object, reason = '等级录错，核对原件后更正') => {
      const { version } = await school.admin.send(supplementApi.detail, { lisId })
      return school.admin.ask(supplementApi.correct, {
        lisId,
        version,
        lisLevel: '2',
        lisPartakeMode: partakeMode.participant,
        reason,
        ...more,
      })
    }
    expect(await correct({})).toMatchObject({ code: 300, msg: '没有需要更正的内容' })
    expect(await correct({ lisAward: '一等奖' }, '短')).toMatchObject({
      code: 300,
      errors: [{ field: 'reason', msg: '更正原因不能少于 5 个字' }],
    })
    expect(await correct({ lisLevel: '5' })).toMatchObject({ code: 300, errors: [{ field: 'lisLevel' }] })
    expect(await auditor.client.ask(supplementApi.correct, { lisId })).toMatchObject({ status: 403 })
    for (const [more, hours] of [
      [{ lisAward: '一等奖' }, 400],
      [{ lisPartakeMode: partakeMode.teamMember }, 150],
      [{ lisAward: '一等奖', lisPartakeMode: partakeMode.teamMember }, 250],
      [{ lisHoursDeclared: '5' }, 500],
    ] as const) {
      expect(await correct(more)).toMatchObject({ code: 200 })
      expect(await total(lookups, lisId)).toBe(hours)
      expect(await total(lookups, lisId, creditType.ability)).toBe(hours)
    }
    expect((await school.admin.send(transcriptApi.stuScore, { search: student!.suiNumber })).records).toMatchObject([
      { hours: '5', status: '1' },
    ])
    await school.admin.send(supplementApi.remove, { lisId, delFlag: yesNo.yes, reverse: '1', reason: '证书系伪造' })
    for (const clType of [creditType.hours, creditType.credit, creditType.points, creditType.ability])
      expect(await total(lookups, lisId, clType)).toBe(0)
  })
})

describe('deleting and bringing back', () => {
  test('drafts by whoever entered them, what was approved by whoever publicises; each comes back where it can go on', async () => {
    const lookups = await supplementWorldOfTests()
    const { secretary, leader, auditor } = lookups
    const students = await lookups.students(3)
    const draft = (await secretary.client.send(supplementApi.save, lookups.form(students[0]!.suId))).lisId
    const [waiting, notice] = [await lookups.submitted(students[1]!.suId), await lookups.inNotice(students[2]!.suId)]
    expect(
      await secretary.client.ask(supplementApi.remove, { lisId: [draft, waiting], delFlag: yesNo.yes }),
    ).toMatchObject({
      status: 403,
    })
    expect(await lookups.statusOf(draft)).toBe('0')
    expect(await secretary.client.send(supplementApi.edit, { lisId: draft, delFlag: yesNo.yes })).toEqual({
      affected: 1,
    })
    expect(
      await leader.client.send(supplementApi.remove, {
        lisId: [waiting, notice],
        delFlag: yesNo.yes,
        reason: '重复录入',
      }),
    ).toEqual({ affected: 2 })
    expect(await taskOf(leader, waiting)).toBeUndefined()
    expect((await auditor.client.send(approvalApi.auditCount, {})).supplement).toBe(0)
    await endNotices(lookups)
    expect(await completeSupplements(lookups.school.services, lookups.school.schoolId)).toBe(0)
    expect((await leader.client.send(supplementApi.list, { flagType: supplementTab.deleted })).records).toHaveLength(3)
    expect((await leader.client.send(supplementApi.list, {})).records).toHaveLength(0)
    expect(
      await leader.client.send(supplementApi.remove, { lisId: [draft, waiting, notice], delFlag: yesNo.no }),
    ).toEqual({
      affected: 3,
    })
    expect(await Promise.all([draft, waiting, notice].map((lisId) => lookups.statusOf(lisId)))).toEqual(['0', '4', '2'])
    expect(await leader.client.ask(supplementApi.remove, { lisId: draft, delFlag: yesNo.no })).toMatchObject({
      code: 300,
      msg: '当前状态不可恢复，请刷新后查看',
    })
    await secretary.client.send(supplementApi.submit, { lisId: waiting })
    expect(await lookups.statusOf(waiting)).toBe('1')
  })
})
