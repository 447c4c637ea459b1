import { z } from 'zod'
import { call } from '../../core/call.ts'
import { amount, done, id, nothing, text, version } from '../../core/fields.ts'

/** The fewest and the most labels a radar can show and still be read (docs/rules.md R27). */
export const modelLabels = { min: 5, max: 12 } as const

/**
 * One label of the model: the name shown, the score its rim stands for, its colour. The order of the list is the order
 * on the radar.
 */
const modelLabel = z.strictObject({
  sqlId: id('标签'),
  name: text('显示名称', 12),
  max: amount('满分', 10_000).refine((value) => value > 0, '满分须大于 0'),
  color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, '颜色格式不正确')
    .optional()
    .meta({ label: '颜色' }),
})

const list = z
  .array(modelLabel)
  .min(modelLabels.min, `至少选择 ${modelLabels.min} 个标签`)
  .max(modelLabels.max, `最多选择 ${modelLabels.max} 个标签`)
  .meta({ label: '素质标签' })
  .check((ctx) => {
    for (const field of ['sqlId', 'name'] as const) {
      const seen = new Set<string>()
      ctx.value.forEach((row, at) => {
        if (seen.has(row[field]))
          ctx.issues.push({
            code: 'custom',
            input: row[field],
            path: [at, field],
            message: field === 'name' ? `显示名称“${row.name}”重复` : '同一标签只能选择一次',
          })
        seen.add(row[field])
      })
    }
  })

/** A label with what a student has of it, beside their grade and the school. Decimal text. */
const abilityScore = z.object({
  sqlId: z.string(),
  score: z.string(),
  /**
   * Means over all students in the grade and in the school, as far as the rollups are up to date; null where they are
   * too few to tell.
   */
  avgGrade: z.string().nullable(),
  avgSchool: z.string().nullable(),
  /**
   * The score that nine of ten students who have any do not exceed; what a rim is best set to. Null where they are too
   * few.
   */
  high: z.string().nullable(),
  /** Modules whose courses build the ability, those that build it most first. */
  modules: z.array(z.string()),
})

export const modelApi = {
  list: call('GET', '/QualityModel/getList', {
    summary: '素质模型',
    permit: 'model:list',
    input: nothing,
    output: z.object({
      /** 0: the school has no model yet. */
      version: z.number(),
      updateName: z.string(),
      updateTime: z.string().nullable(),
      list: z.array(z.object({ sqlId: z.string(), name: z.string(), max: z.string(), color: z.string() })),
      /** All labels that scores are kept for, to choose from. */
      labels: z.array(
        z.object({
          sqlId: z.string(),
          sqlName: z.string(),
          groupName: z.string(),
          sqlColor: z.string(),
          fullScore: z.string(),
          sqlDesc: z.string(),
          levels: z.array(z.string()),
        }),
      ),
    }),
  }),
  addList: call('POST', '/QualityModel/addList', {
    summary: '保存素质模型',
    permit: 'model:edit',
    /** `version` as read; 0 for the first. */
    input: z.strictObject({ version, list }),
    output: z.object({ version: z.number() }),
  }),
  del: call('POST', '/QualityModel/del', {
    summary: '删除素质模型',
    permit: 'model:edit',
    input: z.strictObject({ version }),
    output: done,
  }),
}

export const modelPreviewApi = {
  preview: call('GET', '/QualityModel/preview', {
    summary: '预览素质模型',
    permit: 'transcript:list',
    cost: 'statistic',
    /** Without a student only the means. */
    input: z.object({ suId: id('学生').optional() }),
    output: z.object({
      student: z
        .object({
          suId: z.string(),
          suiName: z.string(),
          suiNumber: z.string(),
          suiGrade: z.string(),
          collegeName: z.string(),
        })
        .nullable(),
      /** Students the means are taken over. */
      gradePeople: z.number(),
      schoolPeople: z.number(),
      scores: z.array(abilityScore),
    }),
  }),
}
