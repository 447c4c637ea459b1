import { expect } from 'vitest'
import { abilityStatApi } from '../../contract/statistics/ability-statistics.calls.ts'
import { lessonStatApi } from '../../contract/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../../contract/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../contract/statistics/student-statistics.calls.ts'
import { supStatApi } from '../../contract/statistics/sup-statistics.calls.ts'
import { teacherStatApi } from '../../contract/statistics/teacher-statistics.calls.ts'
import type { Client } from './client.ts'
import { grouped, part, round, total, type Oracle, type Wanted } from './statistics-oracle.ts'

/** Each domain's calls against the same figures reckoned row by row. `what` says who asks for what, for the message. */

const value = (cards: { key: string; value: number | null }[], key: string) => cards.find((card) => card.key === key)!.value
export const pick = <K extends keyof Wanted>(wanted: Wanted, ...keys: K[]) => Object.fromEntries(keys.filter((key) => wanted[key] !== undefined).map((key) => [key, wanted[key]])) as Pick<Wanted, K>
const sorted = <T>(rows: readonly T[]) => rows.map((row) => JSON.stringify(row)).toSorted()

export async function lessons(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const rows = oracle.published(wanted).map((l) => ({ ...l, ...oracle.outcome(l.liId) }))
  const held = rows.filter((l) => l.startTime <= oracle.now && !['90', '91', '92'].includes(l.liStatus))
  const sum = (of: (row: (typeof rows)[number]) => number, from = rows) => total(from.map(of))
  const info = await client.send(lessonStatApi.info, wanted)
  const stars = [0, 1, 2, 3, 4].map((at) => sum((l) => l.stars[at]!))
  expect(Object.fromEntries(info.cards.map(({ key, value: shown }) => [key, shown])), what).toEqual({
    count: rows.length, running: rows.filter((l) => ['30', '40', '41', '50', '60', '61'].includes(l.liStatus)).length, done: rows.filter((l) => ['70', '80'].includes(l.liStatus)).length, stopped: rows.filter((l) => ['90', '91', '92'].includes(l.liStatus)).length,
    applied: sum((l) => l.applied), signRate: part(sum((l) => l.signed, held), sum((l) => l.passed, held), 100), perLesson: part(sum((l) => l.signed, held), held.length), hours: round(sum((l) => l.hours) / 100),
    granted: sum((l) => l.granted), rating: part(total(stars.map((n, at) => n * (at + 1))), total(stars)), decideHours: part(sum((l) => l.seconds) / 3600, sum((l) => l.decided)), firstPass: part(rows.filter((l) => l.firstPass).length, rows.filter((l) => l.firstPass !== null).length, 100),
  })
  expect(info.funnel.map((step) => step.value), what).toEqual([rows.length, sum((l) => l.applied), sum((l) => l.passed), sum((l) => l.signed), sum((l) => l.qualified), sum((l) => l.granted)])
  expect([total(info.trend.map((point) => point.count)), total(info.trend.map((point) => point.times))], what).toEqual([rows.length, sum((l) => l.applied)])
  expect(sorted(info.modules.map(({ id, count, times, hours }) => [id, count, times, hours])), what).toEqual(sorted([...grouped(rows, (l) => l.lsPath[0]!)].map(([id, own]) => [id, own.length, sum((l) => l.applied, own), round(sum((l) => l.hours, own) / 100)])))
  expect(sorted(info.organisers.map(({ key, count, times }) => [key, count, times])), what).toEqual(sorted([...grouped(rows, (l) => (l.liCircleId ? 'circle' : l.liCollegeId ? 'college' : 'school'))].map(([key, own]) => [key, own.length, sum((l) => l.applied, own)])))
  const colleges = await client.send(lessonStatApi.colleges, wanted)
  expect(sorted(colleges.map(({ id, count, times, levels }) => [id, count, times, sorted(levels.map((one) => [one.llId, one.count]))])), what).toEqual(
    sorted([...grouped(rows, (l) => l.liCollegeId ?? '')].map(([id, own]) => [id, own.length, sum((l) => l.applied, own), sorted([...grouped(own, (l) => l.liLevel)].map(([llId, these]) => [llId, these.length]))])))
  expect(await client.send(lessonStatApi.evaluate, wanted), what).toMatchObject({ dist: stars, times: total(stars) })
  expect(sorted((await client.send(lessonStatApi.level, wanted)).map(({ llId, count }) => [llId, count])), what).toEqual(sorted([...grouped(rows, (l) => l.liLevel)].map(([llId, own]) => [llId, own.length])))
  const most = { sessions: Math.max(1, ...held.map((l) => l.sessions)), signed: Math.max(1, ...held.map((l) => l.signed)) }
  const scores = held.map((l) => 30 * (l.sessions / most.sessions) + 40 * (l.signed / most.signed) + (l.passed === 0 ? 0 : 20 * (l.signed / l.passed)) + (total(l.stars) === 0 ? 0 : (2 * total(l.stars.map((n, at) => n * (at + 1)))) / total(l.stars)))
  const lively = (await client.send(lessonStatApi.activityScore, wanted)).map((one) => one.score)
  scores.toSorted((a, b) => b - a).slice(0, 50).forEach((score, at) => expect(lively[at], what).toBeCloseTo(score, 1))
  expect(lively, what).toHaveLength(Math.min(50, held.length))
  const byCollege = [...grouped(held, (l) => l.liCollegeId ?? '')]
  const largest = { count: Math.max(1, ...byCollege.map(([, own]) => own.length)), signed: Math.max(1, ...byCollege.map(([, own]) => sum((l) => l.signed, own))) }
  for (const { id, score } of colleges) {
    const own = held.filter((l) => (l.liCollegeId ?? '') === id)
    const [signed, passed, given] = [sum((l) => l.signed, own), sum((l) => l.passed, own), total(own.map((l) => total(l.stars)))]
    expect(score, what).toBeCloseTo(30 * (own.length / largest.count) + 40 * (signed / largest.signed) + (passed === 0 ? 0 : 20 * (signed / passed)) + (given === 0 ? 0 : (2 * total(own.map((l) => total(l.stars.map((n, at) => n * (at + 1)))))) / given), 1)
  }
  for (const stage of [undefined, 'running', 'done', 'stopped'] as const) expect((await client.send(lessonStatApi.detail, { ...wanted, ...(stage && { stage }) })).total, what).toBe(stage ? value(info.cards, stage) : rows.length)
}

export async function sups(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const rows = oracle.sups(wanted)
  const at = (...list: string[]) => rows.filter((s) => list.includes(s.lisStatus))
  const ended = oracle.raw.approval.filter((a) => a.bizType === 'supplement' && ['1', '2'].includes(a.insStatus) && rows.some((s) => s.lisId === a.bizId))
  const info = await client.send(supStatApi.info, wanted)
  const hours = (list: typeof rows) => round(total(list.filter((s) => s.lisStatus === '6').map((s) => s.lisHours)) / 100)
  expect(Object.fromEntries(info.cards.map(({ key, value: shown }) => [key, shown])), what).toEqual({
    apply: rows.length, pass: at('2', '5', '6').length, refuse: at('3').length, pending: at('1').length, publicty: at('5').length, hours: hours(rows), passRate: part(at('2', '5', '6').length, at('2', '3', '5', '6').length, 100),
    decideHours: part(total(ended.map((a) => (Date.parse(a.endTime!) - Date.parse(a.startTime)) / 1000)) / 3600, ended.length),
    twice: total([...grouped(rows, (s) => JSON.stringify([s.suId, s.lisName, s.lisLevel, s.lisAward])).values()].map((own) => (own.length > 1 ? own.length : 0))),
  })
  const parts = (by: (row: (typeof rows)[number]) => string) => sorted([...grouped(rows, by)].map(([id, own]) => [id, own.length, hours(own)]))
  const shown = (list: { id: string; count: number; hours: number }[]) => sorted(list.map((one) => [one.id, one.count, one.hours]))
  expect(shown(info.types), what).toEqual(parts((s) => s.lisType))
  expect(shown(await client.send(supStatApi.classes, wanted)), what).toEqual(parts((s) => s.lsPath[0]!))
  expect(shown(await client.send(supStatApi.levels, wanted)), what).toEqual(parts((s) => s.lisLevel))
  const months = await client.send(supStatApi.months, wanted)
  expect(months.filter(({ apply }) => apply > 0).map(({ month, apply, pass }) => [month, apply, pass]), what).toEqual([...grouped(rows, (s) => s.createTime.slice(0, 7))].map(([month, own]) => [month, own.length, own.filter((s) => ['2', '5', '6'].includes(s.lisStatus)).length]).toSorted())
  expect(sorted(info.reasons.map(({ reason, count }) => [reason, count])), what).toEqual(sorted([...grouped(at('3').filter((s) => s.refuseReason !== ''), (s) => s.refuseReason)].map(([reason, own]) => [reason, own.length])))
  for (const stage of ['pass', 'pending', 'publicty'] as const) expect((await client.send(supStatApi.detail, { ...wanted, stage })).total, what).toBe(info[stage])
  if (wanted.lsId || wanted.llId || what.startsWith('模块')) return
  const people = new Map(oracle.students(wanted).map((p) => [p.suId, p.suiCollegeId ?? '']))
  const earned = oracle.records().filter((r) => people.has(r.suId) && (!wanted.startTime || r.occurTime >= wanted.startTime) && (!wanted.endTime || r.occurTime <= wanted.endTime))
  for (const college of info.colleges) {
    const own = earned.filter((r) => people.get(r.suId) === college.id)
    expect([college.hours, college.total], what).toEqual([round(total(own.filter((r) => r.kind === 'S').map((r) => r.hours)) / 100), round(total(own.map((r) => r.hours)) / 100)])
  }
}

export async function abilities(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const people = oracle.counted(oracle.students(wanted))
  const scores = oracle.abilities(new Set(people.map(({ suId }) => suId)), wanted)
  const mean = (sqlId: string, among: typeof people) => part(total(among.map(({ suId }) => scores.get(sqlId)?.get(suId) ?? 0)) / 100, among.length) ?? 0
  const colleges = await client.send(abilityStatApi.colleges, wanted)
  for (const { labels, students: n } of [colleges.school]) for (const { sqlId, score } of labels) expect([n, score], what).toEqual([people.length, mean(sqlId, people)])
  const groups = grouped(people, (p) => p.suiCollegeId ?? '')
  expect(sorted(colleges.records.map(({ collegeId, students: n }) => [collegeId, n])), what).toEqual(sorted([...groups].map(([id, own]) => [id, own.length])))
  for (const { collegeId, labels } of colleges.records) for (const { sqlId, score } of labels) expect(score, what).toBe(mean(sqlId, groups.get(collegeId)!))
  const grades = grouped(people, (p) => p.suiGrade ?? '')
  for (const { grade, labels, students: n } of (await client.send(abilityStatApi.grades, wanted)).records) {
    expect(n, what).toBe(grades.get(grade)!.length)
    for (const { sqlId, score } of labels) expect(score, what).toBe(mean(sqlId, grades.get(grade)!))
  }
  for (const { sqlId, avg, max, p25, p50, p75 } of (await client.send(abilityStatApi.labels, wanted)).records) {
    const all = people.map(({ suId }) => Math.max(0, scores.get(sqlId)?.get(suId) ?? 0)).toSorted((a, b) => a - b)
    const at = (share: number) => (all[Math.max(1, Math.ceil(share * all.length)) - 1] ?? 0) / 100
    expect([avg, max, p25, p50, p75], what).toEqual([mean(sqlId, people), (all.at(-1) ?? 0) / 100, at(0.25), at(0.5), at(0.75)])
  }
}

export async function students(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const records = grouped(oracle.records(), ({ suId }) => suId)
  const people = oracle.students(wanted).map((p) => {
    const own = records.get(p.suId) ?? []
    const standing = own.filter(({ stands, kind }) => stands && kind !== 'O')
    return { ...p, hours: total(own.map((r) => r.hours)), credit: total(own.map((r) => r.credit)), activities: own.filter((r) => r.stands && r.kind === 'L').length, recorded: standing.length > 0, met: oracle.met(own) }
  })
  const n = people.length
  const counted = oracle.counted(people)
  const sum = (key: 'hours' | 'credit' | 'activities', from = people) => total(from.map((p) => p[key]))
  const { cards } = await client.send(studentStatApi.total, wanted)
  expect(Object.fromEntries(cards.map(({ key, value: shown }) => [key, shown])), what).toEqual({
    people: n, recorded: people.filter((p) => p.recorded).length, coverage: part(people.filter((p) => p.recorded).length, n, 100), avgHours: part(sum('hours', counted) / 100, counted.length), avgActivities: part(sum('activities', counted), counted.length), metRate: part(people.filter((p) => p.met).length, n, 100),
    zero: people.filter((p) => p.hours <= 0).length, black: people.filter((p) => p.blackUntil !== null && p.blackUntil > oracle.now).length,
  })
  const groups = grouped(counted, (p) => `${p.suiCollegeId ?? ''} ${p.suiGrade ?? ''}`)
  expect(sorted((await client.send(studentStatApi.score, wanted)).map((row) => [`${row.collegeId} ${row.grade}`, row.students, row.avgHours, row.avgCredit])), what).toEqual(sorted([...groups].map(([id, own]) => [id, own.length, part(sum('hours', own) / 100, own.length), part(sum('credit', own) / 100, own.length)])))
  expect(sorted((await client.send(studentStatApi.activity, wanted)).map((row) => [`${row.collegeId} ${row.grade}`, row.score])), what).toEqual(sorted([...groups].map(([id, own]) => [id, part(sum('activities', own), own.length)])))
  const band = (value: number) => (value >= 100 ? '100' : value >= 90 ? '90' : value >= 80 ? '80' : value >= 60 ? '60' : '0')
  for (const { key, count, avgHours } of (await client.send(studentStatApi.credit, wanted)).filter(({ series }) => series === 'credibility')) {
    const [own, meant] = [people, counted].map((from) => from.filter((p) => band(p.suiCredibility) === key))
    expect([count, avgHours], what).toEqual([own!.length, part(sum('hours', meant!) / 100, meant!.length)])
  }
  expect(sorted((await client.send(studentStatApi.gradeSex, wanted)).map((row) => [row.grade, row.male, row.female, row.unknown])), what).toEqual(
    sorted([...grouped(people, (p) => p.suiGrade ?? '')].map(([grade, own]) => [grade, own.filter((p) => p.suiSex === '1').length, own.filter((p) => p.suiSex === '2').length, own.filter((p) => !['1', '2'].includes(p.suiSex)).length])))
  expect((await client.send(studentStatApi.ranking, wanted)).map((row) => row.total), what).toEqual(people.filter((p) => p.hours > 0).map((p) => round(p.hours / 100)).toSorted((a, b) => b - a).slice(0, 50))
  expect(sorted((await client.send(studentStatApi.sex, wanted)).map((row) => [row.key, row.value, row.avgHours])), what).toEqual(sorted([...grouped(people, (p) => p.suiSex)].map(([key, own]) => [key, own.length, part(sum('hours', oracle.counted(own)) / 100, oracle.counted(own).length)])))
  const outlook = await client.send(studentStatApi.political, wanted)
  for (const { key, value: shown, avgHours } of outlook.filter((row) => row.key !== 'other')) {
    const own = people.filter((p) => (p.suiPolitical ?? '') === key)
    const meant = oracle.counted(own)
    expect([shown, avgHours], what).toEqual([own.length, meant.length < 5 ? null : part(sum('hours', meant) / 100, meant.length)])
    expect(shown!, what).toBeGreaterThanOrEqual(5)
  }
  const other = outlook.find((row) => row.key === 'other')
  if (other) expect(other.value === null || other.value >= 5, what).toBe(true)
  if (other?.value !== null) expect(total(outlook.map((row) => row.value ?? 0)), what).toBe(n)
  expect((await client.send(studentStatApi.detail, { ...wanted, stage: 'zero' })).total, what).toBe(people.filter((p) => p.hours <= 0).length)
  expect((await client.send(studentStatApi.detail, { ...wanted, stage: 'met' })).total, what).toBe(people.filter((p) => p.met).length)
}

export async function logins(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  for (const tab of ['1', '2', '3'] as const) {
    const people = [...(tab === '2' ? [] : oracle.students(wanted)), ...(tab === '1' ? [] : oracle.staff(wanted))]
    const span = { ...wanted, endTime: wanted.endTime ?? oracle.now }
    const rows = oracle.logins(new Set(people.map(({ suId }) => suId)), span)
    const came = new Set(rows.map(({ suId }) => suId))
    const ever = new Set(oracle.logins(new Set(people.map(({ suId }) => suId)), {}).map(({ suId }) => suId))
    const answer = await client.send(loginStatApi.college, { ...wanted, tab })
    expect([value(answer.cards, 'people'), value(answer.cards, 'times'), value(answer.cards, 'never')], what).toEqual([came.size, total(rows.map(({ times }) => times)), people.length - ever.size])
    const bars = (by: (p: (typeof people)[number]) => string) => sorted([...grouped(people, by)].map(([id, own]) => [id, own.filter(({ suId }) => came.has(suId)).length, total(rows.filter(({ suId }) => own.some((p) => p.suId === suId)).map(({ times }) => times)), own.length]))
    const shown = (list: { id: string; people: number; times: number; total: number }[]) => sorted(list.map((one) => [one.id, one.people, one.times, one.total]))
    expect(shown(answer.rows), what).toEqual(bars((p) => p.suiCollegeId ?? ''))
    expect(shown((await client.send(loginStatApi.grade, { ...wanted, tab })).rows), what).toEqual(bars((p) => (p.suiType === '1' ? (p.suiGrade ?? '') : '')))
    expect([total(answer.trend.map((point) => point.times)), total(answer.heat.flat())], what).toEqual([total(rows.map(({ times }) => times)), total(rows.map(({ times }) => times))])
    for (const { date, people: n } of answer.trend) expect(n, `${what} ${date}`).toBe(new Set(rows.filter(({ logDay }) => logDay.startsWith(date)).map(({ suId }) => suId)).size)
    expect((await client.send(loginStatApi.detail, { ...wanted, tab })).total, what).toBe(came.size)
    expect((await client.send(loginStatApi.detail, { ...wanted, tab, loginState: '0' })).total, what).toBe(people.length - ever.size)
  }
}

export async function teachers(client: Client, oracle: Oracle, wanted: Wanted, what: string) {
  const people = oracle.staff({ ...pick(wanted, 'collegeId') })
  const known = new Set(people.map(({ suId }) => suId))
  const guided = oracle.raw.lesson.filter((l) => l.delFlag === '0' && !['0', '10', '11', '20', '90', '91', '92'].includes(l.liStatus) && (!wanted.startTime || l.startTime >= wanted.startTime) && (!wanted.endTime || l.startTime <= wanted.endTime) && (!wanted.lsId || l.lsPath.includes(wanted.lsId)) && (!wanted.llId || l.liLevel === wanted.llId))
    .flatMap((l) => [...new Set([l.liPrincipalId, ...oracle.raw.lessonPerson.filter((x) => x.liId === l.liId && x.lpRole === 'teacher').map(({ suId }) => suId)])].filter((suId) => known.has(suId)).map((suId) => ({ suId, ...l, ...oracle.outcome(l.liId) })))
  const { cards } = await client.send(teacherStatApi.total, wanted)
  const guides = new Set(guided.map(({ suId }) => suId)).size
  const stars = total(guided.map((l) => total(l.stars.map((n, at) => n * (at + 1)))))
  expect(Object.fromEntries(cards.map(({ key, value: shown }) => [key, shown])), what).toEqual({
    people: guides, rate: part(guides, people.length, 100), perTeacher: part(guided.length, guides), hours: round(total(guided.map((l) => l.liHours)) / 100), times: total(guided.map((l) => l.signed)), rating: part(stars, total(guided.map((l) => total(l.stars)))),
  })
  expect((await client.send(teacherStatApi.activities, wanted)).map(({ num }) => num), what).toEqual([...grouped(guided, ({ suId }) => suId).values()].map((own) => own.length).toSorted((a, b) => b - a).slice(0, 20))
  expect(total((await client.send(teacherStatApi.colleges, wanted)).map(({ num }) => num)), what).toBe(guided.length)
  expect((await client.send(teacherStatApi.lessons, wanted)).total, what).toBe(guided.length)
  expect((await client.send(teacherStatApi.detail, { ...wanted, guides: '1' })).total, what).toBe(guides)
}
