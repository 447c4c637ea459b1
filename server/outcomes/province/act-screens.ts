import { circleSizes, circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import { circleFiguresIn, circleKinds, circleMembers, circlesByClass } from '../statistics/circle-statistics.queries.ts'
import {
  lessonKinds,
  lessonModules,
  lessonRatings,
  lessonsByLevel,
  lessonsInfo,
  publishedFigures,
} from '../statistics/lesson-statistics.queries.ts'
import {
  supplementFigures,
  supplementKinds,
  supplementParts,
  supplementsByMonth,
} from '../statistics/supplement-statistics.queries.ts'
import { units } from '../statistics/figures.ts'
import { eachTold, screenOf, type SchoolTable, type Sums } from './screen.ts'
import { areTold, isTold, partsTold, stepsTold } from './suppression.ts'

/** Hours in hundredths, which only some records gave. */
const ofGranted = { hours: ({ granted }: Sums) => [granted!] }
const hourColumn = { hours: ({ hours }: Sums) => units(hours!) }
/** Groups of records of students, which count as people do. */
const ofRecords = { rowsAre: 'parts', counts: ({ count }: Sums) => [count!], behind: ofGranted } as const
/** Courses tell of nobody; who registered for them does. */
const ofCourses = { rowsAre: 'parts', counts: ({ times }: Sums) => [times!], exact: ['count'] } as const

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
  exact: ['count', 'running', 'done', 'stopped', 'held', 'judged', 'first'],
  told: ({ applied, passed, signed, qualified, granted, heldSigned, heldPassed, starTimes, decided }) => {
    // the same steps as in the funnel, so that neither tells what the other hides
    const [isApplied, , , , isGranted] = stepsTold([applied, passed, signed, qualified, granted])
    return {
      applied: isApplied!,
      signRate: areTold(heldSigned, heldPassed - heldSigned),
      perLesson: areTold(heldSigned),
      ...eachTold(['hours', 'granted'], isGranted!),
      rating: areTold(starTimes),
      decideHours: areTold(decided),
    }
  },
  tables: async (ctx, span) => {
    const [info, modules, levels, ratings] = await together(
      lessonsInfo(ctx, lessonStatApi.info.input.parse(span)),
      lessonModules(ctx, span),
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
        rowsAre: 'steps',
        counts: ({ times }) => [times!],
        rows: steps.map(({ key, name, value }) => ({ id: key, name, sums: { times: value } })),
      },
      {
        key: 'module',
        ...ofCourses,
        behind: ofGranted,
        rows: byName(modules.map(({ name, ...sums }) => ({ name, sums }))),
      },
      {
        key: 'level',
        rowsAre: 'apart',
        counts: () => [],
        exact: ['count'],
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
  columns: { module: hourColumn },
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
    const [{ type, module, level }, months] = await together(
      supplementParts(ctx, span),
      supplementsByMonth(ctx, supplementStatApi.info.input.parse(span)),
    )
    const named = (parts: typeof type) =>
      byName(parts.map(({ name, count, granted, hours }) => ({ name, sums: { count, granted, hours } })))
    return [
      {
        key: 'month',
        rowsAre: 'parts',
        counts: ({ apply, pass }) => [apply!, pass!, apply! - pass!],
        rows: months.map(({ month, apply, pass }) => ({ id: month, name: month, sums: { apply, pass } })),
      },
      { key: 'type', ...ofRecords, rows: named(type) },
      { key: 'module', ...ofRecords, rows: named(module) },
      { key: 'level', ...ofRecords, rows: named(level) },
    ]
  },
  columns: { type: hourColumn, module: hourColumn, level: hourColumn },
})

export const circleScreen = screenOf({
  kinds: circleKinds,
  figures: circleFiguresIn,
  exact: ['count', 'active', 'disabled', 'mending', 'added', 'closed', 'idle', 'lessons'],
  told: ({ members, persons, joined, students, teachers }) => ({
    ...eachTold(['members', 'persons'], areTold(persons, members - persons)),
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
        rowsAre: 'parts',
        exact: ['circles', 'num'],
        counts: ({ people }) => [people!],
        rows: byName(
          classes.map(({ ccName, circles, num, people }) => ({ name: ccName, sums: { circles, num, people } })),
        ),
      },
      {
        key: 'size',
        rowsAre: 'parts',
        exact: ['circles'],
        counts: ({ num }) => [num!],
        rows: circleSizes.flatMap(([id, name]) =>
          sizes.filter((row) => row.id === id).map(({ num, circles }) => ({ id, name, sums: { num, circles } })),
        ),
      },
    ]
  },
})
