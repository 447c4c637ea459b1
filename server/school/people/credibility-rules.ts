import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { schoolSettings } from '../school/settings.service.ts'

/**
 * What credibility begins with, how far it goes, what costs and gains how much, and when registration is closed
 * (docs/rules.md R32 and R33), as the school has set it.
 */
export type CredibilityRules = Pick<
  SchoolSettings,
  | 'credibilityStart'
  | 'credibilityMin'
  | 'credibilityMax'
  | 'noShowLoss'
  | 'leftLoss'
  | 'goodSigns'
  | 'highLevelGain'
  | 'blackCount'
  | 'blackDays'
>

/** The rules of a school: the one place they are read. */
export const credibilityRulesOf = (ctx: Pick<PublicContext, 'db'>, schoolId: string): Promise<CredibilityRules> =>
  schoolSettings(ctx, schoolId)

/**
 * Where a change leads from where somebody stands: never beyond the bounds, yet who stands beyond them is not moved
 * against the change.
 */
export function moved(
  before: number,
  change: number,
  { credibilityMin, credibilityMax }: Pick<CredibilityRules, 'credibilityMin' | 'credibilityMax'>,
): number {
  const after = before + change
  return change < 0
    ? Math.max(Math.min(before, credibilityMin), after)
    : Math.min(Math.max(before, credibilityMax), after)
}

/** Whether registration closes with this absence or removal, being the n-th. */
export const closesRegistration = (absences: number, { blackCount }: Pick<CredibilityRules, 'blackCount'>): boolean =>
  blackCount > 0 && absences > 0 && absences % blackCount === 0

/**
 * Whether a closed registration opens again because absences or removals were made good: too few to close it are left.
 */
export const opensRegistration = (
  before: number,
  after: number,
  { blackCount }: Pick<CredibilityRules, 'blackCount'>,
): boolean => blackCount > 0 && Math.floor(after / blackCount) < Math.floor(before / blackCount)
