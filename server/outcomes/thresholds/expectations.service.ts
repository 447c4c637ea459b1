import { createHash } from 'node:crypto'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { requiredHours } from '../../programme/credits/goal.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { termFinder } from '../../school/school/calendar.service.ts'
import { from } from '../../core/database/tenant.ts'
import { addDays } from '../../core/base/clock.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { thresholdTargets, type ThresholdTarget } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import {
  defaultExpectations,
  goalOf,
  positionOf,
  type Expectation,
  type Goal,
  type Position,
} from './threshold-rules.ts'

/**
 * What is expected of a year, where it stands, and a key that changes whenever a student of it must be checked anew.
 */
interface YearRules {
  expected: Expectation[]
  position: Position
  /** What graduation asks for in all; null for students without a year. */
  goal: Goal | null
  /** The year has base values of its own. */
  isOwn: boolean
  ruleKey: string
}

export interface Rules {
  /** @param years length of the studies; 4 where it is not known */
  of(grade: string | null, years: number | null): YearRules
  modules: { lsId: string; name: string }[]
  /**
   * The last term that has ended: from its first moment to the first after it; null where no term without hours is
   * warned of.
   */
  lastTerm: { from: string; to: string } | null
}

/** A row of base values as it is stored. */
export interface StoredBase {
  grade: string
  tbTarget: string
  lsId: string | null
  checkpointTerm: number
  required: number
  warn1: number
  warn2: number
  warn3: number
}

/** The columns of a base value; amounts are whole hundredths. */
export const baseColumns = [
  'b.grade',
  'b.version',
  'b.tbTarget',
  'b.lsId',
  'b.checkpointTerm',
  'b.required',
  'b.warn1',
  'b.warn2',
  'b.warn3',
] as const

/** The base values of a school, of one year or of all. */
export const storedBases = (ctx: Pick<Context, 'db' | 'actor'>) =>
  from(ctx, 'thresholdBase as b').where('b.enable', '=', enableStatus.enabled)

/** A key under which what a student has is kept and expected. */
export const keyOf = ({ tbTarget, lsId }: { tbTarget: string; lsId?: string | null | undefined }): string =>
  lsId ?? tbTarget

/** Base values as expectations. */
const expectationsOf = (
  rows: readonly Omit<StoredBase, 'grade'>[],
  names: ReadonlyMap<string, string>,
): Expectation[] =>
  rows.map((row) => ({
    key: keyOf(row),
    name: row.lsId ? (names.get(row.lsId) ?? '已停用的模块') : thresholdTargets[row.tbTarget as ThresholdTarget],
    checkpointTerm: row.checkpointTerm,
    required: row.required,
    warn: [row.warn1, row.warn2, row.warn3],
  }))

/** The rules in force: five statements, however many years there are. */
export async function rulesNow(
  ctx: Context,
  proposed?: { grade: string; rows: readonly Omit<StoredBase, 'grade'>[] },
): Promise<Rules> {
  const { schoolId } = ctx.actor
  const today = dayOf(ctx.clock.now())
  const [settings, modules, bases, termAt] = await Promise.all([
    schoolSettings(ctx, schoolId),
    modulesOf(ctx, { closed: true }),
    storedBases(ctx)
      .select(['b.grade', 'b.tbTarget', 'b.lsId', 'b.checkpointTerm', 'b.required', 'b.warn1', 'b.warn2', 'b.warn3'])
      .execute(),
    termFinder(ctx, schoolId),
  ])
  const names = new Map(modules.map(({ lsId, lsName }) => [lsId, lsName]))
  const open = await modulesOf(ctx)
  const wanted = requiredHours({ modules: open, totalHours: settings.totalHours })
  const term = termAt(addDays(termAt(today).tmStart, -1))
  const lastTerm = settings.warnZeroTerm
    ? { from: `${term.tmStart} 00:00:00`, to: `${addDays(term.tmEnd, 1)} 00:00:00` }
    : null
  const made = new Map<string, YearRules>()
  return {
    modules: open.map(({ lsId, lsName }) => ({ lsId, name: lsName })),
    lastTerm,
    of(grade, years) {
      const key = `${grade ?? ''}/${years ?? 4}`
      const known = made.get(key)
      if (known) return known
      const own = proposed?.grade === grade ? proposed.rows : bases.filter((row) => row.grade === grade)
      const places = [...modules.map(({ lsId }) => lsId), 'volunteer', 'credibility']
      const unordered =
        grade === null
          ? []
          : own.length > 0
            ? expectationsOf(own, names)
            : defaultExpectations(
                { warnSteps: settings.warnSteps, warnFinal: settings.warnFinal, totalHours: wanted, modules: open },
                years ?? 4,
              )
      // all hours first, then the modules in their order; places not found (total) come before all others
      const expected = unordered.toSorted(
        (a, b) => places.indexOf(a.key) - places.indexOf(b.key) || a.checkpointTerm - b.checkpointTerm,
      )
      const position = grade === null ? { termNo: 0, share: 0 } : positionOf(grade, today, settings)
      const goal = grade === null ? null : goalOf(expected, years ?? 4, wanted)
      // forecasts are told anew ten times a term, the rest when something changes
      const ruleKey = createHash('sha256')
        .update(JSON.stringify([expected, goal, position.termNo, Math.floor(position.share * 10), lastTerm]))
        .digest('hex')
        .slice(0, 24)
      const rules = { expected, position, goal, isOwn: own.length > 0, ruleKey }
      made.set(key, rules)
      return rules
    },
  }
}
