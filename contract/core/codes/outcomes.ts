import { codeList, type CodeOf } from './code-list.ts'

/** What becomes of a student's record: transcripts, yearly verdicts, warnings, graduation and what is counted. */

export const yearVerdict = codeList({
  failed: ['0', '不合格'],
  passed: ['1', '合格'],
  excellent: ['2', '优秀'],
  running: ['3', '进行中'],
})

/** How far a student is behind. */
export const warnLevel = codeList({
  normal: ['0', '正常'],
  mild: ['1', '一般警告'],
  moderate: ['2', '警告'],
  severe: ['3', '严重警告'],
})

/** How a warned student was helped. */
export const helpWay = codeList({
  talk: ['1', '谈心谈话'],
  recommendation: ['2', '推荐活动'],
  plan: ['3', '制定计划'],
  family: ['4', '家校联系'],
  other: ['9', '其他'],
})

/** A record on a transcript: whether it counts. */
export const recordStatus = codeList({
  valid: ['1', '有效'],
  disputed: ['2', '质疑中'],
  reversed: ['3', '已冲正'],
})

/** `tiStatus` of an issued transcript. `replaced`: a newer one has other content. */
export const issueStatus = codeList({
  valid: ['1', '有效'],
  replaced: ['2', '已被取代'],
  revoked: ['3', '已撤销'],
})

/** `taStatus`: how far a student's application for a signed transcript is. */
export const applicationStatus = codeList({
  open: ['0', '待办理'],
  issued: ['1', '已签发'],
  refused: ['2', '未同意'],
  withdrawn: ['3', '已撤回'],
})

/** `printWay`: how an issued transcript came onto paper. */
export const printWay = codeList({
  single: ['1', '单份打印'],
  several: ['2', '多份一起打印'],
  batch: ['3', '批量打印'],
})

/** `tbStatus`: how far the printing of many transcripts is. */
export const printBatchStatus = codeList({
  waiting: ['0', '等待开始'],
  running: ['1', '正在生成'],
  done: ['2', '已完成'],
  failed: ['3', '未能完成'],
  cancelled: ['4', '已取消'],
  removed: ['5', '文件已清理'],
})

/** `skStatus`: a retired key verifies what it signed, and signs no more. */
export const signingKeyStatus = codeList({
  active: ['1', '使用中'],
  retired: ['0', '只用于核验'],
})

/** `gbStatus`: how far the graduation of some years of entry is. */
export const graduationStatus = codeList({
  preview: ['0', '预览'],
  done: ['1', '已毕业'],
  undone: ['2', '已撤销'],
})

/** Whom a statistic counts; `plKind` of a place is one of the first two. */
export const peopleKind = codeList({
  students: ['1', '学生'],
  staff: ['2', '教师'],
  all: ['3', '全部'],
})
export type PeopleKind = CodeOf<typeof peopleKind>

/**
 * Whom a figure of the sign-ins counts: those who came within the period, in its last days, at any time, or never, and
 * all who could.
 */
export const loginState = codeList({
  withinPeriod: ['1', '时间范围内登录过'],
  last7Days: ['7', '最后 7 天登录过'],
  last30Days: ['30', '最后 30 天登录过'],
  ever: ['ever', '曾经登录'],
  never: ['0', '从未登录'],
  everybody: ['all', '全部人员'],
})

/** `stKind`: what the sums of a day are of. */
export const dayFigure = codeList({
  lesson: ['L', '课程'],
  supplement: ['S', '补录'],
  other: ['O', '其他'],
  ability: ['A', '能力'],
})

/** What is forgotten of graduates, in this order. */
export const erasureKind = codeList({
  contacts: ['1', '联系方式'],
  identity: ['2', '身份信息'],
})
export type ErasureKind = CodeOf<typeof erasureKind>
