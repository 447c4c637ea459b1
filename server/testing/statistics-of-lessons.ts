import { minStarAnswers } from '../../contract/programme/lessons/stars.ts'
import { lessonStatApi } from '../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { starMean, type CallInput } from './statistics-asked.ts'
import {
  by,
  falling,
  grouped,
  inChinese,
  part,
  points,
  ranks,
  share,
  sumOf,
  text,
  units,
} from './statistics-numbers.ts'
import type { Oracle, Wanted } from './statistics-oracle.ts'
import { monthsOf, stepsOf } from './statistics-spans.ts'

type Course = ReturnType<Oracle['courses']>[number]
const weights = { count: 30, people: 40, sign: 20, rating: 10 }
/** Codes of the states of a course (docs/rules.md R1) by what the cards call them. */
const stages = { running: ['30', '40', '41', '50', '60', '61'], done: ['70', '80'], stopped: ['90', '91', '92'] }
const starsOf = (rows: readonly Course[]) => rows.flatMap(({ stars }) => stars)

/** The cards of publication (docs/rules.md R50). */
function figures(rows: readonly Course[]): Record<string, number | null> {
  const begun = rows.filter((l) => l.begun)
  const at = (stage: keyof typeof stages) => rows.filter(({ liStatus }) => stages[stage].includes(liStatus)).length
  const decided = rows.filter(({ firstPass }) => firstPass !== null)
  return {
    count: rows.length,
    running: at('running'),
    done: at('done'),
    stopped: at('stopped'),
    applied: sumOf(rows, (l) => l.applied),
    signRate: share(
      sumOf(begun, (l) => l.signed),
      sumOf(begun, (l) => l.passed),
    ),
    perLesson: part(
      sumOf(begun, (l) => l.signed),
      begun.length,
    ),
    hours: units(sumOf(rows, (l) => l.hours)),
    granted: sumOf(rows, (l) => l.granted),
    rating: starMean(starsOf(rows)),
    decideHours: part(
      sumOf(rows, (l) => l.seconds),
      sumOf(rows, (l) => l.decided) * 3600,
    ),
    firstPass: share(decided.filter((l) => l.firstPass).length, decided.length),
  }
}

/** Points of liveliness: amounts by the largest among the rows, rates and stars by what is possible. */
function lively<R extends { id: string; count: number; own: readonly Course[] }>(rows: readonly R[]) {
  const measured = rows.map((row) => ({
    ...row,
    signed: sumOf(row.own, (l) => l.signed),
    passed: sumOf(row.own, (l) => l.passed),
    stars: starsOf(row.own),
  }))
  const [highest, largest] = [
    Math.max(0, ...measured.map(({ count }) => count)),
    Math.max(0, ...measured.map(({ signed }) => signed)),
  ]
  const scored = measured
    .map((row) => {
      const shares = {
        count: [weights.count, row.count, highest],
        people: [weights.people, row.signed, largest],
        sign: [weights.sign, row.signed, row.passed],
        rating: [weights.rating, sumOf(row.stars, (star) => star), 5 * row.stars.length],
      } as const
      return {
        ...row,
        score: points(Object.values(shares)),
        parts: Object.fromEntries(Object.entries(shares).map(([key, one]) => [key, points([one])])),
        weights,
      }
    })
    .toSorted(
      by(
        ({ score }) => falling(score),
        ({ id }) => id,
      ),
    )
  const places = ranks(scored.map(({ score }) => score))
  return scored.map((row, at) => ({ ...row, rank: places[at]! }))
}

/** The courses that a figure counts, or over which it is calculated. */
const inStage = {
  running: (l: Course) => stages.running.includes(l.liStatus),
  done: (l: Course) => stages.done.includes(l.liStatus),
  stopped: (l: Course) => stages.stopped.includes(l.liStatus),
  begun: (l: Course) => l.begun,
  granted: (l: Course) => l.granted > 0,
  rated: (l: Course) => l.stars.length > 0,
  decided: (l: Course) => l.decided > 0,
  first: (l: Course) => l.firstPass === true,
  again: (l: Course) => l.firstPass === false,
}
const organiserOf = (l: Course) =>
  l.liCircleId !== null ? ('circle' as const) : l.liCollegeId !== null ? ('college' as const) : ('school' as const)

/** All calls about publication for one selection. */
export async function lessons(
  asked: CallInput,
  wanted: Wanted,
  detail: {
    sort?: 'publishTime' | 'applied' | 'passed' | 'signed' | 'qualified' | 'granted' | 'hours'
    order?: 'asc' | 'desc'
    pageSize: number
    nth: number
  },
): Promise<void> {
  const { facts } = asked
  const oracle = asked.oracle(lessonStatApi.info)
  if (!oracle) return
  const rows = oracle.courses(wanted)
  const sums = (own: readonly Course[]) => ({
    count: own.length,
    rate: share(own.length, rows.length) ?? 0,
    times: sumOf(own, (l) => l.applied),
  })
  const groups = <K>(key: (l: Course) => K, from = rows) => [...grouped(from, key)]
  const [first] = rows.map((l) => l.publishTime!).toSorted()
  const steps =
    first === undefined
      ? []
      : wanted.startTime
        ? stepsOf(wanted.startTime, wanted.endTime ?? facts.now, facts.until(wanted.endTime))
        : monthsOf(first, facts.until(wanted.endTime))
  const kinds = { circle: '社团与圈子', college: '院系', school: '校级组织' }

  await asked.cards(
    lessonStatApi.info,
    wanted,
    (span) => figures(oracle.courses(span)),
    [],
    {
      trend: steps.map((date) => {
        const own = rows.filter((l) => l.publishTime!.startsWith(date))
        return { date, count: own.length, times: sumOf(own, (l) => l.applied) }
      }),
      funnel: [
        ['count', '发布', rows.length],
        ['applied', '报名', sumOf(rows, (l) => l.applied)],
        ['passed', '录取', sumOf(rows, (l) => l.passed)],
        ['signed', '签到', sumOf(rows, (l) => l.signed)],
        ['qualified', '合格', sumOf(rows, (l) => l.qualified)],
        ['granted', '入账', sumOf(rows, (l) => l.granted)],
      ].map(([key, name, value]) => ({ key, name, value })),
      modules: groups((l) => l.lsPath[0]!)
        .map(([id, own]) => ({
          id,
          name: facts.nodes.get(id)!,
          ...sums(own),
          hours: units(sumOf(own, (l) => l.hours)),
        }))
        .toSorted(inChinese(({ count }) => count)),
      organisers: groups(organiserOf)
        .map(([key, own]) => ({ key, name: kinds[key], ...sums(own) }))
        .toSorted(
          by(
            ({ count }) => falling(count),
            ({ key }) => key,
          ),
        ),
    },
    true,
  )

  const scored = lively(
    groups(
      (l) => l.liCollegeId ?? '',
      rows.filter((l) => l.begun),
    ).map(([id, own]) => ({ id, own, count: own.length })),
  )
  const levelsOf = (own: readonly Course[]) =>
    facts.levels.flatMap(({ llId, llName: name }) =>
      own.some((l) => l.liLevel === llId) ? [{ llId, name, count: own.filter((l) => l.liLevel === llId).length }] : [],
    )
  await asked.same(
    lessonStatApi.colleges,
    wanted,
    groups((l) => l.liCollegeId ?? '')
      .map(([id, own]) => {
        const { score, parts } = scored.find((one) => one.id === id) ?? {
          score: 0,
          parts: { count: 0, people: 0, sign: 0, rating: 0 },
        }
        return {
          id,
          name: facts.collegeName(id, '校级部门'),
          ...sums(own),
          levels: levelsOf(own),
          score,
          parts,
          weights,
        }
      })
      .toSorted(inChinese(({ count }) => count)),
  )
  await asked.same(
    lessonStatApi.level,
    wanted,
    levelsOf(rows).map((level) => ({ ...level, rate: share(level.count, rows.length) })),
  )

  const ofClass = groups((l) => l.lsPath[0]!).flatMap(([id, own]) =>
    starsOf(own).length === 0
      ? []
      : [{ id, name: facts.nodes.get(id)!, avg: starMean(starsOf(own))!, times: starsOf(own).length }],
  )
  await asked.same(lessonStatApi.evaluate, wanted, {
    avg: starMean(starsOf(rows)),
    times: starsOf(rows).length,
    dist: [1, 2, 3, 4, 5].map((star) => starsOf(rows).filter((one) => one === star).length),
    byClass: ofClass.toSorted(inChinese(({ avg }) => avg)),
  })
  await asked.same(
    lessonStatApi.activityScore,
    wanted,
    lively(rows.filter((l) => l.begun).map((l) => ({ id: l.liId, count: l.sessions, own: [l], l })))
      .slice(0, 50)
      .map(({ rank, score, parts, l }) => ({
        rank,
        liId: l.liId,
        liName: l.liName,
        collegeName: facts.collegeName(l.liCollegeId, '校级部门'),
        score,
        parts,
        weights,
      })),
  )

  const { sort, order, pageSize, nth } = detail
  const key = (l: Course) => l[sort ?? 'publishTime']
  const isFalling = (order ?? (sort ? 'asc' : 'desc')) === 'desc'
  const listed = (from: readonly Course[]) =>
    from
      .toSorted(
        by(
          (l) => (isFalling ? falling(key(l)) : key(l)),
          ({ liId }) => liId,
        ),
      )
      .map((l) => ({
        liId: l.liId,
        liName: l.liName,
        lsName: facts.pathName(l.lsPath),
        levelName: facts.levelName(l.liLevel),
        liSponsorName: l.liSponsorName,
        liPrincipalName: l.liPrincipalName,
        liStatus: l.liStatus,
        publishTime: l.publishTime,
        applied: l.applied,
        passed: l.passed,
        signed: l.signed,
        qualified: l.qualified,
        granted: l.granted,
        signRate: share(l.signed, l.passed),
        hours: text(l.hours),
        rating: l.stars.length < minStarAnswers ? null : starMean(l.stars),
      }))
  const sorting = { ...(sort && { sort }), ...(order && { order }) }
  await asked.list(lessonStatApi.detail, { ...wanted, ...sorting }, listed(rows), pageSize)
  const stage = (Object.keys(inStage) as (keyof typeof inStage)[])[nth % 9]!
  await asked.list(lessonStatApi.detail, { ...wanted, stage, ...sorting }, listed(rows.filter(inStage[stage])))
  const [organiser, star] = [
    (['circle', 'college', 'school'] as const)[nth % 3]!,
    (['1', '2', '3', '4', '5'] as const)[nth % 5]!,
  ]
  await asked.list(
    lessonStatApi.detail,
    { ...wanted, organiser, ...sorting },
    listed(rows.filter((l) => organiserOf(l) === organiser)),
  )
  await asked.list(
    lessonStatApi.detail,
    { ...wanted, star, ...sorting },
    listed(rows.filter(({ stars }) => stars.includes(Number(star)))),
  )
  await asked.list(
    lessonStatApi.detail,
    { ...wanted, lacking: 'college', ...sorting },
    listed(rows.filter(({ liCollegeId }) => liCollegeId === null)),
  )
}
