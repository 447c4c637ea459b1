import { expect } from 'vitest'
import { circleStages, circleSizes, circleStatApi, idleDays } from '../../contract/statistics/circle-statistics.calls.ts'
import { addDays, addMinutes } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { bulkInsert } from '../demo/bulk.ts'
import { chance } from '../demo/random.ts'
import type { Client } from './client.ts'
import { unique } from './school.ts'
import { grouped, part, total, within, type Oracle, type RawSchool, type Wanted } from './statistics-oracle.ts'
import type { StatisticsWorld } from './statistics-world.ts'

/** Circles of every standing with members that came and left, and a share of the courses that are there. */
export async function addCircles({ school, colleges, students, staff, lessons }: StatisticsWorld, seed: number, count = 9): Promise<{ circles: string[]; classes: string[]; sdId: string }> {
  const { ctx: { db, clock }, schoolId } = school
  const luck = chance(seed)
  const now = clock.now()
  const ago = (days: number) => addMinutes(addDays(now, -luck.whole(0, days)), -luck.whole(0, 1400))
  const classes = (await db.selectFrom('circleClass').select('ccId').where('schoolId', '=', schoolId).orderBy('ccSort').limit(3).execute()).map(({ ccId }) => ccId)
  const sdId = await school.department()
  const circles = Array.from({ length: count }, (_, at) => ({
    schoolId, ciId: newId(), ciNo: `Q${at}`, ciName: `圈子${unique()}`, ciClass: luck.one(classes), ciLevel: luck.one(['1', '2']), ciCollegeId: luck.odds(0.7) ? luck.one(colleges) : null, guideUnitId: luck.odds(0.4) ? sdId : null, cpiPersonId: luck.one(students), foundDate: luck.odds(0.8) ? ago(500).slice(0, 10) : null,
    ciStatus: luck.one(['1', '1', '1', '0', '2', '9']), ciAuthStatus: luck.odds(0.9) ? '1' : '0', delFlag: luck.odds(0.08) ? '1' : '0', createTime: ago(500), updateTime: ago(100),
  }))
  await bulkInsert(db, 'circle', circles.map((row) => ({ ...row })))
  await bulkInsert(db, 'circleTeacher', circles.flatMap(({ ciId }) => luck.some(staff, luck.whole(0, 2)).map((suId) => ({ schoolId, ciId, suId }))))
  await bulkInsert(db, 'circleMember', circles.flatMap(({ ciId }) => luck.some(students, luck.whole(1, 30)).map((suId) => {
    const joinTime = ago(500)
    return { schoolId, cpiId: newId(), ciId, suId, cmRole: '5', joinTime, quitTime: luck.odds(0.25) ? addDays(joinTime, luck.whole(1, 300)) : null }
  })))
  await bulkInsert(db, 'circleApply', circles.filter(({ ciStatus }) => ciStatus === '9' && luck.odds(0.7)).map(({ ciId, cpiPersonId }) => ({ schoolId, caId: newId(), caType: '5', ciId, cpiPersonId, ciAuthStatus: '1', applyReason: '', applyName: '', auditTime: ago(300) })))
  const reviewed = circles.filter(() => luck.odds(0.5))
  await bulkInsert(db, 'circleReview', reviewed.flatMap(({ ciId }) => [2025, 2026].map((crYear) => ({ schoolId, ciId, crYear, crResult: luck.one(['1', '2', '3']), caId: newId() }))))
  for (const liId of luck.some(lessons, Math.round(lessons.length * 0.7))) await db.updateTable('lesson').set({ liCircleId: luck.one(circles).ciId }).where('schoolId', '=', schoolId).where('liId', '=', liId).execute()
  return { circles: circles.map(({ ciId }) => ciId), classes, sdId }
}

type Circle = RawSchool['circle'][number]
type Course = RawSchool['lesson'][number]
const sorted = <T>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row)).toSorted()
const starsOf = (counts: number[]) => total(counts.map((n, at) => n * (at + 1)))

/** Every call of the circles' statistics against the same figures reckoned row by row. */
export async function circles(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const { raw, now, sight } = oracle
  const at = wanted.endTime && wanted.endTime < now ? wanted.endTime : now
  const since = (c: Circle) => c.foundDate ?? c.createTime.slice(0, 10)
  const closed = (c: Circle) => (c.ciStatus === '9' ? (raw.circleApply.filter((a) => a.ciId === c.ciId && a.caType === '5' && a.ciAuthStatus === '1').map((a) => a.auditTime!).toSorted().at(-1) ?? c.updateTime) : null)
  const stands = (l: Course) => l.delFlag === '0' && l.publishTime !== null && !['0', '10', '11', '20', '90', '91', '92'].includes(l.liStatus)
  const kind = (c: Circle) => c.delFlag === '0' && c.ciAuthStatus === '1' && (!wanted.ciClass || c.ciClass === wanted.ciClass) && (!wanted.ciLevel || c.ciLevel === wanted.ciLevel)
  const belong = (c: Circle, moment: string) => raw.circleMember.filter((m) => m.ciId === c.ciId && m.joinTime <= moment && (m.quitTime === null || m.quitTime > moment))
  const rows = raw.circle.filter((c) => kind(c) && sight.circle(c) && (!wanted.collegeId || c.ciCollegeId === wanted.collegeId) && since(c) <= at.slice(0, 10) && (!wanted.startTime || !closed(c) || closed(c)! >= wanted.startTime)).map((c) => {
    const isOpen = closed(c) === null || closed(c)! > at
    const courses = raw.lesson.filter((l) => l.liCircleId === c.ciId && stands(l) && within(l.publishTime!, wanted) && (!wanted.lsId || l.lsPath.includes(wanted.lsId)) && (!wanted.llId || l.liLevel === wanted.llId)).map((l) => {
      const members = belong(c, l.startTime).map(({ suId }) => suId)
      const came = new Set(raw.registration.filter((r) => r.liId === l.liId && r.delFlag === '0' && r.laStatus === '1' && ['1', '2', '3', '4', '7'].includes(r.laSignStatus)).map(({ suId }) => suId))
      return { ...l, ...oracle.outcome(l.liId), members: members.length, membersSigned: members.filter((suId) => came.has(suId)).length }
    })
    const begun = courses.filter((l) => l.startTime <= now)
    const last = raw.lesson.filter((l) => l.liCircleId === c.ciId && stands(l) && l.startTime <= now).map((l) => l.startTime).toSorted().at(-1) ?? null
    return { ...c, isOpen, courses, begun, last, people: isOpen ? belong(c, at).map(({ suId }) => suId) : [], isIdle: c.ciStatus === '1' && since(c) <= addDays(now, -idleDays).slice(0, 10) && (last === null || last <= addDays(now, -idleDays)) }
  })
  type Row = (typeof rows)[number]
  const of = (list: readonly Row['courses'][number][], key: 'signed' | 'passed' | 'members' | 'membersSigned') => total(list.map((l) => l[key]))
  const lessons = rows.flatMap((c) => c.courses)
  const persons = rows.flatMap((c) => c.people)
  const area = oracle.students(wanted.collegeId ? { collegeId: wanted.collegeId } : {})
  const joined = new Set(raw.circle.filter((c) => kind(c) && c.ciStatus !== '9').flatMap((c) => raw.circleMember.filter((m) => m.ciId === c.ciId && m.quitTime === null).map(({ suId }) => suId)))
  const inStage: Record<(typeof circleStages)[number][0], (c: Row) => boolean> = {
    active: (c) => c.ciStatus === '1', disabled: (c) => c.ciStatus === '0', mending: (c) => c.ciStatus === '2', idle: (c) => c.isIdle, closed: (c) => closed(c) !== null && within(closed(c)!, wanted), guided: (c) => c.ciStatus !== '9' && raw.circleTeacher.some(({ ciId }) => ciId === c.ciId),
    added: (c) => (!wanted.startTime || since(c) >= wanted.startTime.slice(0, 10)) && (!wanted.endTime || since(c) <= wanted.endTime.slice(0, 10)),
  }
  const { cards } = await client.send(circleStatApi.total, wanted)
  expect(Object.fromEntries(cards.map(({ key, value }) => [key, value])), what).toEqual({
    ...Object.fromEntries(circleStages.filter(([key]) => key !== 'mending' && key !== 'guided').map(([key]) => [key, rows.filter(inStage[key]).length])), count: rows.length, lessons: lessons.length, perCircle: part(lessons.length, rows.length), members: persons.length, persons: new Set(persons).size,
    joinRate: part(area.filter(({ suId }) => joined.has(suId)).length, area.length, 100), teachers: new Set(raw.circleTeacher.filter(({ ciId }) => rows.some((c) => c.ciId === ciId && c.ciStatus !== '9')).map(({ suId }) => suId)).size,
  })
  const groups = (by: (c: Row) => string) => sorted([...grouped(rows, by)].map(([id, own]) => [id, own.length, total(own.map((c) => c.courses.length)), total(own.map((c) => of(c.courses, 'signed')))]))
  expect(sorted((await client.send(circleStatApi.classes, wanted)).map((one) => [one.ccId, one.circles, one.num, one.people])), what).toEqual(groups((c) => c.ciClass))
  expect(sorted((await client.send(circleStatApi.colleges, wanted)).map((one) => [one.id, one.circles, one.num, one.people])), what).toEqual(groups((c) => c.ciCollegeId ?? ''))
  const band = (n: number) => circleSizes.find(([, , from]) => n >= from)![0]
  const open = rows.filter((c) => c.isOpen)
  const bands = (by: (c: Row) => string) => [...grouped(open, by)].map(([id, own]) => [id, own.length, total(own.map((c) => c.people.length))])
  expect(sorted((await client.send(circleStatApi.members, wanted)).map((one) => [one.id, one.circles, one.num])), what).toEqual(sorted([...bands((c) => c.ciClass), ...bands((c) => band(c.people.length))]))
  expect((await client.send(circleStatApi.releases, wanted)).map(({ num }) => num), what).toEqual(rows.map((c) => c.courses.length).filter((n) => n > 0).toSorted((a, b) => b - a).slice(0, 20))

  const lively = rows.filter((c) => c.begun.length > 0)
  const most = { count: Math.max(1, ...lively.map((c) => c.begun.length)), signed: Math.max(1, ...lively.map((c) => of(c.begun, 'signed'))) }
  const over = (a: number, b: number) => (b === 0 ? 0 : a / b)
  const scores = new Map(lively.map((c) => [c.ciId, 30 * (c.begun.length / most.count) + 30 * (of(c.begun, 'signed') / most.signed) + 20 * over(of(c.begun, 'signed'), of(c.begun, 'passed')) + 2 * over(total(c.begun.map((l) => starsOf(l.stars))), total(c.begun.map((l) => total(l.stars)))) + 10 * over(of(c.begun, 'membersSigned'), of(c.begun, 'members'))]))
  const ranking = await client.send(circleStatApi.ranking, wanted)
  expect(ranking, what).toHaveLength(scores.size)
  for (const { ciId, score, parts } of ranking) {
    expect(score, what).toBeCloseTo(scores.get(ciId)!, 1)
    expect(total(Object.values(parts)), what).toBeCloseTo(score, 1)
  }
  expect(ranking.map(({ score }) => score), what).toEqual(ranking.map(({ score }) => score).toSorted((a, b) => b - a))

  const page = await client.send(circleStatApi.detail, { ...wanted, pageSize: 200 })
  expect(sorted(page.records.map((one) => [one.ciId, one.members, one.lessons, one.people, one.signRate, one.memberRate, one.rating, one.crYear, one.lastTime, one.isIdle])), what).toEqual(sorted(rows.map((c) => [
    c.ciId, c.people.length, c.courses.length, of(c.courses, 'signed'), part(of(c.begun, 'signed'), of(c.begun, 'passed'), 100), part(of(c.begun, 'membersSigned'), of(c.begun, 'members'), 100), part(total(c.courses.map((l) => starsOf(l.stars))), total(c.courses.map((l) => total(l.stars)))),
    raw.circleReview.filter((r) => r.ciId === c.ciId).map((r) => r.crYear).toSorted().at(-1) ?? null, c.last, c.isIdle,
  ])))
  for (const [stage] of circleStages) expect((await client.send(circleStatApi.detail, { ...wanted, stage })).total, `${what} ${stage}`).toBe(rows.filter(inStage[stage]).length)
  for (const [size] of circleSizes) expect((await client.send(circleStatApi.detail, { ...wanted, size })).total, `${what} ${size}`).toBe(open.filter((c) => band(c.people.length) === size).length)
  const held = await client.send(circleStatApi.lessons, { ...wanted, pageSize: 200 })
  expect([held.total, total(held.records.map((l) => l.members)), total(held.records.map((l) => l.membersSigned))], what).toEqual([lessons.length, of(lessons, 'members'), of(lessons, 'membersSigned')])
  const first = rows.find((c) => c.courses.length > 0)
  if (first) expect((await client.send(circleStatApi.lessons, { ...wanted, ciId: first.ciId })).total, what).toBe(first.courses.length)
}
