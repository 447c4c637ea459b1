/**
 * What the rim of an ability radar stands for: the least of 1, 2, 5, 10, 20, 50 … that no score exceeds. Scores grow over
 * years, so a rim at the full score would leave most figures a dot in the middle.
 * @param scores decimal text
 */
export function rimOf(scores: readonly string[]): number {
  const most = Math.max(0, ...scores.map(Number))
  let rim = 1
  for (let step = 0; rim < most; step++) rim *= [2, 2.5, 2][step % 3]!
  return rim
}
