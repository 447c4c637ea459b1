import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { creditType, partakeMode, questionOutcome } from '../../../contract/core/codes/programme.ts'
import { convertFrom, convertMode, convertTo } from '../../../contract/core/codes/rules.ts'
import { overCapApi } from '../../../contract/programme/credits/over-cap.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { creditWorld, type CreditWorld } from '../../testing/credits.ts'
import { termNumber } from './over-cap.service.ts'

/** Courses and records are all of one best-only group unless given. */
let world: CreditWorld
let student: { suId: string; suiNumber: string }

beforeAll(async () => {
  world = await creditWorld()
})
beforeEach(async () => {
  student = (await world.students(1))[0]!
  await world.group('同一竞赛')
})

const supplement = (more: object = {}) => world.supplement(student, more)
const course = (more: Parameters<CreditWorld['course']>[1] = {}) => world.course(student, more)
async function settle(liId: string, more: object) {
  const qId = await world.questioned(liId, student.suId)
  await world.uphold(qId)
  await world.settle(qId, more)
}
const hours = (...ids: string[]) => Promise.all(ids.map((id) => world.hours(student.suId, id)))

test('the best of a group deleted: the next is topped up, of whatever kind it is', async () => {
  const best = await supplement()
  const lesser = await course()
  expect(await hours(best, lesser)).toEqual([300, 0])
  await world.removeSupplement(best)
  expect(await hours(best, lesser)).toEqual([0, 200])
  const credit = (await world.entries(student.suId))
    .filter(({ clType }) => clType === creditType.credit)
    .reduce((sum, { clValue }) => sum + clValue, 0)
  expect(credit).toBe(20)
  const { records } = await world.school.admin.send(auditApi.timeline, { bizType: 'lesson', bizId: lesser })
  expect(records[0]).toMatchObject({ action: '上限或就高重新计算' })
})
test('a course that was put out of sight gets nothing when there is room again', async () => {
  const best = await supplement()
  const [gone, lesser] = [await course(), await course()]
  expect(await hours(best, gone, lesser)).toEqual([300, 0, 0])
  await world.school.admin.send(lessonApi.purge, { liId: gone, reason: '重复创建，按校团委意见删除' })
  await world.removeSupplement(best)
  expect(await hours(best, gone, lesser)).toEqual([0, 0, 200])
})
test('the other way round: a course taken back tops up supplement records, the best first calculated with the earliest', async () => {
  const best = await course({ result: '3', adId: world.awards.first })
  const [first, second] = [
    await supplement({ lisObtainDate: addDays(dayOf(world.school.clock.now()), -3) }),
    await supplement({ lisAward: '一等奖' }),
  ]
  expect(await hours(best, first, second)).toEqual([300, 0, 100])
  expect(await world.school.admin.send(supplementApi.detail, { lisId: first })).toMatchObject({
    lisHours: '3',
    grantedHours: '0',
  })
  await settle(best, { qOutcome: questionOutcome.remove })
  expect(await hours(best, first, second)).toEqual([0, 300, 100])
})
test('a record corrected to less is calculated with what it had cut, and what was cut twice is not granted twice', async () => {
  const [best, lesser] = [await supplement({ lisAward: '一等奖' }), await course()]
  expect(await hours(best, lesser)).toEqual([400, 0])
  await world.correctSupplement(best, { lisPartakeMode: partakeMode.teamMember })
  expect(await hours(best, lesser)).toEqual([150, 50])
  await world.correctSupplement(best, { lisAward: '一等奖' })
  expect((await hours(best, lesser)).reduce((sum, value) => sum + value, 0)).toBe(400)
  await world.removeSupplement(best)
  expect(await hours(best, lesser)).toEqual([0, 200])
})
test('a record calculated anew tells which calculation holds, why, and in which order', async () => {
  const [best, lesser] = [await supplement({ lisAward: '一等奖' }), await course()]
  const explained = async (name: 'liId' | 'lisId', bizId: string) =>
    (await world.school.admin.send(transcriptApi.rows, { suId: student.suId })).records.find(
      (row) => row[name] === bizId,
    )!.explain
  expect(await explained('liId', lesser)).not.toContain('现计')
  await world.correctSupplement(best, { lisPartakeMode: partakeMode.teamMember })
  const [own, others] = [await explained('lisId', best), await explained('liId', lesser)]
  // each value once, the one that holds
  expect(own.match(/学时（评价规则/g)).toHaveLength(1)
  expect(own).toMatch(/^现计：.*＝ 1\.5 学时.*。此前的计算已不再有效（.*冲正）$/)
  expect(others).toMatch(/^现计：.*补差 0\.5 学时.*。此前的计算已不再有效（.*上限或就高按活动时间先后重新计算，冲正）$/)
  await world.removeSupplement(best)
  expect(await explained('lisId', best)).toMatch(/^[^＝]*冲正$/)
  expect(await explained('liId', lesser)).toMatch(/^现计：.*＝ 2 学时/)
})
test('a record that stands at nothing, calculated anew to nothing, is not called taken back', async () => {
  const [best, lesser] = [await supplement({ lisAward: '一等奖' }), await course()]
  await world.correctSupplement(best, {})
  expect(await hours(best, lesser)).toEqual([300, 0])
  const scoreOf = async (name: 'liId' | 'lisId', bizId: string) =>
    (await world.school.admin.send(transcriptApi.stuScore, { pageSize: 100 })).records.find(
      (row) => row[name] === bizId,
    )
  expect((await world.entries(student.suId, lesser)).map(({ source }) => source)).toContain('REVERSE')
  expect(await scoreOf('liId', lesser)).toMatchObject({ hours: '0', status: '1' })
  await world.removeSupplement(best)
  expect(await scoreOf('lisId', best)).toMatchObject({ hours: '0', status: '3' })
})
test('a certificate that stands at nothing is counted where certificates are converted, one taken back is not', async () => {
  const [best, lesser] = [await supplement({ lisAward: '一等奖' }), await supplement()]
  expect(await hours(best, lesser)).toEqual([400, 0])
  const certificates = async () =>
    (
      await world.school.admin.send(transformationApi.preview, {
        rule: { fromType: convertFrom.certificates, toType: convertTo.credit, mode: convertMode.linear, ratio: '1' },
        search: student.suiNumber,
      })
    ).records[0]!.from
  expect(await certificates()).toBe('2')
  await world.correctSupplement(best, {})
  expect([...(await hours(best, lesser)), await certificates()]).toEqual([300, 0, '2'])
  await world.removeSupplement(best)
  expect(await certificates()).toBe('1')
})
test('room under a cap of the term goes from one kind to the other', async () => {
  await world.group('')
  await world.school.rules({ termCapHours: '4' })
  const [first, second] = [await supplement(), await course()]
  expect(await hours(first, second)).toEqual([300, 100])
  await world.correctSupplement(first, { lisPartakeMode: partakeMode.teamMember })
  expect(await hours(first, second)).toEqual([150, 200])
  const third = await supplement()
  expect(await hours(third)).toEqual([50])
  await settle(second, { qOutcome: questionOutcome.remove })
  expect(await hours(first, second, third)).toEqual([150, 0, 250])
  await world.removeSupplement(first)
  expect(await hours(first, third)).toEqual([0, 300])
  await world.school.rules({ termCapHours: '16' })
})
test('what gives credit but no hours is found again as well', async () => {
  const { db } = world.school.ctx
  await db
    .updateTable('evaluation')
    .set({ baseHours: 0 })
    .where('schoolId', '=', world.school.schoolId)
    .where('esId', '=', world.supplementRule)
    .execute()
  const [best, lesser] = [await supplement({ lisAward: '一等奖', lisHoursDeclared: '0.5' }), await supplement()]
  const credit = async (bizId: string) =>
    (await world.entries(student.suId, bizId))
      .filter(({ clType }) => clType === creditType.credit)
      .reduce((sum, { clValue }) => sum + clValue, 0)
  expect([await credit(best), await credit(lesser)]).toEqual([40, 0])
  await world.removeSupplement(best)
  expect([await credit(best), await credit(lesser)]).toEqual([0, 30])
  // nor is it lost beside hours that nothing cuts
  await world.removeSupplement(lesser)
  const [only, more] = [await supplement(), await supplement({ lisHoursDeclared: '0.5' })]
  expect([await credit(only), await credit(more), ...(await hours(only, more))]).toEqual([30, 0, 0, 50])
  await world.removeSupplement(only)
  expect([await credit(only), await credit(more), ...(await hours(only, more))]).toEqual([0, 30, 0, 50])
  await db
    .updateTable('evaluation')
    .set({ baseHours: 300 })
    .where('schoolId', '=', world.school.schoolId)
    .where('esId', '=', world.supplementRule)
    .execute()
})

test('from a late term on a student may be granted more than the cap of the term; what was cut comes back, up to that', async () => {
  const { school } = world
  await world.group('')
  await school.rules({ termCapHours: '3', termCapFree: [] })
  const [first, second, third] = [await course(), await course(), await course()]
  expect(await hours(first, second, third)).toEqual([200, 100, 0])
  const raise = (hours: string) =>
    school.admin.ask(overCapApi.raise, { suId: student.suId, hours, reason: '毕业学期补足学时' })
  const grade = (suiGrade: string) =>
    school.ctx.db.updateTable('person').set({ suiGrade, suiEnterDate: null }).where('suId', '=', student.suId).execute()
  const year = Number(school.clock.now().slice(0, 4))
  await grade(String(year - 1))
  expect(await raise('2')).toMatchObject({ code: 300, reason: 'over-cap-early' })
  await grade(String(year - 5))
  expect(await raise('0')).toMatchObject({ errors: [{ field: 'hours' }] })
  expect(await raise('2')).toMatchObject({ data: { affected: 1 } })
  expect((await hours(first, second, third)).reduce((sum, one) => sum + one, 0)).toBe(500)
  const { raises, can, termNo } = await school.admin.send(overCapApi.list, { suId: student.suId })
  expect([raises.length, raises[0]!.hours, can, termNo >= 7]).toEqual([1, '2', ['raise'], true])
  const [other] = await world.students(1)
  expect((await school.admin.send(overCapApi.list, { suId: other!.suId })).raises).toEqual([])
  expect(
    await world.leader.client.ask(overCapApi.raise, { suId: student.suId, hours: '1', reason: '毕业学期补足学时' }),
  ).toMatchObject({ status: 403 })
  await school.rules({ termCapHours: '0' })
  expect(await raise('2')).toMatchObject({ code: 300, msg: '本校没有设置每学期学时上限，无须申请' })
})

test.each([
  ['2026-09-01', '2026-11-20', 1],
  ['2026-09-01', '2027-02-15', 2],
  ['2026-09-01', '2029-10-01', 7],
  ['2026-09-01', '2026-08-31', 0],
])('who came on %s is on %s in term %i', (suiEnterDate, day, termNo) =>
  expect(termNumber({ suiEnterDate, suiGrade: null }, day, { springStart: '02-15', autumnStart: '08-16' })).toBe(
    termNo,
  ),
)
