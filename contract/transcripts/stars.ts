import type { SchoolSettings } from '../school/settings.ts'

type Steps = SchoolSettings['starSteps']

/**
 * Stars of a module, 0 to 5. Both amounts in the same unit, whole hundredths on the server. No hours give no star; a module
 * that requires nothing is not rated.
 * @param steps from which share of the required hours (per cent) on a module has how many stars, the least first; below them it has one
 */
export function starsOf(have: number, required: number, steps: Steps): number {
  if (have <= 0 || required <= 0) return 0
  return steps.findLast(({ share }) => have * 100 >= share * required)?.stars ?? 1
}

/** The meaning of the stars, as printed below a transcript. */
export const starNote = (steps: Steps): string =>
  `星级按已获学时占要求学时的比例评定：${steps.toReversed().map(({ share, stars }) => `${share}% 起为${'零一二三四五'[stars]}星，`).join('')}其余为一星；未获学时或未设要求的模块不评星。`
