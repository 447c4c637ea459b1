import { z } from 'zod'

/**
 * What the rankings by liveliness check, in the order in which they show it. Weights are shares of a hundred
 * (contract/school/school/settings.ts).
 */
const common = [
  ['people', '参与人次'],
  ['sign', '签到率'],
  ['rating', '评分'],
] as const
export const lessonParts = [['count', '场次'], ...common] as const
export const collegeParts = [['count', '课程数'], ...common] as const
export const circleParts = [['count', '活动数'], ...common, ['members', '成员参与']] as const

const points = { count: z.number(), people: z.number(), sign: z.number(), rating: z.number() }
/** Points that add up to the score, and what each could give at most. */
export const lessonLiveliness = { score: z.number(), parts: z.object(points), weights: z.object(points) }
export const circleLiveliness = {
  score: z.number(),
  parts: z.object({ ...points, members: z.number() }),
  weights: z.object({ ...points, members: z.number() }),
}

/** How a score is calculated, as people read it: with the school's weights where they are known. */
export const livelinessFormula = (
  parts: readonly (readonly [string, string])[],
  weights?: Partial<Record<string, number>>,
): string =>
  `活跃度 = ${parts.map(([key, name]) => (weights ? `${name} × ${weights[key] ?? 0}%` : name)).join(' + ')}；${parts[0]![1]}与参与人次以所选范围内最高者为满分，评分以五星为满分。权重可在学校信息的规则设置中调整`
