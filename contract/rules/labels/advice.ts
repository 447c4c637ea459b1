/** One ability of a student as the radar of the quality model shows it. Scores are decimal text. */
export interface ShownAbility {
  name: string
  score: string
  max: string
  /** Mean of their grade; null where there is none to compare with. */
  avgGrade: string | null
  /** What levels 1 to 5 mean, where the school has said. */
  levels: readonly string[]
  /** Modules whose courses build the ability. */
  modules: readonly string[]
}

/** Below this share of the grade's mean an ability counts as weak. */
const weakShare = 0.8
/** The most pieces of advice: more would not be read. */
const maxAdvice = 3

/** The level of a score, 1 to 5 by fifths of the full score; 0 without any score. */
export function levelOf(score: string, max: string): number {
  const share = Number(max) > 0 ? Number(score) / Number(max) : 0
  return share <= 0 ? 0 : Math.min(5, Math.ceil(share * 5 - 1e-9))
}

/**
 * The weakest abilities with a sentence each on where the student stands and what would help, the weakest first; none
 * where nothing is weak.
 */
export function adviceFor(abilities: readonly ShownAbility[]): { name: string; text: string }[] {
  return abilities
    .map((ability) => ({ ability, share: shareOf(ability) }))
    .filter(({ share }) => share < weakShare)
    .toSorted((a, b) => a.share - b.share)
    .slice(0, maxAdvice)
    .map(({ ability }) => ({ name: ability.name, text: sentence(ability) }))
}

/**
 * The score against the grade's mean; without a mean against two fifths of the full score, the edge of the third level.
 */
const shareOf = ({ score, max, avgGrade }: ShownAbility): number => {
  const wanted = Number(avgGrade ?? 0) > 0 ? Number(avgGrade) : Number(max) * 0.4
  return wanted > 0 ? Number(score) / wanted : 1
}

function sentence({ score, max, avgGrade, levels, modules }: ShownAbility): string {
  const level = levelOf(score, max)
  const gap = Math.round((Number(avgGrade ?? 0) - Number(score)) * 100) / 100
  const stand = [
    `得 ${score} 分`,
    gap > 0 ? `比年级平均低 ${gap} 分` : '',
    level === 0 ? '尚无积累' : `处于第 ${level} 级${levels[level - 1] ? `（${levels[level - 1]}）` : ''}`,
  ]
    .filter(Boolean)
    .join('，')
  const help =
    modules.length > 0 ? `可多参加“${modules.slice(0, 2).join('”“')}”模块的活动` : '目前没有评价规则给出该能力的分数'
  return `${stand}。${help}。`
}
