import { circleSizes, circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import { circleFiguresIn, circleKinds, circleMembers, circlesByClass } from '../statistics/circle-statistics.queries.ts'
import {
  lessonKinds,
  lessonRatings,
  lessonsByLevel,
  lessonsInfo,
  publishedFigures,
} from '../statistics/lesson-statistics.queries.ts'
import {
  supplementFigures,
  supplementInfo,
  supplementKinds,
  supplementsByLevel,
  supplementsByModule,
  supplementsByMonth,
} from '../statistics/supplement-statistics.queries.ts'
import { eachTold, screenOf, type SchoolTable, type Sums } from './screen.ts'
import { areTold, isTold, partsTold } from './suppression.ts'

/** Groups of records of students, which count as people do. */
const ofRecords = { isPartition: true, counts: ({ count }: Sums) => [count!] }
/** Courses tell of nobody; who registered for them does. */
const ofCourses = { isPartition: true, counts: ({ times }: Sums) => [times!] }

/** Rows whose names are all that schools have in common, added up under them. */
function byName(rows: readonly { name: string; sums: Sums }[]): SchoolTable['rows'] {
  const found = new Map<string, Record<string, number>>()
  for (const { name, sums } of rows) {
    const known = found.get(name)
    if (known) for (const [key, value] of Object.entries(sums)) known[key] = (known[key] ?? 0) + value
    else found.set(name, { ...sums })
  }
  return [...found].map(([name, sums]) => ({ id: name, name, sums }))
}

export const lessonScreen = screenOf({
  kinds: lessonKinds,
  figures: publishedFigures,
  told: ({ applied, heldSigned, heldPassed, granted, starTimes }) => ({
    applied: areTold(applied),
    signRate: areTold(heldSigned, heldPassed - heldSigned),
    perLesson: areTold(heldSigned),
    ...eachTold(['hours', 'granted'], areTold(granted)),
    rating: areTold(starTimes),
  }),
  tables: async (ctx, span) => {
    const [info, levels, ratings] = await together(
      lessonsInfo(ctx, lessonStatApi.info.input.parse(span)),
      lessonsByLevel(ctx, lessonStatApi.level.input.parse(span)),
      lessonRatings(ctx, lessonStatApi.evaluate.input.parse(span)),
    )
    const steps = info.funnel.filter(({ unit }) => unit === '人次')
    return [
      {
        key: 'trend',
        ...ofCourses,
        rows: byName(info.trend.map(({ date, count, times }) => ({ name: date.slice(0, 7), sums: { count, times } }))),
      },
      {
        key: 'funnel',
        isPartition: false,
        // who did not come to the next step is found by subtraction
        counts: ({ times, lost }) => [times!, Math.abs(lost!)],
        rows: steps.map(({ key, name, value }, at) => ({
          id: key,
          name,
          sums: { times: value, lost: at === 0 ? 0 : steps[at - 1]!.value - value },
        })),
      },
      {
        key: 'module',
        ...ofCourses,
        rows: byName(info.modules.map(({ name, count, times, hours }) => ({ name, sums: { count, times, hours } }))),
      },
      {
        key: 'level',
        isPartition: true,
        counts: () => [],
        rows: byName(levels.map(({ name, count }) => ({ name, sums: { count } }))),
      },
      {
        key: 'organiser',
        ...ofCourses,
        rows: info.organisers.map(({ key, name, count, times }) => ({ id: key, name, sums: { count, times } })),
      },
      {
        key: 'star',
        ...ofCourses,
        rows: ratings.dist.map((times, at) => ({ id: String(at + 1), name: `${at + 1} 星`, sums: { times } })),
      },
    ]
  },
})

export const supplementScreen = screenOf({
  kinds: supplementKinds,
  figures: supplementFigures,
  told: ({ apply, pass, refuse, pending, publicty, granted, twice, decided }) => {
    const parts = partsTold({ pass, refuse, pending })
    return {
      ...parts,
      apply: areTold(apply),
      publicty: parts.pass && areTold(publicty, pass - publicty),
      hours: areTold(granted),
      passRate: parts.pass && parts.refuse,
      decideHours: areTold(decided),
      twice: areTold(twice, apply - twice),
    }
  },
  tables: async (ctx, span) => {
    const input = supplementStatApi.info.input.parse(span)
    const [info, modules, levels, months] = await together(
      supplementInfo(ctx, input),
      supplementsByModule(ctx, input),
      supplementsByLevel(ctx, input),
      supplementsByMonth(ctx, input),
    )
    const named = (rows: readonly { name: string; count: number; hours: number }[]) =>
      byName(rows.map(({ name, count, hours }) => ({ name, sums: { count, hours } })))
    return [
      {
        key: 'month',
        isPartition: true,
        counts: ({ apply, pass }) => [apply!, pass!, apply! - pass!],
        rows: months.map(({ month, apply, pass }) => ({ id: month, name: month, sums: { apply, pass } })),
      },
      { key: 'type', ...ofRecords, rows: named(info.types) },
      { key: 'module', ...ofRecords, rows: named(modules) },
      { key: 'level', ...ofRecords, rows: named(levels) },
    ]
  },
})

export const circleScreen = screenOf({
  kinds: circleKinds,
  figures: circleFiguresIn,
  told: ({ members, persons, joined, students, teachers }) => ({
    ...eachTold(['members', 'persons'], areTold(members, persons)),
    joinRate: areTold(joined, students - joined),
    teachers: isTold(teachers),
  }),
  tables: async (ctx, span) => {
    const input = circleStatApi.classes.input.parse(span)
    const [classes, members] = await together(circlesByClass(ctx, input), circleMembers(ctx, input))
    const sizes = members.filter(({ kind }) => kind === 'size')
    return [
      {
        key: 'class',
        isPartition: true,
        counts: ({ people }) => [people!],
        rows: byName(
          classes.map(({ ccName, circles, num, people }) => ({ name: ccName, sums: { circles, num, people } })),
        ),
      },
      {
        key: 'size',
        isPartition: true,
        counts: ({ num }) => [num!],
        rows: circleSizes.flatMap(([id, name]) =>
          sizes.filter((row) => row.id === id).map(({ num, circles }) => ({ id, name, sums: { num, circles } })),
        ),
      },
    ]
  },
})
