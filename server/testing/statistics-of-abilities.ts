import { abilityStatApi } from '../../contract/statistics/ability-statistics.calls.ts'
import type { Asked } from './statistics-asked.ts'
import { grouped, inChinese, mean, part, ranks, sumOf, total, units } from './statistics-numbers.ts'
import type { Facts, Wanted } from './statistics-oracle.ts'
import type { Person } from './statistics-raw.ts'
import { within } from './statistics-spans.ts'

/** Hours of the courses completed in the period, by the weight that their own rule gives each label. */
function offered({ raw, courses }: Facts, sqlId: string, wanted: Wanted): number {
  const shares = courses.filter((l) => l.delFlag === '0' && ['70', '80'].includes(l.liStatus) && l.begun && within(l.startTime, wanted)).map((l) => {
    const rules = (raw.evaluation.find(({ esId }) => esId === l.esId)?.abilityRules ?? []) as { sqlId: string; weight: number }[]
    return l.liHours * sumOf(rules.filter((rule) => rule.sqlId === sqlId), ({ weight }) => weight)
  })
  return part(total(shares), 10_000)!
}

/** All calls about abilities for one selection. */
export async function abilities(asked: Asked, wanted: Wanted): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(abilityStatApi.colleges)
  if (!oracle) return
  const people = oracle.counted(oracle.students(wanted))
  const scores = new Map<string, number>()
  for (const { suId, occurTime, abilities: own } of facts.records) if (within(occurTime, wanted)) for (const [sqlId, value] of own) scores.set(`${suId} ${sqlId}`, (scores.get(`${suId} ${sqlId}`) ?? 0) + value)
  const scoreOf = ({ suId }: Person, sqlId: string) => scores.get(`${suId} ${sqlId}`) ?? 0
  const means = (among: readonly Person[]) => ({
    students: among.length, total: mean(sumOf(facts.labels, ({ sqlId }) => sumOf(among, (p) => scoreOf(p, sqlId))), among.length) ?? 0,
    labels: facts.labels.map(({ sqlId, sqlName }) => ({ sqlId, sqlName, score: mean(sumOf(among, (p) => scoreOf(p, sqlId)), among.length) ?? 0 })),
  })
  const colleges = [...grouped(people, (p) => p.suiCollegeId ?? '')].map(([collegeId, own]) => ({ collegeId, collegeName: facts.collegeName(collegeId, '未分学院'), name: facts.collegeName(collegeId, '未分学院'), ...means(own) })).toSorted(inChinese((row) => row.total))
  const places = ranks(colleges.map((row) => row.total))
  await asked.same(abilityStatApi.colleges, wanted, { records: colleges.map(({ name: _, ...row }, at) => ({ ...row, rank: places[at] })), total: colleges.length, school: means(people) })
  const grades = [...grouped(people, (p) => p.suiGrade ?? '')].map(([grade, own]) => ({ grade, ...means(own) })).toSorted((a, b) => a.grade.localeCompare(b.grade))
  await asked.same(abilityStatApi.grades, wanted, { records: grades, total: grades.length })
  // a page of one answer is cut from it
  await asked.same(abilityStatApi.grades, { ...wanted, current: 2, pageSize: 1 }, { records: grades.slice(1, 2), total: grades.length })
  await asked.same(abilityStatApi.labels, wanted, {
    total: facts.labels.length,
    records: facts.labels.map(({ sqlId, sqlName }) => {
      // nobody has less than nothing; the p-th share of all, those without a score too, has no more than the p-th percentile (nearest rank)
      const all = people.map((p) => Math.max(0, scoreOf(p, sqlId))).toSorted((a, b) => a - b)
      const percentile = (per: number) => units(all[Math.max(1, Math.ceil((per * all.length) / 100)) - 1] ?? 0)
      return { sqlId, sqlName, avg: mean(sumOf(people, (p) => scoreOf(p, sqlId)), people.length) ?? 0, max: units(all.at(-1) ?? 0), p25: percentile(25), p50: percentile(50), p75: percentile(75), offered: offered(facts, sqlId, wanted) }
    }),
  })
}
