import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { batchResult } from '../../core/batch-result.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, day, done, id, ids, pick, search, text, version, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy, wholeList } from '../../core/paging.ts'
import { grade } from '../../school/organisation/classes.calls.ts'
import { card } from '../statistics/statistics.schema.ts'
import { defaultPrompt, promptContent } from './prompt-words.ts'

/** What an expectation is about: the hours of a module, of all together, volunteer hours, or credibility points. */
export const thresholdTargets = {
  module: '模块学时',
  total: '总学时',
  volunteer: '志愿时长',
  credibility: '诚信分',
} as const
export type ThresholdTarget = keyof typeof thresholdTargets
const targets = Object.keys(thresholdTargets) as ['module', 'total', 'volunteer', 'credibility']

/** The last term a checkpoint may be set for. */
export const lastTerm = 16
/** The most rows of one year. */
const maxBaseRows = 200

/** At the end of the term `checkpointTerm` a student has `required`; who has less than `warnN` is warned at level N. */
const baseRow = z
  .strictObject({
    tbTarget: pick('指标', targets),
    lsId: id('模块').optional(),
    checkpointTerm: integer('检查点学期', 1, lastTerm),
    required: amount('要求'),
    warn1: amount('一般警告线'),
    warn2: amount('警告线'),
    warn3: amount('严重警告线'),
  })
  .superRefine(({ tbTarget, lsId, required, warn1, warn2, warn3 }, issue) => {
    if (tbTarget === 'module' && !lsId) issue.addIssue({ code: 'custom', path: ['lsId'], message: '请选择模块' })
    if (tbTarget !== 'module' && lsId)
      issue.addIssue({ code: 'custom', path: ['lsId'], message: '只有模块学时可以选择模块' })
    if (warn1 > required) issue.addIssue({ code: 'custom', path: ['warn1'], message: '一般警告线不能高于要求' })
    if (warn2 > warn1) issue.addIssue({ code: 'custom', path: ['warn2'], message: '警告线不能高于一般警告线' })
    if (warn3 > warn2) issue.addIssue({ code: 'custom', path: ['warn3'], message: '严重警告线不能高于警告线' })
  })

const baseRows = z
  .array(baseRow)
  .max(maxBaseRows, `一个年级最多设置 ${maxBaseRows} 行`)
  .superRefine((rows, issue) => {
    const seen = new Set<string>()
    for (const [at, { tbTarget, lsId, checkpointTerm }] of rows.entries()) {
      const key = `${tbTarget}/${lsId ?? ''}/${checkpointTerm}`
      if (seen.has(key))
        issue.addIssue({ code: 'custom', path: [at, 'checkpointTerm'], message: '同一指标在同一学期只能设置一行' })
      seen.add(key)
    }
  })

const decimal = z.string()
/** A row as it is shown; amounts are decimal text. */
const baseValue = z.object({
  tbTarget: z.enum(targets),
  lsId: z.string().nullable(),
  name: z.string(),
  checkpointTerm: z.number(),
  required: decimal,
  warn1: decimal,
  warn2: decimal,
  warn3: decimal,
})
export type BaseValue = z.infer<typeof baseValue>

/**
 * What a student is short of. `level`: what the last checkpoint makes of it; `forecast`: what they will have at the
 * next one at their pace so far.
 */
export const gap = z.object({
  key: z.string(),
  name: z.string(),
  level: z.string(),
  checkpointTerm: z.number(),
  required: decimal,
  have: decimal,
  gap: decimal,
  forecast: decimal,
})
export type Gap = z.infer<typeof gap>

export const warningRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  suiGrade: z.string().nullable(),
  collegeName: z.string(),
  majorName: z.string(),
  className: z.string(),
  warnLevel: z.enum(valuesOf('warn_level')),
  levelSince: z.string(),
  totalHave: decimal,
  totalNeed: decimal,
  totalGap: decimal,
  /** Hours missing at graduation at the pace so far. */
  finalGap: decimal,
  /** No hours in the whole last term. */
  zeroTerm: z.boolean(),
  gaps: z.array(gap),
  lastPromptTime: z.string().nullable(),
  promptCount: z.number(),
  lastHelpTime: z.string().nullable(),
  helpCount: z.number(),
  helperName: z.string(),
  calcTime: z.string(),
  can: z.array(z.enum(['prompt', 'help'])),
})
export type WarningRow = z.infer<typeof warningRow>

/**
 * Which students of the checked ones; the figures take the same as the list, so that both speak of the same students.
 */
const filters = {
  search: search('姓名或学号').optional(),
  collegeId: id('学院').optional(),
  majorId: id('专业').optional(),
  classId: id('班级').optional(),
  grade: grade.optional(),
  /** Only students short of this module. */
  lsId: id('模块').optional(),
  prompted: pick('提醒', [yesNo.yes, yesNo.no]).optional(),
  helped: pick('帮扶', [yesNo.yes, yesNo.no]).optional(),
  /** Whether hours will be missing at graduation at the pace so far. */
  finalShort: pick('毕业时', [yesNo.yes, yesNo.no]).optional(),
}
/**
 * A list without a level, a module or what will be at graduation shows whoever is warned; `all` shows the others too.
 */
const listFilters = {
  ...filters,
  warnLevel: pick('预警等级', valuesOf('warn_level')).optional(),
  all: pick('范围', [yesNo.yes, yesNo.no]).optional(),
}
const list = paging.extend({
  ...listFilters,
  ...sortedBy('level', 'totalGap', 'finalGap', 'suiNumber', 'suiGrade', 'lastPromptTime'),
})

const count = z.object({
  id: z.string(),
  name: z.string(),
  total: z.number(),
  level1: z.number(),
  level2: z.number(),
  level3: z.number(),
})

const promptRow = z.object({
  tpId: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  className: z.string(),
  warnLevel: z.enum(valuesOf('warn_level')),
  gapText: z.string(),
  content: z.string(),
  promptTime: z.string(),
  createName: z.string(),
  isRead: z.boolean(),
  readTime: z.string().nullable(),
})
export type PromptRow = z.infer<typeof promptRow>

const helpRow = z.object({
  thId: z.string(),
  helpDate: z.string(),
  helpWay: z.enum(valuesOf('help_way')),
  helpContent: z.string(),
  helperName: z.string(),
  createName: z.string(),
  createTime: z.string(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'delete'])),
})
export type HelpRow = z.infer<typeof helpRow>

/** An open course that gives hours of a module that a student is short of. */
const suggestion = z.object({
  liId: z.string(),
  liName: z.string(),
  moduleId: z.string(),
  moduleName: z.string(),
  hours: decimal,
  applyEnd: z.string().nullable(),
  startTime: z.string(),
  placeText: z.string(),
  left: z.number(),
})

const promptFilters = {
  search: search('姓名或学号').optional(),
  suId: id('学生').optional(),
  isRead: pick('阅读', [yesNo.yes, yesNo.no]).optional(),
  collegeId: filters.collegeId,
  classId: filters.classId,
  ...sortedBy('promptTime', 'suiName', 'suiNumber', 'warnLevel', 'createName'),
}

/** Students, or the filters of the list: all that they find. */
const whom = { ids: ids.optional(), filter: z.strictObject(listFilters).optional() }
const isOneOfBoth = ({ ids: some, filter }: { ids?: unknown; filter?: unknown }) =>
  (some === undefined) !== (filter === undefined)
const noStudents = { message: '请选择学生', path: ['ids'] }

export const thresholdApi = {
  list: call('POST', '/sysUserInfo/getStudentUserInfoList', {
    summary: '预警名单',
    permit: 'threshold:list',
    writes: false,
    whenLeftOut: wholeList,
    input: list,
    output: paged(warningRow),
  }),
  exportList: fileCall('POST', '/sysUserInfo/exportThreshold', {
    summary: '导出预警名单',
    permit: 'threshold:export',
    needsFreshCode: true,
    input: list.extend({ reason: exportReason }),
  }),
  /** Whom to help: the warned ones of the list, or of those chosen, with the reason and who looks after them. */
  exportHelpList: fileCall('POST', '/sysUserInfo/exportThresholdHelp', {
    summary: '导出帮扶名单',
    permit: 'threshold:export',
    needsFreshCode: true,
    input: list.extend({ ids: ids.optional(), reason: exportReason }),
  }),
  overview: call('POST', '/sysUserInfo/thresholdOverview', {
    summary: '预警概况',
    permit: 'threshold:list',
    cost: 'statistic',
    writes: false,
    input: z.object(filters),
    /**
     * Students in school whom the asking person may see. `cards`: beside the end of the term before and of the same
     * term last year, where the filters name places only. `modules`: how many are short of each module for the next
     * checkpoint; `gaps`: the same by college and grade (`''`: none); `terms`: as it was at the end of each term, and
     * is in this one, by the places of the filters alone.
     */
    output: z.object({
      calcTime: z.string().nullable(),
      total: z.number(),
      level1: z.number(),
      level2: z.number(),
      level3: z.number(),
      cards: z.array(card),
      previous: z.object({ startTime: z.string(), endTime: z.string() }).nullable(),
      colleges: z.array(count),
      grades: z.array(count),
      modules: z.array(z.object({ lsId: z.string(), name: z.string(), count: z.number() })),
      gaps: z.array(z.object({ collegeId: z.string(), grade: z.string(), lsId: z.string(), count: z.number() })),
      terms: z.array(count.extend({ isNow: z.boolean() })),
    }),
  }),
  detail: call('GET', '/sysUserInfo/thresholdDetail', {
    summary: '预警详情',
    permit: 'threshold:list',
    input: z.object({ suId: id('学生') }),
    output: z.object({
      warning: warningRow,
      prompts: z.array(promptRow),
      helps: z.array(helpRow),
      suggestions: z.array(suggestion),
    }),
  }),
  all: call('POST', '/sysUserInfo/getAllBaseValue', {
    summary: '预警基准值',
    permit: 'threshold:list',
    writes: false,
    input: z.object({ grade: grade.optional() }),
    /**
     * `isDefault`: the year has no values of its own, and the rules of the school hold. `termNo`: which term its
     * students are in.
     */
    output: z.object({
      grade: z.string(),
      grades: z.array(z.string()),
      termNo: z.number(),
      isDefault: z.boolean(),
      version: z.number(),
      updateTime: z.string().nullable(),
      modules: z.array(z.object({ lsId: z.string(), name: z.string() })),
      rows: z.array(baseValue),
    }),
  }),
  exportTemplate: fileCall('POST', '/sysUserInfo/exportTemplate', {
    summary: '下载基准值模板',
    permit: 'threshold:list',
    input: z.object({}),
  }),
  save: call('POST', '/sysUserInfo/saveBaseValue', {
    summary: '保存预警基准值',
    permit: 'threshold:edit',
    input: z.strictObject({
      grade,
      version,
      rows: baseRows,
      copyTo: z.array(grade).max(10, '一次最多复制到 10 个年级').default([]),
    }),
    output: z.object({ version: z.number() }),
  }),
  del: call('POST', '/sysUserInfo/delBaseValue', {
    summary: '恢复默认基准值',
    permit: 'threshold:edit',
    input: z.strictObject({ grade, version }),
    output: done,
  }),
  preview: call('POST', '/sysUserInfo/thresholdPreview', {
    summary: '预警试算',
    permit: 'threshold:edit',
    cost: 'statistic',
    writes: false,
    input: z.strictObject({ grade, rows: baseRows }),
    /**
     * How many would be at each level (index 0 to 3), now and with these values, and the first of those who would be
     * worse off.
     */
    output: z.object({
      total: z.number(),
      now: z.array(z.number()),
      planned: z.array(z.number()),
      worse: z.number(),
      better: z.number(),
      examples: z.array(z.object({ suiName: z.string(), suiNumber: z.string(), now: z.string(), planned: z.string() })),
    }),
  }),
  recalc: call('POST', '/sysUserInfo/thresholdRecalc', {
    summary: '重新计算预警',
    permit: 'threshold:edit',
    input: z.strictObject({}),
    output: done,
  }),
  promptCount: call('POST', '/sysUserInfo/thresholdPromptCount', {
    summary: '预警提醒人数',
    permit: 'threshold:prompt',
    writes: false,
    input: z.strictObject(whom).refine(isOneOfBoth, noStudents),
    /** Of the students meant: who would be reminded; who is not warned; whom the person may see and not remind. */
    output: z.object({ count: z.number(), unwarned: z.number(), beyond: z.number() }),
  }),
  prompt: call('POST', '/sysUserInfo/thresholdPrompt', {
    summary: '发送预警提醒',
    permit: 'threshold:prompt',
    /** The places of the text (`prompt-words.ts`) stand for each one's own. Who is named and not warned is refused. */
    input: z.strictObject({ ...whom, content: promptContent.default(defaultPrompt) }).refine(isOneOfBoth, noStudents),
    alsoNamed: { template: 'content' },
    output: batchResult,
    forAll: [
      {
        list: '/api/schoolbase/sysUserInfo/getStudentUserInfoList',
        row: 'suId',
        name: ['suiNumber', 'suiName'],
        ids: 'ids',
        atOnce: 200,
      },
    ],
  }),
  prompts: call('POST', '/sysUserInfo/thresholdPromptList', {
    summary: '提醒记录',
    permit: 'threshold:list',
    writes: false,
    input: paging.extend(promptFilters),
    output: paged(promptRow),
  }),
  exportPrompts: fileCall('POST', '/sysUserInfo/exportThresholdPrompt', {
    summary: '导出提醒记录',
    permit: 'threshold:export',
    needsFreshCode: true,
    input: paging.extend({ ...promptFilters, reason: exportReason }),
  }),
  saveHelp: call('POST', '/sysUserInfo/saveThresholdHelp', {
    summary: '保存帮扶记录',
    permit: 'threshold:prompt',
    input: z.strictObject({
      thId: id('帮扶记录').optional(),
      version: version.optional(),
      suId: id('学生'),
      helpDate: day('帮扶日期'),
      helpWay: pick('方式', valuesOf('help_way')),
      helperName: text('帮扶人', 50),
      helpContent: text('帮扶内容', 500).min(5, '帮扶内容不能少于 5 个字'),
    }),
    output: z.object({ thId: z.string() }),
  }),
  delHelp: call('POST', '/sysUserInfo/delThresholdHelp', {
    summary: '删除帮扶记录',
    permit: 'threshold:prompt',
    input: z.strictObject({ ids }),
    output: done,
  }),
}
