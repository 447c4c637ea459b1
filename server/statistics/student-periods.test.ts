import { beforeAll, describe, expect, test } from 'vitest'
import { abilityStatApi } from '../../contract/statistics/ability-statistics.calls.ts'
import { creditBands, studentStatApi } from '../../contract/statistics/student-statistics.calls.ts'
import { addDays } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { termOf } from '../school/calendar.service.ts'
import type { Client } from '../testing/client.ts'
import { grouped, Oracle, part, readRaw, round, total, within, type RawSchool, type Sight, type Wanted } from '../testing/statistics-oracle.ts'
import { statisticsWorld, type StatisticsWorld } from '../testing/statistics-world.ts'
import { rebuildSchool, refreshSchool } from './refresh.service.ts'

/** What students earned in a period, of a node of the curriculum and of a level, and what is said of abilities beside it: against the same reckoned row by row. */

let world: StatisticsWorld
let raw: RawSchool
let now: string
let askers: { name: string; client: Client; sight: Sight }[]

beforeAll(async () => {
  world = await statisticsWorld(20261123, { students: 60, staff: 9, lessons: 140, supplements: 160, logins: 10 })
  const { school, colleges, classes } = world
  const [college, room] = [colleges[1]!, classes[0]!.scClassId]
  const none = () => false
  const everything: Sight = { student: () => true, staff: () => true, lesson: () => true, sup: () => true, circle: () => true }
  askers = [
    { name: '校级', client: school.admin, sight: everything },
    { name: '学院', client: (await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: college }])).client, sight: { ...everything, student: (p) => p.suiCollegeId === college, lesson: (l) => l.liCollegeId === college } },
    { name: '班级', client: (await school.person('COUNSELOR', [{ caType: 'class', caTarget: room }])).client, sight: { ...everything, student: (p) => p.scClassId === room, lesson: none } },
  ]
  await refreshSchool(school.ctx, school.schoolId)
  raw = await readRaw(school.ctx.db, school.schoolId)
  now = school.ctx.clock.now()
}, 60_000)

const day = (days: number) => addDays(now, days).slice(0, 10)
const span = (from: string, to: string) => ({ startTime: `${from} 00:00:00`, endTime: `${to} 23:59:59` })
/** Periods that are no term and no month, so that what they are compared with is as many days. */
const filters = (): Wanted[] => {
  const { school: { curriculum }, colleges } = world
  const node = Object.keys(curriculum).find((key) => key.startsWith('CXCY/'))!
  return [
    span(day(-200), day(-3)), { ...span(day(-300), day(-100)), collegeId: colleges[1]! }, { ...span(day(-90), day(30)), everybody: '1' }, { endTime: `${day(-150)} 23:59:59` }, { lsId: curriculum['CXCY']! }, { lsId: curriculum[node]!, llId: '5' },
    { ...span(day(-400), day(0)), lsId: curriculum['SXCL']!, grade: '2024' }, { llId: '3', startTime: `${day(-250)} 00:00:00` },
  ]
}

/** What each student of the filter has of what is wanted, from the ledger and the courses and supplements behind it. */
function reckoned(sight: Sight, wanted: Wanted, newSince?: string) {
  const oracle = new Oracle(raw, sight, now, 6400, newSince)
  const source = new Map([...raw.lesson.map((l) => [l.liId, { path: l.lsPath, level: l.liLevel }] as const), ...raw.supplement.map((s) => [s.lisId, { path: s.lsPath, level: s.lisLevel }] as const)])
  const of = (row: RawSchool['creditLedger'][number]) => (!wanted.lsId || source.get(row.bizId)!.path.includes(wanted.lsId)) && (!wanted.llId || source.get(row.bizId)!.level === wanted.llId)
  const records = grouped(oracle.records(of).filter(({ occurTime }) => within(occurTime, wanted)), ({ suId }) => suId)
  const people = oracle.students(wanted).map((p) => {
    const own = records.get(p.suId) ?? []
    return { ...p, hours: total(own.map((r) => r.hours)), credit: total(own.map((r) => r.credit)), activities: own.filter((r) => r.stands && r.kind === 'L').length, recorded: own.some((r) => r.stands && r.kind !== 'O') }
  })
  return { oracle, people, counted: oracle.counted(people) }
}

function figures(sight: Sight, wanted: Wanted, newSince?: string) {
  const { people, counted } = reckoned(sight, wanted, newSince)
  const recorded = people.filter((p) => p.recorded).length
  return {
    recorded, coverage: part(recorded, people.length, 100), avgHours: part(total(counted.map((p) => p.hours)) / 100, counted.length), avgActivities: part(total(counted.map((p) => p.activities)), counted.length), zero: people.filter((p) => p.hours <= 0).length,
  }
}

const figuresShown = ({ cards }: { cards: { key: string; value: number | null; prev: number | null; lastYear: number | null }[] }, of: 'value' | 'prev' | 'lastYear') =>
  Object.fromEntries(cards.filter(({ key }) => ['recorded', 'coverage', 'avgHours', 'avgActivities', 'zero'].includes(key)).map((card) => [card.key, card[of]]))

describe('students', () => {
  test('cards, means, bands, ranking and list tell what was earned in a period, of a node and of a level', async () => {
    let seen = 0
    for (const { name, client, sight } of askers) {
      for (const wanted of name === '校级' ? filters() : filters().slice(0, 5)) {
        const what = `${name} ${JSON.stringify(wanted)}`
        const { people } = reckoned(sight, wanted)
        seen += people.filter((p) => p.hours > 0).length
        expect(figuresShown(await client.send(studentStatApi.total, wanted), 'value'), what).toEqual(figures(sight, wanted))
        const places = grouped(people, (p) => `${p.suiCollegeId ?? ''} ${p.suiGrade ?? ''}`)
        for (const row of await client.send(studentStatApi.score, wanted)) {
          const own = places.get(`${row.collegeId} ${row.grade}`)!
          expect([row.students, row.avgHours, row.avgCredit], what).toEqual([own.length, part(total(own.map((p) => p.hours)) / 100, own.length), part(total(own.map((p) => p.credit)) / 100, own.length)])
        }
        for (const row of await client.send(studentStatApi.activity, wanted)) expect(row.score, what).toBe(part(total(places.get(`${row.collegeId} ${row.grade}`)!.map((p) => p.activities)), row.students))
        expect((await client.send(studentStatApi.ranking, wanted)).map((row) => row.total), what).toEqual(people.filter((p) => p.hours > 0).map((p) => round(p.hours / 100)).toSorted((a, b) => b - a).slice(0, 50))
        const list = await client.send(studentStatApi.detail, { ...wanted, sort: 'hours', order: 'desc', pageSize: 200 })
        expect(list.records.map((row) => [row.suiNumber, row.hours, row.credit, row.activities].join()).toSorted(), what).toEqual(people.map((p) => [p.suiNumber, p.hours / 100, p.credit / 100, p.activities].join()).toSorted())
        expect(list.records.map(({ hours }) => Number(hours)), what).toEqual(people.map((p) => p.hours / 100).toSorted((a, b) => b - a))
        for (const row of list.records) expect(round(total(row.modules.map(({ hours }) => Number(hours)))), what).toBe(Number(row.hours))
        for (const stage of ['recorded', 'none', 'zero'] as const) {
          const fits = people.filter((p) => (stage === 'zero' ? p.hours <= 0 : p.recorded === (stage === 'recorded')))
          expect((await client.send(studentStatApi.detail, { ...wanted, stage })).total, `${stage} ${what}`).toBe(fits.length)
        }
      }
    }
    expect(seen).toBeGreaterThan(100)
  }, 60_000)

  test('credits have a distribution of their own, and each band leads to its students', async () => {
    for (const wanted of [{}, ...filters().slice(0, 2)]) {
      const { people } = reckoned(askers[0]!.sight, wanted)
      const bands = (await world.school.admin.send(studentStatApi.credit, wanted)).filter(({ series }) => series === 'credit')
      expect(bands.map(({ key }) => key)).toEqual(creditBands.map(([key]) => key))
      expect(total(bands.map(({ count }) => count))).toBe(people.length)
      for (const [at, { key, count, avgHours, avgCredit }] of bands.entries()) {
        const own = people.filter((p) => (key === 'none' ? p.credit <= 0 : p.credit >= creditBands[at]![2] && (at === 0 || p.credit < creditBands[at - 1]![2])))
        expect([count, avgHours, avgCredit], key).toEqual([own.length, part(total(own.map((p) => p.hours)) / 100, own.length), part(total(own.map((p) => p.credit)) / 100, own.length)])
        expect((await world.school.admin.send(studentStatApi.detail, { ...wanted, creditBand: key as 'none' })).total).toBe(count)
      }
    }
  })

  test('a period is compared with the one before and that of the year before, a running one with as many days of them', async () => {
    const { sight, client } = askers[0]!
    const over = span(day(-60), day(-31))
    const answer = await client.send(studentStatApi.total, over)
    expect([answer.previous, answer.lastYear]).toMatchObject([{ ...span(day(-90), day(-61)), part: false }, { part: false }])
    expect(figuresShown(answer, 'prev')).toEqual(figures(sight, span(day(-90), day(-61))))
    expect(figuresShown(answer, 'lastYear')).toEqual(figures(sight, { startTime: answer.lastYear!.startTime, endTime: answer.lastYear!.endTime }))
    const running = await client.send(studentStatApi.total, span(day(-19), day(20)))
    expect(running.previous).toEqual({ ...span(day(-59), day(-40)), part: true })
    expect(figuresShown(running, 'prev')).toEqual(figures(sight, span(day(-59), day(-40))))
    expect(running.cards.filter(({ key }) => ['people', 'metRate', 'black'].includes(key)).map(({ prev }) => prev)).toEqual([null, null, null])
    expect((await client.send(studentStatApi.total, {})).cards.every(({ prev, lastYear }) => prev === null && lastYear === null)).toBe(true)
  })

  test('means of a period leave out who entered this term where the school says so', async () => {
    const { school } = world
    const say = async (averageWithoutNew: '0' | '1') => {
      await school.rules({ averageWithoutNew })
      await rebuildSchool(school.ctx, school.schoolId)
    }
    await say('1')
    const { tmStart } = await termOf(school.ctx, school.schoolId, now)
    for (const wanted of filters().slice(0, 3)) expect(figuresShown(await school.admin.send(studentStatApi.total, wanted), 'value')).toEqual(figures(askers[0]!.sight, wanted, tmStart.slice(0, 10)))
    await say('0')
  })
})

describe('abilities', () => {
  const placed = ({ lsId: _, llId: __, ...wanted }: Wanted): Wanted => wanted
  const scoresOf = (sight: Sight, wanted: Wanted) => {
    const oracle = new Oracle(raw, sight, now, 6400)
    const people = new Set(oracle.students(wanted).map(({ suId }) => suId))
    return { n: people.size, scores: oracle.abilities(people, wanted) }
  }
  const meansOf = (sight: Sight, wanted: Wanted) => {
    const { n, scores } = scoresOf(sight, wanted)
    return { n, mean: (sqlId: string) => part(total([...(scores.get(sqlId)?.values() ?? [])]) / 100, n) ?? 0 }
  }

  test('the whole area, the college and the grade stand beside whatever is filtered', async () => {
    const { colleges, classes } = world
    for (const { name, client, sight } of askers) {
      for (const wanted of [{}, { collegeId: colleges[1]! }, { collegeId: colleges[1]!, grade: '2024' }, { scClassId: classes[0]!.scClassId, grade: '2023' }, { ...span(day(-300), day(-10)), collegeId: colleges[1]!, everybody: '1' as const }] as Wanted[]) {
        const { beside } = await client.send(abilityStatApi.colleges, wanted)
        const { collegeId, grade, majorId: _, scClassId: __, ...always } = wanted
        const wants = { all: always, ...(collegeId && { college: { ...always, collegeId } }), ...(grade && { grade: { ...always, grade } }) } as Record<string, Wanted>
        const expected = Object.entries(wants).map(([key, own]) => [key, meansOf(sight, own)] as const).filter(([key, { n }]) => key === 'all' || n > 0)
        expect(beside.map(({ key, students }) => [key, students]), `${name} ${JSON.stringify(wanted)}`).toEqual(expected.map(([key, { n }]) => [key, n]))
        for (const [at, [, { mean }]] of expected.entries()) for (const { sqlId, score } of beside[at]!.labels) expect(score, `${name} ${JSON.stringify(wanted)}`).toBe(mean(sqlId))
      }
    }
  })

  test('cards tell means, who has a score, and the strongest and the weakest, with those of the periods before', async () => {
    for (const { name, client, sight } of askers) {
      for (const wanted of [{}, ...filters().slice(0, 4).map(placed)]) {
        const answer = await client.send(abilityStatApi.colleges, wanted)
        const card = (key: string) => answer.cards.find((one) => one.key === key)!
        const check = (of: 'value' | 'prev' | 'lastYear', own: Wanted) => {
          const { n, scores } = scoresOf(sight, own)
          const covered = new Set([...scores.values()].flatMap((each) => [...each].filter(([, score]) => score > 0).map(([suId]) => suId))).size
          expect([card('covered')[of], card('coverage')[of], card('total')[of]], `${name} ${of} ${JSON.stringify(wanted)}`).toEqual([covered, part(covered, n, 100), part(total([...scores.values()].flatMap((each) => [...each.values()])) / 100, n)])
        }
        check('value', wanted)
        if (answer.previous) check('prev', { ...wanted, ...span(answer.previous.startTime.slice(0, 10), answer.previous.endTime.slice(0, 10)) })
        if (answer.lastYear) check('lastYear', { ...wanted, ...span(answer.lastYear.startTime.slice(0, 10), answer.lastYear.endTime.slice(0, 10)) })
        if (answer.school.total > 0) expect([card('best').value, card('worst').value]).toEqual([Math.max(...answer.school.labels.map(({ score }) => score)), Math.min(...answer.school.labels.map(({ score }) => score))])
      }
    }
  })

  test('hours offered are those of courses in the area and of the chosen college', async () => {
    const { school: { ctx: { db }, schoolId, labels, curriculum }, lessons, colleges } = world
    const sqlId = Object.values(labels)[1]!
    const esId = newId()
    await db.insertInto('evaluation').values({ schoolId, esId, lsId: curriculum['CXCY']!, esLessonLevel: '5', baseHours: 100, effectFrom: '2020-01-01', abilityRules: JSON.stringify([{ sqlId, weight: 50 }]) }).execute()
    await db.updateTable('lesson').set({ esId }).where('liId', 'in', lessons).execute()
    const offered = async (client: Client, input: object) => (await client.send(abilityStatApi.labels, input)).records.find((row) => row.sqlId === sqlId)!.offered
    const expected = (sight: Sight, wanted: Wanted) =>
      round(total(raw.lesson.filter((l) => lessons.includes(l.liId) && l.delFlag === '0' && ['70', '80'].includes(l.liStatus) && l.startTime <= now && within(l.startTime, wanted) && sight.lesson(l) && (!wanted.collegeId || l.liCollegeId === wanted.collegeId)).map((l) => l.liHours / 2)) / 100)
    const all = expected(askers[0]!.sight, span(day(-450), day(-1)))
    expect(all).toBeGreaterThan(0)
    for (const { name, client, sight } of askers) for (const wanted of [span(day(-450), day(-1)), { ...span(day(-451), day(-1)), collegeId: colleges[1]! }, { ...span(day(-452), day(-1)), collegeId: colleges[0]! }]) expect(await offered(client, wanted), `${name} ${JSON.stringify(wanted)}`).toBe(expected(sight, wanted))
    expect(expected(askers[1]!.sight, span(day(-450), day(-1)))).toBeLessThan(all)
  })
})
