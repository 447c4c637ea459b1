import { z } from 'zod'
import { enableStatus } from '../../core/codes/platform.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, choice, day, id, optionalText, pick, text, version, integer } from '../../core/fields.ts'

/** What an activity of one level gives: hours (with a cap per person), credit and points. */
const amounts = {
  baseHours: amount('学时'),
  hourCap: amount('学时上限').optional(),
  credit: amount('学分').default(0),
  points: amount('积分').default(0),
}

/**
 * What a rule says besides its amounts. A mode that is not named counts once; an award adds to the amounts of the
 * level.
 */
const rules = {
  esName: optionalText('规则名称', 50),
  modeRules: z
    .array(z.strictObject({ partakeMode: pick('参与方式', valuesOf('partake_mode')), factor: amount('系数', 10) }))
    .max(20)
    .default([])
    .meta({ label: '参与方式系数' }),
  awardRules: z
    .array(
      z.strictObject({
        adName: text('奖项', 30),
        hours: amount('学时').default(0),
        credit: amount('学分').default(0),
        points: amount('积分').default(0),
      }),
    )
    .max(50)
    .default([])
    .meta({ label: '奖项加计' }),
  abilityRules: z
    .array(z.strictObject({ sqlId: choice('能力标签'), weight: integer('权重', 1, 100) }))
    .max(30)
    .default([])
    .meta({ label: '能力权重' }),
  /**
   * Shares of a team's members by rank: `[0.6, 0.3, 0.2]` for three. A size that is not named shares nothing: each gets
   * the whole.
   */
  teamRules: z
    .array(
      z.strictObject({
        size: integer('人数', 2, 20),
        ratios: z.array(amount('比例', 1)).min(1, '请输入各名次的比例').max(20),
      }),
    )
    .max(19)
    .default([])
    .meta({ label: '团队分配' }),
  /** Records of one group count once, by the best of them. */
  bestOnlyGroup: optionalText('就高组', 30),
  yearCap: amount('学年上限').optional(),
  effectFrom: day('生效日期').optional(),
  effectTo: day('失效日期').optional(),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
}

interface Rules {
  modeRules: { partakeMode: string }[]
  awardRules: { adName: string }[]
  teamRules: { size: number; ratios: number[] }[]
  abilityRules: { sqlId: string; weight: number }[]
  effectFrom?: string | undefined
  effectTo?: string | undefined
}

/** Nothing named twice, weights of exactly 100, dates in order. */
function soundRules(ctx: z.core.ParsePayload<Rules>): void {
  const { modeRules, awardRules, abilityRules, teamRules, effectFrom, effectTo } = ctx.value
  const fault = (path: string, message: string) =>
    ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
  if (repeated(modeRules.map(({ partakeMode }) => partakeMode))) fault('modeRules', '参与方式不能重复')
  if (repeated(awardRules.map(({ adName }) => adName))) fault('awardRules', '奖项不能重复')
  if (repeated(teamRules.map(({ size }) => String(size)))) fault('teamRules', '团队人数不能重复')
  for (const { size, ratios } of teamRules)
    if (ratios.length !== size) fault('teamRules', `${size} 人团队须填写 ${size} 个比例`)
  if (repeated(abilityRules.map(({ sqlId }) => sqlId))) fault('abilityRules', '能力标签不能重复')
  if (abilityRules.length > 0 && abilityRules.reduce((sum, { weight }) => sum + weight, 0) !== 100)
    fault('abilityRules', '能力权重合计须为 100%')
  if (effectFrom && effectTo && effectTo < effectFrom) fault('effectTo', '失效日期不能早于生效日期')
}

const repeated = (list: string[]) => new Set(list).size < list.length

/**
 * A new set of rules for one curriculum node: one for every level named, all with the same factors, awards and
 * abilities. One level alone may stand beside the node instead, as the specification tells it (decision 034).
 */
export const evaluationAddForm = z
  .strictObject({
    lsId: choice('课程体系'),
    levels: z
      .array(z.strictObject({ esLessonLevel: text('级别', 8), ...amounts }))
      .max(20)
      .default([])
      .meta({ label: '级别与学时' }),
    esLessonLevel: text('级别', 8).optional(),
    ...amounts,
    baseHours: amounts.baseHours.optional(),
    ...rules,
  })
  .check(soundRules)
  .check((ctx) => {
    const fault = (path: string, message: string) =>
      ctx.issues.push({ code: 'custom', input: ctx.value, path: [path], message })
    const isAlone = ctx.value.esLessonLevel !== undefined
    if (isAlone && ctx.value.levels.length > 0) fault('levels', '级别填写了两次，请只填一处')
    if (!isAlone && ctx.value.levels.length === 0) fault('levels', '请至少填写一个级别')
    if (isAlone && ctx.value.baseHours === undefined) fault('baseHours', '请输入学时')
    if (repeated(ctx.value.levels.map(({ esLessonLevel }) => esLessonLevel)))
      ctx.issues.push({ code: 'custom', input: ctx.value, path: ['levels'], message: '级别不能重复' })
  })

/** A change of one rule; which system and level it belongs to stays, whoever tells them tells them as they are. */
export const evaluationEditForm = z
  .strictObject({
    esId: id('评价规则'),
    version,
    lsId: choice('课程体系').optional(),
    esLessonLevel: text('级别', 8).optional(),
    ...amounts,
    ...rules,
  })
  .check(soundRules)

/**
 * All levels of the school in their order: one without `llId` is new, one left out is deleted. `version`: as they were
 * read.
 */
export const levelsForm = z
  .strictObject({
    version,
    levels: z
      .array(
        z.strictObject({
          llId: text('级别编号', 8).optional(),
          llName: text('级别名称', 20),
          llFactor: amount('系数', 10),
          enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
        }),
      )
      .min(1, '请至少保留一个级别')
      .max(30, '最多 30 个级别')
      .meta({ label: '级别' }),
  })
  .check((ctx) => {
    const seen = new Set<string>()
    ctx.value.levels.forEach(({ llName }, at) => {
      if (seen.has(llName))
        ctx.issues.push({
          code: 'custom',
          input: llName,
          path: ['levels', at, 'llName'],
          message: `级别“${llName}”重复`,
        })
      seen.add(llName)
    })
  })

/** A rule as it is tried out before it is saved: what it gives, without its name and dates. */
export const evaluationDraft = z
  .strictObject({
    ...amounts,
    modeRules: rules.modeRules,
    awardRules: rules.awardRules,
    abilityRules: rules.abilityRules,
    teamRules: rules.teamRules,
    bestOnlyGroup: rules.bestOnlyGroup,
    yearCap: rules.yearCap,
  })
  .check(soundRules)
export type EvaluationDraft = z.output<typeof evaluationDraft>

/** A rule on the wire; amounts are decimal text. */
export const evaluationRecord = z.object({
  esId: z.string(),
  esName: z.string(),
  lsId: z.string(),
  /** The same as `lsId`, by the specification's other name. */
  courseSystemId: z.string(),
  lsFullName: z.string(),
  esLessonLevel: z.string(),
  levelName: z.string(),
  versionNo: z.number(),
  current: z.boolean(),
  baseHours: z.string(),
  hourCap: z.string().nullable(),
  credit: z.string(),
  points: z.string(),
  modeRules: z.array(z.object({ partakeMode: z.string(), factor: z.string() })),
  awardRules: z.array(z.object({ adName: z.string(), hours: z.string(), credit: z.string(), points: z.string() })),
  abilityRules: z.array(z.object({ sqlId: z.string(), sqlName: z.string(), weight: z.number() })),
  teamRules: z.array(z.object({ size: z.number(), ratios: z.array(z.string()) })),
  bestOnlyGroup: z.string(),
  yearCap: z.string().nullable(),
  effectFrom: z.string(),
  effectTo: z.string().nullable(),
  enable: z.string(),
  version: z.number(),
  updateTime: z.string(),
})

/** The rules of a rule as they are stored: amounts and factors in whole hundredths, weights in per cent. */
export const storedRules = {
  modeRules: z.array(z.object({ partakeMode: z.string(), factor: z.number() })),
  awardRules: z.array(z.object({ adName: z.string(), hours: z.number(), credit: z.number(), points: z.number() })),
  abilityRules: z.array(z.object({ sqlId: z.string(), weight: z.number() })),
  teamRules: z.array(z.object({ size: z.number(), ratios: z.array(z.number()) })),
}
