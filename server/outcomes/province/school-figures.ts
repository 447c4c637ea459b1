import { smallGroup } from '../../../contract/outcomes/province/province.calls.ts'
import { lengthOf, monthsBefore } from '../../../contract/outcomes/province/province-periods.ts'
import {
  provinceTables,
  type ProvinceScreen,
  type ProvinceTable,
} from '../../../contract/outcomes/province/province-tables.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext } from '../../core/request/system.ts'
import { letGo } from '../statistics/kept-columns.ts'
import type { Span } from '../statistics/periods.ts'
import { studentsAreAtLeast } from '../statistics/head-count.queries.ts'
import { circleScreen, lessonScreen, supplementScreen } from './act-screens.ts'
import { abilityScreen, loginScreen, studentScreen, teacherScreen, thresholdScreen } from './people-screens.ts'
import { rounded } from './rounding.ts'
import type { Screen, SchoolTable, Sums } from './screen.ts'
import { areTold, byCode, hiddenRows, stepsTold } from './suppression.ts'

export const screens: Readonly<Record<ProvinceScreen, Screen>> = {
  login: loginScreen,
  lesson: lessonScreen,
  supplement: supplementScreen,
  ability: abilityScreen,
  circle: circleScreen,
  student: studentScreen,
  teacher: teacherScreen,
  threshold: thresholdScreen,
}

/** A period with those it is compared with; one that is not over is compared with nothing. */
export interface Spans {
  own: Span
  previous: Span | null
  lastYear: Span | null
}

/** What a month, term or school year is compared with: the one before it, and the same one of the year before. */
export const spansOf = (own: Span, now: string): Spans =>
  own.endTime < now
    ? { own, previous: monthsBefore(own, lengthOf(own)), lastYear: monthsBefore(own, 12) }
    : { own, previous: null, lastYear: null }

/** The rounded figures of a school in one span, with which of them may be told outside of it. */
export interface Told {
  sums: Sums
  told: Readonly<Record<string, boolean>>
}

/**
 * What is told of a school: its figures in each span, and of its tables the columns of each row that are not hidden.
 */
export interface SchoolFigures {
  own: Told
  previous: Told | null
  lastYear: Told | null
  tables: readonly (Pick<SchoolTable, 'key'> & {
    rows: readonly (SchoolTable['rows'][number] & { hidden: ReadonlySet<string> })[]
  })[]
}

/** Whether schools have enough students, by the version of their rollups, which say so. */
const sizes = new Map<string, { version: number; isEnough: Promise<boolean> }>()
const maxSizes = 5000

/** Whether a school's students are not so few that each figure told of some of them; one statement a version. */
export function hasEnoughStudents(ctx: Context, schoolId: string, version: number): Promise<boolean> {
  const known = sizes.get(schoolId)
  if (known?.version === version) return known.isEnough
  const isEnough = studentsAreAtLeast(ctx, schoolId, smallGroup)
  if (sizes.size >= maxSizes) sizes.clear()
  sizes.set(schoolId, { version, isEnough })
  isEnough.catch(() => sizes.delete(schoolId))
  return isEnough
}

/**
 * How long the figures of a school are good while its rollups do not change: some of what they tell leaves no note.
 * Milliseconds.
 */
const lifetime = 10 * 60_000
const maxKept = 2000
const kept = new Map<string, { figures: Promise<SchoolFigures>; until: number }>()

/**
 * What a screen tells of a school, calculated by the functions of the school's own screens from its rollups, and kept
 * while these are of the same version.
 */
export function figuresOfSchool(
  ctx: Context,
  schoolId: string,
  screen: ProvinceScreen,
  spans: Spans,
  version: number,
): Promise<SchoolFigures> {
  const key = JSON.stringify([schoolId, screen, version, spans.own, dayOf(ctx.clock.now())])
  const known = kept.get(key)
  if (known && known.until > performance.now()) return known.figures
  const figures = worked(ctx, schoolId, screen, spans)
  // the oldest goes first
  kept.delete(key)
  kept.set(key, { figures, until: performance.now() + lifetime })
  for (const old of kept.keys()) if (kept.size > maxKept) kept.delete(old)
  figures.catch(() => kept.delete(key))
  return figures
}

async function worked(ctx: Context, schoolId: string, key: ProvinceScreen, spans: Spans): Promise<SchoolFigures> {
  const screen = screens[key]
  const own: Context = { ...systemContext(ctx, schoolId), scope: wholeSchool }
  const begun = performance.now()
  try {
    const wanted = [spans.own, spans.previous, spans.lastYear].filter((span) => span !== null)
    const sums = await screen.figures(own, wanted)
    const tables = await screen.tables(own, spans.own)
    // what is hidden is decided by the true numbers; what is told is rounded, and nothing else leaves this function
    const told = (at: number): Told => ({
      sums: rounded(sums[at]!, [...(screen.exact ?? []), ...(screen.same ?? [])]),
      told: screen.told(sums[at]!),
    })
    return {
      own: told(0),
      previous: spans.previous && told(1),
      lastYear: spans.lastYear && told(2),
      tables: tables.map((table) => ({ key: table.key, rows: rowsToldOf(key, table) })),
    }
  } finally {
    // a process that goes through a hundred schools must not keep the people of all of them
    letGo(schoolId, begun)
  }
}

/** The rows of a table as they may leave the school: rounded, with the columns that are hidden. */
function rowsToldOf(
  screen: ProvinceScreen,
  { key, counts, behind = {}, rowsAre, exact, rows }: SchoolTable,
): SchoolFigures['tables'][number]['rows'] {
  const { columns } = (provinceTables[screen] as readonly ProvinceTable[]).find((table) => table.key === key)!
  // of two groups of one size the same one is hidden in every table
  const sorted = rowsAre === 'parts' ? rows.toSorted(byCode(({ id }) => id)) : rows
  const hidden = new Map<SchoolTable['rows'][number], Set<string>>(rows.map((row) => [row, new Set()]))
  for (const column of columns) {
    const all = sorted.map(({ sums }) => [...counts(sums), ...(behind[column.key]?.(sums) ?? [])])
    const parts = rowsAre === 'parts' ? hiddenRows(all) : undefined
    const steps = rowsAre === 'steps' ? stepsTold(all.map((one) => one[0]!)) : undefined
    for (const [at, row] of sorted.entries())
      if (parts ? parts.has(at) : !(steps?.[at] ?? areTold(...all[at]!))) hidden.get(row)!.add(column.key)
  }
  return rows.map((row) => ({ ...row, sums: rounded(row.sums, exact), hidden: hidden.get(row)! }))
}
