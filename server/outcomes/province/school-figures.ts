import { smallGroup } from '../../../contract/outcomes/province/province.calls.ts'
import type { ProvinceScreen } from '../../../contract/outcomes/province/province-tables.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { dayEnd, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext } from '../../core/request/system.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { letGo } from '../statistics/kept-columns.ts'
import { comparedSpans, type Compared, type Span } from '../statistics/periods.ts'
import { studentsAreAtLeast } from '../statistics/head-count.queries.ts'
import { circleScreen, lessonScreen, supplementScreen } from './act-screens.ts'
import { abilityScreen, loginScreen, studentScreen, teacherScreen, thresholdScreen } from './people-screens.ts'
import type { Screen, SchoolTable, Sums } from './screen.ts'
import { hiddenRows, areTold } from './suppression.ts'

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

/** A period with what it is compared with; of one that is still running, also the part that has passed. */
export interface Spans {
  own: Span
  previous: Compared | null
  lastYear: Compared | null
  soFar: Span
}

/** The spans of a period of whole months: the same for all schools, whatever their terms. */
export function spansOf(own: Span, now: string): Spans {
  const compared = comparedSpans(own, [], now)
  return {
    own,
    previous: compared?.previous ?? null,
    lastYear: compared?.lastYear ?? null,
    soFar: compared?.previous.part ? { ...own, endTime: dayEnd(now) } : own,
  }
}

/** The figures of a school in one span, with what of them may be told outside of it. */
export interface Told {
  sums: Sums
  told: Readonly<Record<string, boolean>>
}

/** What is told of a school: its figures in each span, and of its tables the rows that are not hidden. */
export interface SchoolFigures {
  own: Told
  previous: Told | null
  lastYear: Told | null
  soFar: Told
  tables: readonly (Pick<SchoolTable, 'key'> & {
    rows: readonly (SchoolTable['rows'][number] & { isHidden: boolean })[]
  })[]
}

/** Whether a school is told of: it takes part, and its students are not so few that each figure told of some of them. */
export async function stateOf(ctx: Context, schoolId: string): Promise<'told' | 'few' | 'withheld'> {
  if (!(await schoolSettings(ctx, schoolId)).provinceShare) return 'withheld'
  return (await studentsAreAtLeast(ctx, schoolId, smallGroup)) ? 'told' : 'few'
}

/**
 * How long the figures of a school are good while its rollups do not change: some of what they tell leaves no note.
 * Milliseconds.
 */
const lifetime = 10 * 60_000
const mostKept = 2000
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
  const figures = worked(ctx, schoolId, screens[screen], spans)
  // the oldest goes first
  kept.delete(key)
  kept.set(key, { figures, until: performance.now() + lifetime })
  for (const old of kept.keys()) if (kept.size > mostKept) kept.delete(old)
  figures.catch(() => kept.delete(key))
  return figures
}

async function worked(ctx: Context, schoolId: string, screen: Screen, spans: Spans): Promise<SchoolFigures> {
  const own: Context = { ...systemContext(ctx, schoolId), scope: wholeSchool }
  const begun = performance.now()
  try {
    const wanted = [spans.own, spans.soFar, ...[spans.previous, spans.lastYear].filter((span) => span !== null)]
    const sums = await screen.figures(own, wanted)
    const tables = await screen.tables(own, spans.own)
    const told = (at: number): Told => ({ sums: sums[at]!, told: screen.told(sums[at]!) })
    return {
      own: told(0),
      soFar: told(1),
      previous: spans.previous && told(2),
      lastYear: spans.lastYear && told(wanted.length - 1),
      tables: tables.map(({ key, counts, isPartition, rows }) => {
        const all = rows.map((row) => counts(row.sums))
        const hidden = isPartition ? hiddenRows(all) : undefined
        return {
          key,
          rows: rows.map((row, at) => ({ ...row, isHidden: hidden ? hidden.has(at) : !areTold(...all[at]!) })),
        }
      }),
    }
  } finally {
    // a process that goes through a hundred schools must not keep the people of all of them
    letGo(schoolId, begun)
  }
}
