import { z } from 'zod'
import { enableStatus } from '../../core/codes/platform.ts'
import { convertMode, convertTo, rounding } from '../../core/codes/rules.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, id, optionalText, pick, text, version, integer } from '../../core/fields.ts'

/** Hours of a whole study may be thousands; a mark is at most 100, a credit a few. */
const maxAmount = 10_000

/**
 * One row of a rule by segments or by table: from `min` (inclusive) on; `value` is the ratio of the segment, or the
 * result of the table.
 */
const segment = z.strictObject({ min: amount('起点', maxAmount), value: amount('数值', maxAmount) })
export type Segment = z.output<typeof segment>

/** What a rule says, without its name and state: what the preview needs. */
const ruleFields = {
  fromType: pick('折算来源', valuesOf('convert_from')),
  toType: pick('折算为', valuesOf('convert_to')),
  mode: pick('折算方式', valuesOf('convert_mode')),
  ratio: amount('折算比例', 1000).optional(),
  segments: z.array(segment).max(50, '最多 50 段').default([]).meta({ label: '分段' }),
  rounding: pick('取整方式', valuesOf('rounding')).default(rounding.nearest),
  decimals: integer('保留小数位', 0, 2).default(2),
  cap: amount('结果上限', maxAmount).optional(),
  scopeLsIds: z.array(id('课程体系')).max(200).default([]).meta({ label: '计入的课程体系' }),
  scopeGrades: z
    .array(z.string().regex(/^\d{4}$/, '年级不正确'))
    .max(50)
    .default([])
    .meta({ label: '适用年级' }),
  effectTerm: id('学期').optional().meta({ label: '生效学期' }),
}

interface Rule {
  mode: string
  ratio?: number | undefined
  segments: readonly { min: number }[]
  toType: string
  cap?: number | undefined
}

/** A ratio for the linear way, rows in rising order for the others; stars are at most five. */
function soundRule(ctx: z.core.ParsePayload<Rule>): void {
  const { mode, ratio, segments, toType, cap } = ctx.value
  const fault = (path: (string | number)[], message: string) =>
    ctx.issues.push({ code: 'custom', input: ctx.value, path, message })
  if (mode === convertMode.linear && ratio === undefined) fault(['ratio'], '请输入折算比例')
  if (mode !== convertMode.linear && segments.length === 0) fault(['segments'], '请至少添加一段')
  segments.forEach(({ min }, at) => {
    if (at > 0 && min <= segments[at - 1]!.min) fault(['segments', at, 'min'], '起点须逐行增大')
  })
  if (toType === convertTo.stars && cap !== undefined && cap > 500) fault(['cap'], '星级最高为 5')
}

const named = {
  trName: text('规则名称', 50),
  trDesc: optionalText('说明', 200),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
}
export const transformationAddForm = z.strictObject({ ...named, ...ruleFields }).check(soundRule)
export const transformationEditForm = z
  .strictObject({ trId: id('转换规则'), version, ...named, ...ruleFields })
  .check(soundRule)

/** A rule as it is tried out on students before it is saved. */
export const ruleDraft = z.strictObject(ruleFields).check(soundRule)
export type RuleDraft = z.output<typeof ruleDraft>

/** A rule on the wire; amounts are decimal text. */
export const transformationRecord = z.object({
  trId: z.string(),
  trName: z.string(),
  trDesc: z.string(),
  fromType: z.string(),
  toType: z.string(),
  mode: z.string(),
  ratio: z.string().nullable(),
  segments: z.array(z.object({ min: z.string(), value: z.string() })),
  rounding: z.string(),
  decimals: z.number(),
  cap: z.string().nullable(),
  scopeLsIds: z.array(z.string()),
  scopeLsNames: z.array(z.string()),
  scopeGrades: z.array(z.string()),
  effectTerm: z.string().nullable(),
  effectTermName: z.string(),
  enable: z.string(),
  version: z.number(),
  updateTime: z.string(),
  /** The rule in one sentence. */
  text: z.string(),
})
