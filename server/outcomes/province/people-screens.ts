import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import { dictionary } from '../../../contract/core/dictionary.ts'
import { loginStatApi, weekdays } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { creditBands, credibilityBands } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { abilitySums } from '../statistics/ability-statistics.queries.ts'
import { percent, ratio, type CardKind } from '../statistics/figures.ts'
import { loginFigures, loginKinds, loginsByCollege, loginsByGrade } from '../statistics/login-statistics.queries.ts'
import { spanAround, stepsOf, type Span } from '../statistics/periods.ts'
import { studentFiguresIn, studentGroups, studentKinds, type StudentSums } from '../statistics/student-figures.ts'
import { teacherFiguresIn, teacherKinds, teachersBySex } from '../statistics/teacher-statistics.queries.ts'
import { warningFigures, warningKinds, warningOverviewOf, type WarningFigures } from '../thresholds/overview.service.ts'
import { eachTold, screenOf, type Screen, type SchoolTable, type Sums } from './screen.ts'
import { areTold, byCode, hiddenRows, isTold, partsTold } from './suppression.ts'

const gradeName = (grade: string): string => (grade === '' ? '未登记年级' : `${grade} 级`)

export const loginScreen = screenOf({
  kinds: loginKinds,
  same: ['days'],
  figures: loginFigures,
  told: ({ people, students, staff, week, month, all, active }) => {
    // the students are also added up from their grades: with few staff the two together would tell them
    const isOfBoth = areTold(people, students, staff)
    return {
      ...eachTold(['people', 'times', 'day'], isOfBoth),
      students: isTold(students),
      staff: isTold(staff),
      // who came in the period and not on its last days; the week's people are not subtracted from two others
      month: isOfBoth && areTold(month, Math.abs(people - month)),
      week: isOfBoth && areTold(week, Math.abs(people - week), Math.abs(month - week)),
      ...eachTold(['activated', 'never'], areTold(active, all - active)),
    }
  },
  tables: async (ctx, span) => {
    const [{ heat }, { rows }, months] = await together(
      loginsByCollege(ctx, loginStatApi.college.input.parse(span)),
      // students alone, as in the other tables by grade: staff are of none
      loginsByGrade(ctx, loginStatApi.grade.input.parse({ ...span, tab: peopleKind.students })),
      monthsOfLogins(ctx, span),
    )
    return [
      {
        key: 'trend',
        rowsAre: 'parts',
        counts: ({ times, people, students, staff }) => [times!, people!, students!, staff!],
        rows: months,
      },
      {
        key: 'grade',
        rowsAre: 'parts',
        counts: ({ total, people }) => [total!, people!, total! - people!],
        rows: rows.map(({ id, people, times, total }) => ({ id, name: gradeName(id), sums: { people, times, total } })),
      },
      {
        key: 'heat',
        rowsAre: 'parts',
        counts: ({ times }) => [times!],
        rows: heat.flatMap((counts, day) =>
          counts.map((times, hour) => ({
            id: `${day} ${hour}`,
            name: `${weekdays[day]!} ${hour} 时`,
            sums: { times },
          })),
        ),
      },
    ]
  },
  columns: { grade: { rate: ({ people, total }) => percent(people!, total!) } },
})

/** People and sign-ins by month, up to the present one: people of a month are counted once. */
async function monthsOfLogins(ctx: Context, { startTime, endTime }: Span): Promise<SchoolTable['rows']> {
  const now = ctx.clock.now()
  const months = stepsOf({ startTime, endTime: endTime < now ? endTime : now }, false)
  const figures = await loginFigures(
    ctx,
    months.map((month) => spanAround('month', `${month}-01`)),
  )
  return months.map((month, at) => {
    const { people, students, staff, times } = figures[at]!
    return { id: month, name: month, sums: { people, students, staff, times } }
  })
}

const studentsTold = {
  counts: ({ people, counted }: Sums) => [people!, counted!],
  // what few have is theirs, however many it is divided by
  behind: {
    avgHours: ({ earning }: Sums) => [earning!],
    avgCredit: ({ crediting }: Sums) => [crediting!],
    avgActivities: ({ active }: Sums) => [active!],
  },
  rowsAre: 'parts',
} as const
const rowsOf = (
  groups: ReadonlyMap<string, StudentSums>,
  names: readonly (readonly [string, string, ...unknown[]])[],
): SchoolTable['rows'] =>
  names.flatMap(([id, name]) => {
    const sums = groups.get(id)
    return sums ? [{ id, name, sums: { ...sums } }] : []
  })
const studentColumns = {
  avgHours: ({ hours, counted }: Sums) => ratio(hours! / 100, counted!),
  avgCredit: ({ credit, counted }: Sums) => ratio(credit! / 100, counted!),
  avgActivities: ({ activities, counted }: Sums) => ratio(activities!, counted!),
}

export const studentScreen = screenOf({
  kinds: studentKinds,
  figures: studentFiguresIn,
  told: ({ people, recorded, met, zero, black, counted, earning, active }) => ({
    people: areTold(people),
    ...eachTold(['recorded', 'coverage'], areTold(recorded, people - recorded)),
    avgHours: areTold(counted, people - counted, earning),
    avgActivities: areTold(counted, people - counted, active),
    metRate: areTold(met, people - met),
    // those without hours who have a record would be the difference of two cards
    zero: areTold(zero, people - zero, Math.abs(recorded - (people - zero))),
    black: areTold(black, people - black),
  }),
  tables: async (ctx, span) => {
    const { grade, sex, credit, credibility } = await studentGroups(ctx, span)
    return [
      {
        key: 'grade',
        ...studentsTold,
        rows: rowsOf(
          grade,
          [...grade.keys()].map((id) => [id, gradeName(id)]),
        ),
      },
      { key: 'sex', ...studentsTold, rows: rowsOf(sex, dictionary.sex) },
      { key: 'credit', ...studentsTold, rows: rowsOf(credit, creditBands) },
      { key: 'credibility', ...studentsTold, rows: rowsOf(credibility, credibilityBands) },
    ]
  },
  columns: { grade: studentColumns, sex: studentColumns, credit: studentColumns, credibility: studentColumns },
})

export const teacherScreen = screenOf({
  kinds: teacherKinds,
  figures: teacherFiguresIn,
  told: ({ people, all, times, starTimes }) => ({
    ...eachTold(['people', 'rate', 'perTeacher', 'hours'], areTold(people, all - people)),
    times: areTold(people, all - people, times),
    rating: areTold(people, all - people, starTimes),
  }),
  tables: async (ctx) => [
    {
      key: 'sex',
      rowsAre: 'parts',
      counts: ({ people }) => [people!],
      rows: (await teachersBySex(ctx, teacherStatApi.sex.input.parse({}))).map(({ key, name, value }) => ({
        id: key,
        name,
        sums: { people: value ?? 0 },
      })),
    },
  ],
})

const labelKey = 'label '
const havingKey = 'having '
/** The labels of all schools by their names, with the mean of each over the schools that have it. */
const labelsIn = (all: Sums): { name: string; mean: number | null }[] =>
  Object.keys(all)
    .filter((key) => key.startsWith(labelKey))
    .map((key) => key.slice(labelKey.length))
    .map((name) => ({ name, mean: labelMean(all, name) }))
const labelMean = (sums: Sums, name: string): number | null =>
  ratio((sums[`${labelKey}${name}`] ?? 0) / 100, sums[`${havingKey}${name}`] ?? 0)

/** The cards of the school's own screen; which ability is the strongest is said by all schools together. */
function abilityKinds(all: Sums): CardKind<Sums>[] {
  const sorted = labelsIn(all).toSorted((a, b) => (b.mean ?? 0) - (a.mean ?? 0))
  const [best, worst] = all['scores'] ? [sorted[0], sorted.at(-1)] : []
  const extreme = (key: 'best' | 'worst', name: string, label: { name: string } | undefined): CardKind<Sums> => ({
    key,
    name: label ? `${name}：${label.name}` : `${name}能力`,
    unit: '分',
    definition: `全部学校合计人均得分${key === 'best' ? '最高' : '最低'}的能力，只计设有此能力的学校`,
    value: (sums) => (label ? labelMean(sums, label.name) : null),
  })
  return [
    {
      key: 'total',
      name: '人均能力分',
      unit: '分',
      definition: '各能力得分之和 ÷ 学生人数，没有得分的学生按 0 计；各期都按现在的学生计',
      value: ({ scores, students }) => ratio((scores ?? 0) / 100, students ?? 0),
    },
    {
      key: 'covered',
      name: '有得分人数',
      unit: '人',
      definition: '所选时间内至少在一项能力上有得分的学生',
      value: ({ covered }) => covered ?? 0,
    },
    {
      key: 'coverage',
      name: '覆盖率',
      unit: '%',
      definition: '有得分人数 ÷ 学生人数',
      value: ({ covered, students }) => percent(covered ?? 0, students ?? 0),
    },
    extreme('best', '最强', best),
    extreme('worst', '最弱', worst),
  ]
}

/**
 * The abilities of a school with their sums, and how many students each sum is of; where there are few students, these.
 */
async function abilitiesOf(ctx: Context, span: Span) {
  const { labels, groups, scores, scorers, covered, coveredOf } = await abilitySums(ctx, span, 'nothing')
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, n) => all + n, 0)
  const students = sum(groups.values())
  const own = labels
    .map(({ sqlId, sqlName }) => ({
      name: sqlName,
      score: scores.get(` ${sqlId}`) ?? 0,
      scorers: isTold(students) ? (scorers.get(` ${sqlId}`) ?? 0) : students,
    }))
    .toSorted(byCode(({ name }) => name))
  return { own, students, covered, scoring: sum(coveredOf.values()) }
}

async function abilityFigures(ctx: Context, span: Span): Promise<Sums> {
  const { own, students, covered, scoring } = await abilitiesOf(ctx, span)
  // an ability that few have is not told; as in the table, others are hidden with it
  const hidden = hiddenRows(own.map(({ scorers }) => [scorers]))
  const told = own.filter((_, at) => !hidden.has(at))
  return {
    students,
    covered,
    scoring,
    scores: own.reduce((sum, { score }) => sum + score, 0),
    ...Object.fromEntries(told.map(({ name, score }) => [`${labelKey}${name}`, score])),
    ...Object.fromEntries(told.map(({ name }) => [`${havingKey}${name}`, students])),
  }
}

export const abilityScreen: Screen = {
  kinds: abilityKinds,
  figures: (ctx, spans) => together(...spans.map((span) => abilityFigures(ctx, span))),
  told: ({ students, covered, scoring }) => ({
    total: areTold(students!, scoring!),
    ...eachTold(['best', 'worst'], areTold(students!)),
    ...eachTold(['covered', 'coverage'], areTold(students!, covered!, students! - covered!)),
  }),
  tables: async (ctx, span) => {
    const [{ own, students }, { labels, scores, coveredOf }, { grade }] = await together(
      abilitiesOf(ctx, span),
      abilitySums(ctx, span, 'grade'),
      studentGroups(ctx, span),
    )
    return [
      {
        key: 'label',
        rowsAre: 'parts',
        counts: (sums) => [sums['scorers']!],
        rows: own.map(({ name, score, scorers }) => ({ id: name, name, sums: { students, score, scorers } })),
      },
      {
        key: 'grade',
        rowsAre: 'parts',
        // as the students' own table by grade counts them, so that both hide the same grades
        counts: studentsTold.counts,
        behind: { avg: ({ scoring }) => [scoring!] },
        rows: [...grade].map(([id, { people, counted }]) => ({
          id,
          name: gradeName(id),
          sums: {
            people,
            counted,
            students: counted,
            scoring: coveredOf.get(id) ?? 0,
            score: labels.reduce((sum, { sqlId }) => sum + (scores.get(`${id} ${sqlId}`) ?? 0), 0),
          },
        })),
      },
    ]
  },
  columns: {
    label: { avg: ({ score, students }) => ratio(score! / 100, students!) },
    grade: { avg: ({ score, students }) => ratio(score! / 100, students!) },
  },
}

/** The figures with those who are not warned beside the levels, so that each part is rounded for itself. */
interface WarningParts extends Omit<WarningFigures, 'total'> {
  level0: number
}

export const thresholdScreen = screenOf<WarningParts>({
  kinds: warningKinds.map(({ value, ...kind }) => ({
    ...kind,
    value: ({ level0, ...warned }) =>
      value({ ...warned, total: level0 + warned.level1 + warned.level2 + warned.level3 }),
  })),
  figures: async (ctx, spans) =>
    (await warningFigures(ctx, spans)).map(({ total, ...warned }) => ({
      ...warned,
      level0: total - warned.level1 - warned.level2 - warned.level3,
    })),
  told: ({ level0, level1, level2, level3, finalShort }) => {
    const parts = partsTold({ level0, level1, level2, level3 })
    const others = level0 + level1 + level2 + level3 - finalShort
    return { ...parts, rate: parts.level0, finalShort: areTold(finalShort, others) }
  },
  tables: async (ctx) => {
    const { total, grades, modules } = await warningOverviewOf(ctx)
    return [
      {
        key: 'grade',
        rowsAre: 'parts',
        counts: (sums) => [sums['total']!, sums['warned']!, sums['total']! - sums['warned']!],
        rows: grades.map(({ id, total: all, level1, level2, level3 }) => ({
          id,
          name: gradeName(id),
          sums: { total: all, warned: level1 + level2 + level3 },
        })),
      },
      {
        key: 'module',
        rowsAre: 'apart',
        counts: ({ count }) => [count!, total - count!],
        rows: modules.map(({ name, count }) => ({ id: name, name, sums: { count } })),
      },
    ]
  },
  columns: { grade: { rate: ({ warned, total }) => percent(warned!, total!) } },
})
