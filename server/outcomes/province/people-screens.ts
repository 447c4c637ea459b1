import { dictionary } from '../../../contract/core/dictionary.ts'
import { loginStatApi, weekdays } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { creditBands, credibilityBands } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { abilitySums } from '../statistics/ability-statistics.queries.ts'
import { percent, ratio, type CardKind } from '../statistics/figures.ts'
import { loginFigures, loginKinds, loginsByCollege, loginsByGrade } from '../statistics/login-statistics.queries.ts'
import type { Span } from '../statistics/periods.ts'
import { studentFiguresIn, studentGroups, studentKinds, type StudentSums } from '../statistics/student-figures.ts'
import { teacherFiguresIn, teacherKinds, teachersBySex } from '../statistics/teacher-statistics.queries.ts'
import { warningFigures, warningKinds, warningOverviewOf } from '../thresholds/overview.service.ts'
import { eachTold, screenOf, type Screen, type SchoolTable, type Sums } from './screen.ts'
import { areTold, partsTold } from './suppression.ts'

const gradeName = (grade: string): string => (grade === '' ? '未登记年级' : `${grade} 级`)

export const loginScreen = screenOf({
  kinds: loginKinds,
  same: ['days'],
  figures: loginFigures,
  told: ({ people, students, staff, week, month, all, active }) => ({
    ...eachTold(['people', 'times', 'day'], areTold(people)),
    ...partsTold({ students, staff }),
    week: areTold(week),
    month: areTold(month),
    ...eachTold(['activated', 'never'], areTold(active, all - active)),
  }),
  tables: async (ctx, span) => {
    const [{ trend, heat }, { rows }] = await together(
      loginsByCollege(ctx, loginStatApi.college.input.parse(span)),
      loginsByGrade(ctx, loginStatApi.grade.input.parse(span)),
    )
    return [
      {
        key: 'trend',
        isPartition: true,
        counts: ({ times, people }) => [times!, people!],
        // whole months, though a span of a few is shown by day in the school: people of a month are counted once
        rows: await monthsOfLogins(ctx, span, trend),
      },
      {
        key: 'grade',
        isPartition: true,
        counts: ({ total, people }) => [total!, people!, total! - people!],
        rows: rows.map(({ id, people, times, total }) => ({
          id,
          name: id === '' ? '教职工与未登记' : gradeName(id),
          sums: { people, times, total },
        })),
      },
      {
        key: 'heat',
        isPartition: true,
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

/** People and sign-ins by month; a span that the school's screen shows by day is asked for month by month. */
async function monthsOfLogins(
  ctx: Context,
  { startTime, endTime }: Span,
  trend: readonly { date: string; people: number; times: number }[],
): Promise<SchoolTable['rows']> {
  if (trend.every(({ date }) => date.length === 7))
    return trend.map(({ date, people, times }) => ({ id: date, name: date, sums: { people, times } }))
  const months = [...new Set(trend.map(({ date }) => date.slice(0, 7)))].map((month): Span => {
    const last = trend.findLast(({ date }) => date.startsWith(month))!.date
    return {
      startTime: `${month}-01 00:00:00` > startTime ? `${month}-01 00:00:00` : startTime,
      endTime: `${last} 23:59:59` < endTime ? `${last} 23:59:59` : endTime,
    }
  })
  const figures = await loginFigures(ctx, months)
  return months.map(({ startTime: from }, at) => {
    const { people, times } = figures[at]!
    return { id: from.slice(0, 7), name: from.slice(0, 7), sums: { people, times } }
  })
}

const studentsTold = {
  counts: ({ people, counted }: Sums) => [people!, counted!],
  isPartition: true,
}
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
  told: ({ people, recorded, met, zero, black, counted }) => ({
    people: areTold(people),
    ...eachTold(['recorded', 'coverage'], areTold(recorded, people - recorded)),
    ...eachTold(['avgHours', 'avgActivities'], areTold(counted, people - counted)),
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
  told: ({ people, all, starTimes }) => ({
    ...eachTold(['people', 'rate', 'perTeacher', 'hours', 'times'], areTold(people, all - people)),
    rating: areTold(people, all - people, starTimes),
  }),
  tables: async (ctx) => [
    {
      key: 'sex',
      isPartition: true,
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
  const [best, worst] = all['total'] ? [sorted[0], sorted.at(-1)] : []
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
      value: ({ total, students }) => ratio((total ?? 0) / 100, students ?? 0),
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

async function abilityFigures(ctx: Context, span: Span): Promise<Sums> {
  const { labels, groups, scores, covered } = await abilitySums(ctx, span, 'nothing')
  const students = [...groups.values()].reduce((sum, n) => sum + n, 0)
  const own = labels.map(({ sqlId, sqlName }) => [sqlName, scores.get(` ${sqlId}`) ?? 0] as const)
  return {
    students,
    covered,
    total: own.reduce((sum, [, score]) => sum + score, 0),
    ...Object.fromEntries(own.map(([name, score]) => [`${labelKey}${name}`, score])),
    ...Object.fromEntries(own.map(([name]) => [`${havingKey}${name}`, students])),
  }
}

export const abilityScreen: Screen = {
  kinds: abilityKinds,
  figures: (ctx, spans) => together(...spans.map((span) => abilityFigures(ctx, span))),
  told: ({ students, covered }) => ({
    ...eachTold(['total', 'best', 'worst'], areTold(students!)),
    ...eachTold(['covered', 'coverage'], areTold(students!, covered!, students! - covered!)),
  }),
  tables: async (ctx, span) => {
    const [all, { labels, groups, scores }] = await together(abilityFigures(ctx, span), abilitySums(ctx, span, 'grade'))
    return [
      {
        key: 'label',
        isPartition: false,
        counts: ({ students }) => [students!],
        rows: labelsIn(all).map(({ name }) => ({
          id: name,
          name,
          sums: { students: all[`${havingKey}${name}`]!, score: all[`${labelKey}${name}`]! },
        })),
      },
      {
        key: 'grade',
        isPartition: true,
        counts: ({ students }) => [students!],
        rows: [...groups].map(([grade, students]) => ({
          id: grade,
          name: gradeName(grade),
          sums: { students, score: labels.reduce((sum, { sqlId }) => sum + (scores.get(`${grade} ${sqlId}`) ?? 0), 0) },
        })),
      },
    ]
  },
  columns: {
    label: { avg: ({ score, students }) => ratio(score! / 100, students!) },
    grade: { avg: ({ score, students }) => ratio(score! / 100, students!) },
  },
}

export const thresholdScreen = screenOf({
  kinds: warningKinds,
  figures: warningFigures,
  told: ({ total, level1, level2, level3, finalShort }) => {
    const parts = partsTold({ level0: total - level1 - level2 - level3, level1, level2, level3 })
    return { ...parts, rate: parts.level0, finalShort: areTold(finalShort, total - finalShort) }
  },
  tables: async (ctx) => {
    const { total, grades, modules } = await warningOverviewOf(ctx)
    return [
      {
        key: 'grade',
        isPartition: true,
        counts: (sums) => [sums['total']!, sums['warned']!, sums['total']! - sums['warned']!],
        rows: grades.map(({ id, total: all, level1, level2, level3 }) => ({
          id,
          name: gradeName(id),
          sums: { total: all, warned: level1 + level2 + level3 },
        })),
      },
      {
        key: 'module',
        isPartition: false,
        counts: ({ count }) => [count!, total - count!],
        rows: modules.map(({ name, count }) => ({ id: name, name, sums: { count } })),
      },
    ]
  },
  columns: { grade: { rate: ({ warned, total }) => percent(warned!, total!) } },
})
