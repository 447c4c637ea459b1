/** How many stars a module earns by the share of its required hours reached, in per cent; below the last step it is one star. */
const steps = [
  [200, 5],
  [150, 4],
  [100, 3],
  [50, 2],
] as const

/**
 * Stars of a module, 0 to 5. Both amounts in the same unit, whole hundredths on the server. No hours give no star; a module
 * that requires nothing is not rated.
 */
export function starsOf(have: number, required: number): number {
  if (have <= 0 || required <= 0) return 0
  return steps.find(([share]) => have * 100 >= share * required)?.[1] ?? 1
}

/** The meaning of the stars, as printed below a transcript. */
export const starNote = `星级按已获学时占要求学时的比例评定：${steps.map(([share, stars]) => `${share}% 起为${'零一二三四五'[stars]}星`).join('，')}，其余为一星；未获学时或未设要求的模块不评星。`
