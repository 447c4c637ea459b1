import { z } from 'zod'
import { enableStatus, yesNo } from '../../core/codes/platform.ts'
import { curriculumType } from '../../core/codes/rules.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, id, optionalText, pick, text, version } from '../../core/fields.ts'
import { starRule } from './star-rule.ts'
import { supplementWindow } from './supplement-window.ts'

export const lsType = pick('适用范围', valuesOf('curriculum_type'))

/** What a person fills in for a node; hours are least and most hours until graduation and most per term. */
const fields = {
  lsPid: id('上级体系').optional(),
  lsName: text('体系名称', 30),
  lsCode: optionalText('编码', 20),
  lsType: lsType.default(curriculumType.both),
  lsIcon: pick('图标', valuesOf('curriculum_icon')).optional(),
  lsColor: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, '颜色格式不正确')
    .optional()
    .meta({ label: '颜色' }),
  required: pick('必修', valuesOf('yes_no')).default(yesNo.yes),
  minHours: amount('毕业最低学时').default(0),
  maxHours: amount('累计学时上限').optional(),
  termCap: amount('每学期学时上限').optional(),
  ownerRoleId: id('模块负责人角色').optional(),
  allowLevels: z.array(z.string().max(8)).max(50).default([]).meta({ label: '允许的级别' }),
  lsFormScheme: pick('课程表单', ['standard', 'industry']).default('standard'),
  allowSup: pick('允许补录', valuesOf('yes_no')).default(yesNo.yes),
  /** Left out: as the node above. */
  supWindow: supplementWindow.optional(),
  supProofs: z
    .array(pick('证明材料', valuesOf('sup_proof')))
    .max(5)
    .default([])
    .meta({ label: '须提交的证明' }),
  supNote: optionalText('补录说明', 200),
  starRule: starRule.optional(),
  enable: pick('状态', valuesOf('enable_status')).default(enableStatus.enabled),
}

const inOrder = (
  ctx: z.core.ParsePayload<{
    minHours: number
    maxHours?: number | undefined
    lsPid?: string | undefined
    starRule?: unknown
  }>,
) => {
  const { minHours, maxHours, lsPid, starRule: rule } = ctx.value
  if (maxHours !== undefined && maxHours < minHours)
    ctx.issues.push({
      code: 'custom',
      input: maxHours,
      path: ['maxHours'],
      message: '累计学时上限不能小于毕业最低学时',
    })
  if (lsPid !== undefined && rule !== undefined)
    ctx.issues.push({ code: 'custom', input: rule, path: ['starRule'], message: '星级标准只在一级模块上设置' })
}

/** The form of a new node, and of one that is changed; another `lsPid` moves the node with all below it. */
export const curriculumForm = z.strictObject(fields).check(inOrder)
export const curriculumEditForm = z.strictObject({ lsId: id('体系'), version, ...fields }).check(inOrder)

/** A node as it is stored, amounts as decimal text. */
export const curriculumRecord = z.object({
  lsId: z.string(),
  lsPid: z.string().nullable(),
  /** Ids from the module down to the node itself. */
  lsPath: z.array(z.string()),
  lsName: z.string(),
  lsCode: z.string(),
  lsType: z.string(),
  lsSort: z.number(),
  lsIcon: z.string(),
  lsColor: z.string(),
  required: z.string(),
  minHours: z.string(),
  maxHours: z.string().nullable(),
  termCap: z.string().nullable(),
  ownerRoleId: z.string().nullable(),
  ownerRoleName: z.string(),
  allowLevels: z.array(z.string()),
  lsFormScheme: z.string(),
  allowSup: z.string(),
  supWindow: supplementWindow.nullable(),
  supProofs: z.array(z.string()),
  supNote: z.string(),
  starRule: z.object({ unit: z.string(), steps: z.array(z.string()) }).nullable(),
  enable: z.string(),
  version: z.number(),
})

/** What hangs on a node and on all below it. */
export const curriculumUses = z.object({
  children: z.number(),
  lessons: z.number(),
  supplements: z.number(),
  /** Courses and supplements that were deleted and are kept. */
  gone: z.number(),
  rules: z.number(),
  flows: z.number(),
  /** Conversion rules whose scope names it, and base values of the warnings. */
  conversions: z.number(),
  bases: z.number(),
  /** Members whose area names the node. */
  areas: z.number(),
})
export type CurriculumUses = z.output<typeof curriculumUses>

const units = [
  ['children', '个下级体系'],
  ['lessons', '门课程'],
  ['supplements', '条补录记录'],
  ['rules', '条评价规则'],
  ['flows', '个审批流程'],
  ['conversions', '条转换规则'],
  ['bases', '条预警基准值'],
  ['areas', '名成员的管理范围'],
  ['gone', '条已删除的课程或补录'],
] as const

/** The uses in words, `12 门课程、2 条评价规则`; nothing where there is none. */
export const usesText = (uses: CurriculumUses): string =>
  units
    .filter(([of]) => uses[of] > 0)
    .map(([of, unit]) => `${uses[of]} ${unit}`)
    .join('、')

/** A node of the tree, with its place and what may be done to it now. */
export type CurriculumNode = z.output<typeof curriculumRecord> & {
  depth: number
  isLeaf: boolean
  /** Courses in the node and below it; 0 unless asked for. */
  lessonCount: number
  /** Whether supplements may be entered in it today. */
  isSupOpen: boolean
  can: string[]
  children: CurriculumNode[]
}
export const curriculumNode: z.ZodType<CurriculumNode> = curriculumRecord.extend({
  depth: z.number(),
  isLeaf: z.boolean(),
  lessonCount: z.number(),
  isSupOpen: z.boolean(),
  can: z.array(z.string()),
  children: z.array(z.lazy(() => curriculumNode)),
})
