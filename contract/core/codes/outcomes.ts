import { codeList } from './code-list.ts'

/** What becomes of a student's record: yearly verdicts and warnings. */

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
