/**
 * What the rim of an ability radar stands for: the least of 1, 2, 5, 10, 20, 50 … that no score exceeds. Scores grow
 * over years, so a rim at the full score would leave most figures a dot in the middle.
 * @param scores decimal text
 */
export function rimOf(scores: readonly string[]): number {
  const highest = Math.max(0, ...scores.map(Number))
  let rim = 1
  for (let step = 0; rim < highest; step++) rim *= [2, 2.5, 2][step % 3]!
  return rim
}

/**
 * Where an ability stands between the centre (0) and the rim (1) of the radar: by the maxima of the school's model, or
 * all by one rim.
 * @param scores decimal text
 */
export function radarShares(
  abilities: readonly { score: string; avgCollege: string | null; max: string }[],
  modelled: boolean,
): { rim: number | null; shares: { own: number; college: number | null }[] } {
  const rim = modelled ? null : rimOf(abilities.flatMap(({ score, avgCollege }) => [score, avgCollege ?? '0']))
  const share = (score: string, max: string) => Math.min(1, Math.max(0, Number(score) / (rim ?? (Number(max) || 1))))
  return {
    rim,
    shares: abilities.map(({ score, avgCollege, max }) => ({
      own: share(score, max),
      college: avgCollege === null ? null : share(avgCollege, max),
    })),
  }
}

/** What the rim stands for, as printed below the radar. */
export const rimText = (rim: number | null, lang: 'zh' | 'en' = 'zh'): string =>
  lang === 'en'
    ? rim === null
      ? 'rim: full scores'
      : `rim: ${rim} points`
    : rim === null
      ? '外圈为各项满分'
      : `外圈为 ${rim} 分`
