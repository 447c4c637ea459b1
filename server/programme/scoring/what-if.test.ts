import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lessonStatus, partakeMode, resultStatus } from '../../../contract/core/codes/programme.ts'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { newId } from '../../core/base/ids.ts'
import type { RatedRule } from '../credits/rules.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool } from '../../testing/school.ts'
import { shiftsUnder, type RatedGroup } from './what-if.ts'

const rule: RatedRule = {
  versionNo: 1,
  hourCap: null,
  credit: 20,
  points: 100,
  modeRules: [{ partakeMode: partakeMode.organiser, factor: 150 }],
  awardRules: [],
  abilityRules: [
    { sqlId: 'a', weight: 60 },
    { sqlId: 'b', weight: 40 },
  ],
  teamRules: [],
  bestOnlyGroup: '',
  yearCap: null,
}
const group = (suId: string, times: number, more: Partial<RatedGroup['rated']> = {}): RatedGroup => ({
  suId,
  times,
  rule,
  isStandard: true,
  rated: {
    declaredHours: 200,
    levelName: '校级',
    levelFactor: 100,
    partakeMode: partakeMode.participant,
    laResult: resultStatus.passed,
    award: null,
    volunteer: false,
    ...more,
  },
})

describe('what a change would have moved', () => {
  test('more hours for all whose courses gave the usual ones, by their way of taking part', () => {
    const { people } = shiftsUnder(
      [group('x', 3), group('y', 1, { partakeMode: partakeMode.organiser }), { ...group('z', 1), isStandard: false }],
      rule,
      300,
    )
    expect(people).toEqual([
      { suId: 'x', times: 3, hours: 300, credit: 0, points: 0 },
      { suId: 'y', times: 1, hours: 150, credit: 0, points: 0 },
      { suId: 'z', times: 1, hours: 0, credit: 0, points: 0 },
    ])
  })
  test('weights move abilities and nothing else', () => {
    const { people, abilities } = shiftsUnder(
      [group('x', 2)],
      { ...rule, abilityRules: [{ sqlId: 'a', weight: 100 }] },
      200,
    )
    expect(people).toEqual([{ suId: 'x', times: 2, hours: 0, credit: 0, points: 0 }])
    expect([...abilities]).toEqual([
      ['a', { before: 240, after: 400 }],
      ['b', { before: 160, after: 0 }],
    ])
  })
  test('the same rule moves nobody', () => {
    const groups = fc.array(
      fc.record({
        suId: fc.constantFrom('x', 'y'),
        times: fc.integer({ min: 1, max: 5 }),
        mode: fc.constantFrom('1', '2'),
        hours: fc.nat(900),
      }),
    )
    fc.assert(
      fc.property(groups, (rows) => {
        const { people } = shiftsUnder(
          rows.map(({ suId, times, mode, hours }) => ({
            ...group(suId, times, { partakeMode: mode, declaredHours: hours }),
            isStandard: false,
          })),
          rule,
          200,
        )
        expect(people.every(({ hours, credit, points }) => hours === 0 && credit === 0 && points === 0)).toBe(true)
      }),
    )
  })
})

const draft = { baseHours: '9', credit: '0.2', points: '1', abilityRules: [] }

test('a change is checked on the completed courses and writes nothing', async () => {
  const world = await lessonWorld()
  const { school, esId } = world
  const students = await world.students(3)
  const liId = await world.published({ liHours: '2' })
  const open = await world.published({ liHours: '2' }, 72)
  const laIds = await world.enrol(liId, students)
  await world.enrol(open, students)
  await school.ctx.db
    .updateTable('registration')
    .set({ laResult: resultStatus.passed, laHours: 200 })
    .where('laId', 'in', laIds.slice(0, 2))
    .execute()
  await school.ctx.db.updateTable('lesson').set({ liStatus: lessonStatus.completed }).where('liId', '=', liId).execute()
  const before = await school.ctx.db.selectFrom('evaluation').selectAll().where('esId', '=', esId).execute()

  const answer = await school.admin.send(scoringApi.whatIf, { esId, rule: draft })
  expect(answer).toMatchObject({
    total: 2,
    lessons: 1,
    running: 1,
    times: 2,
    people: 2,
    changed: 2,
    up: 2,
    down: 0,
    change: { hours: '14', credit: '0', points: '0' },
    moduleName: '思想成长',
    minHours: '8',
    gain: 0,
    lose: 0,
    abilities: [
      { sqlName: '理想信念', before: '2.4', after: '0' },
      { sqlName: '家国情怀', before: '1.6', after: '0' },
    ],
  })
  expect(
    answer.records
      .map(({ suId, change, moduleBefore, moduleAfter }) => [suId, change.hours, moduleBefore, moduleAfter])
      .toSorted(),
  ).toEqual(
    students
      .slice(0, 2)
      .map(({ suId }) => [suId, '7', '0', '7'])
      .toSorted(),
  )
  const more = await school.admin.send(scoringApi.whatIf, { esId, rule: { ...draft, baseHours: '20' }, only: 'gain' })
  expect(more).toMatchObject({ total: 2, gain: 2 })
  expect(
    await school.admin.send(scoringApi.whatIf, { esId, rule: { ...draft, baseHours: '20' }, only: 'lose' }),
  ).toMatchObject({ total: 0 })
  expect(await school.ctx.db.selectFrom('evaluation').selectAll().where('esId', '=', esId).execute()).toEqual(before)

  const other = await newSchool()
  expect((await other.admin.ask(scoringApi.whatIf, { esId, rule: draft })).reason).toBe('not-found')
})

test('one participation is tried out with the arithmetic of every value', async () => {
  const school = await newSchool()
  const { entries } = await school.admin.send(scoringApi.tryOut, {
    rule: {
      ...draft,
      hourCap: '10',
      modeRules: [{ partakeMode: partakeMode.organiser, factor: '1.5' }],
      abilityRules: [{ sqlId: school.labels['理想信念']!, weight: 100 }],
    },
    esLessonLevel: '6',
    partakeMode: partakeMode.organiser,
    volunteer: '1',
  })
  expect(entries.map(({ name, value, text }) => [name, value, text])).toEqual([
    ['学时', '10', '基础 9 学时 × 组织者系数 1.5，超过上限，按 10 计 ＝ 10 学时（院（系）级）'],
    ['学分', '0.3', '基础 0.2 学分 × 组织者系数 1.5 ＝ 0.3 学分（院（系）级）'],
    ['积分', '1.2', '基础 1 积分 × 院（系）级系数 0.8 × 组织者系数 1.5 ＝ 1.2 积分（院（系）级）'],
    ['志愿时长', '10', '基础 9 学时 × 组织者系数 1.5，超过上限，按 10 计 ＝ 10 学时（院（系）级）'],
    ['理想信念', '10', '所获 10 学时按 100% 计入该能力 ＝ 10'],
  ])
  // an award counts for the abilities of its holder as it does in the ledger
  const [atId, adId] = [newId(), newId()]
  const stamp = { schoolId: school.schoolId, atId }
  await school.ctx.db
    .insertInto('awardTemplate')
    .values({ ...stamp, atName: '模板' })
    .execute()
  await school.ctx.db
    .insertInto('awardDetail')
    .values({ ...stamp, adId, adName: '二等奖', hours: 100, credit: 0, points: 0, abilityFactor: 150 })
    .execute()
  const awarded = await school.admin.send(scoringApi.tryOut, {
    rule: { ...draft, abilityRules: [{ sqlId: school.labels['理想信念']!, weight: 100 }] },
    esLessonLevel: '6',
    laResult: resultStatus.awarded,
    adId,
  })
  expect(awarded.entries.at(-1)).toMatchObject({
    value: '15',
    text: '所获 10 学时 × 二等奖能力系数 1.5，按 100% 计入该能力 ＝ 15',
  })
  expect((await school.admin.ask(scoringApi.tryOut, { rule: draft, esLessonLevel: 'x' })).errors).toEqual([
    { field: 'esLessonLevel', msg: '所选级别不存在，请重新选择' },
  ])
})

test('a version that is to hold later leaves the days until then to the one before', async () => {
  const world = await lessonWorld()
  const { school, esId } = world
  await world.published()
  const today = school.clock.now().slice(0, 10)
  const later = '2090-01-01'
  const saved = await school.admin.send(evaluationApi.edit, { esId, version: 0, baseHours: '3', effectFrom: later })
  expect(saved).toMatchObject({ newVersion: true, versionNo: 2 })
  expect((await school.admin.send(evaluationApi.query, { esId })).effectTo).toBe('2089-12-31')
  const liId = await world.published()
  const { esId: used } = await school.ctx.db
    .selectFrom('lesson')
    .select('esId')
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  expect([used, today < later]).toEqual([esId, true])
  // put off or brought forward, the one before goes with it
  await school.admin.send(evaluationApi.edit, {
    esId: saved.esId,
    version: 0,
    baseHours: '3',
    effectFrom: '2091-03-01',
  })
  expect((await school.admin.send(evaluationApi.query, { esId })).effectTo).toBe('2091-02-28')
  await school.admin.send(evaluationApi.edit, {
    esId: saved.esId,
    version: 1,
    baseHours: '3',
    effectFrom: '2088-03-01',
  })
  expect((await school.admin.send(evaluationApi.query, { esId })).effectTo).toBe('2088-02-29')
})
