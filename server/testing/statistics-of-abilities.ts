import { isOneOf } from '../../contract/core/codes/code-list.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../contract/core/codes/programme.ts'
import { abilityStatApi } from '../../contract/outcomes/statistics/ability-statistics.calls.ts'
import type { CallInput } from './statistics-asked.ts'
import { grouped, inChinese, mean, part, ranks, share, sumOf, total, units } from './statistics-numbers.ts'
import type { Oracle, Wanted } from './statistics-oracle.ts'
import type { Person } from './statistics-raw.ts'
import { within } from './statistics-spans.ts'

/**
 * Hours of the courses completed in the period, of the own area and of the chosen college, by the weight that their own
 * rule gives each label.
 */
function offered({ facts: { raw, courses }, sees }: Oracle, sqlId: string, wanted: Wanted): number {
  const own = courses.filter(
    (l) =>
      (!wanted.collegeId || l.liCollegeId === wanted.collegeId) &&
      sees({ college: l.liCollegeId, department: l.liDepartmentId, path: l.lsPath }),
  )
  const shares = own
    .filter(
      (l) =>
        l.delFlag === yesNo.no &&
        isOneOf(l.liStatus, lessonStatus.completed, lessonStatus.archived) &&
        l.begun &&
        within(l.startTime, wanted),
    )
    .map((l) => {
      const rules = (raw.evaluation.find(({ esId }) => esId === l.esId)?.abilityRules ?? []) as {
        sqlId: string
        weight: number
      }[]
      return (
        l.liHours *
        sumOf(
          rules.filter((rule) => rule.sqlId === sqlId),
          ({ weight }) => weight,
        )
      )
    })
  return part(total(shares), 10_000)!
}

/** All calls about abilities for one selection. */
export async function abilities(asked: CallInput, wanted: Wanted): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(abilityStatApi.colleges)
  if (!oracle) return
  const people = oracle.counted(oracle.students(wanted))
  const scoresIn = (span: Wanted) => {
    const scores = new Map<string, number>()
    for (const { suId, occurTime, abilities: own } of facts.records)
      if (within(occurTime, span))
        for (const [sqlId, value] of own) scores.set(`${suId} ${sqlId}`, (scores.get(`${suId} ${sqlId}`) ?? 0) + value)
    return ({ suId }: Person, sqlId: string) => scores.get(`${suId} ${sqlId}`) ?? 0
  }
  const scoreOf = scoresIn(wanted)
  const means = (among: readonly Person[], scoreOf_ = scoreOf) => ({
    students: among.length,
    total:
      mean(
        sumOf(facts.labels, ({ sqlId }) => sumOf(among, (p) => scoreOf_(p, sqlId))),
        among.length,
      ) ?? 0,
    labels: facts.labels.map(({ sqlId, sqlName }) => ({
      sqlId,
      sqlName,
      score:
        mean(
          sumOf(among, (p) => scoreOf_(p, sqlId)),
          among.length,
        ) ?? 0,
    })),
  })
  const colleges = [...grouped(people, (p) => p.suiCollegeId ?? '')]
    .map(([collegeId, own]) => ({
      collegeId,
      collegeName: facts.collegeName(collegeId, '未分学院'),
      name: facts.collegeName(collegeId, '未分学院'),
      ...means(own),
    }))
    .toSorted(inChinese((row) => row.total))
  const places = ranks(colleges.map((row) => row.total))
  // the strongest and the weakest ability are those of the period asked for, also where others are told
  const sorted =
    people.length === 0 || means(people).total === 0 ? [] : means(people).labels.toSorted((a, b) => b.score - a.score)
  const chosen = [sorted[0]?.sqlId, sorted.at(-1)?.sqlId]
  const others = (place: Wanted) =>
    oracle.counted(oracle.students({ ...place, ...(wanted.everybody && { everybody: wanted.everybody }) }))
  const besides = (key: string, name: string, own: readonly Person[]) =>
    own.length === 0 && key !== 'all' ? [] : [{ key, name, ...means(own) }]
  await asked.cards(
    abilityStatApi.colleges,
    wanted,
    (span) => {
      const of = scoresIn(span)
      const { total: all, labels } = means(people, of)
      const covered = people.filter((p) => facts.labels.some(({ sqlId }) => of(p, sqlId) > 0)).length
      const [best, worst] = chosen.map((sqlId) => labels.find((label) => label.sqlId === sqlId)?.score ?? null) as [
        number | null,
        number | null,
      ]
      return { total: people.length === 0 ? null : all, covered, coverage: share(covered, people.length), best, worst }
    },
    [],
    {
      records: colleges.map(({ name: _, ...row }, at) => ({ ...row, rank: places[at] })),
      total: colleges.length,
      school: means(people),
      beside: [
        ...besides('all', asked.isWhole(abilityStatApi.colleges) ? '全校平均' : '数据范围平均', others({})),
        ...(wanted.collegeId
          ? besides('college', facts.collegeName(wanted.collegeId, ''), others({ collegeId: wanted.collegeId }))
          : []),
        ...(wanted.grade ? besides('grade', `${wanted.grade} 级`, others({ grade: wanted.grade })) : []),
      ],
    },
  )
  const grades = [...grouped(people, (p) => p.suiGrade ?? '')]
    .map(([grade, own]) => ({ grade, ...means(own) }))
    .toSorted((a, b) => a.grade.localeCompare(b.grade))
  await asked.same(abilityStatApi.grades, wanted, { records: grades, total: grades.length })
  // a page of one answer is cut from it
  await asked.same(
    abilityStatApi.grades,
    { ...wanted, current: 2, pageSize: 1 },
    { records: grades.slice(1, 2), total: grades.length },
  )
  await asked.same(abilityStatApi.labels, wanted, {
    total: facts.labels.length,
    records: facts.labels.map(({ sqlId, sqlName }) => {
      // nobody has less than nothing; the p-th share of all, those without a score too, has no more than the p-th
      // percentile (nearest rank)
      const all = people.map((p) => Math.max(0, scoreOf(p, sqlId))).toSorted((a, b) => a - b)
      const percentile = (per: number) => units(all[Math.max(1, Math.ceil((per * all.length) / 100)) - 1] ?? 0)
      return {
        sqlId,
        sqlName,
        avg:
          mean(
            sumOf(people, (p) => scoreOf(p, sqlId)),
            people.length,
          ) ?? 0,
        max: units(all.at(-1) ?? 0),
        p25: percentile(25),
        p50: percentile(50),
        p75: percentile(75),
        offered: offered(oracle, sqlId, wanted),
      }
    }),
  })
}
