import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { issueStatus, printWay } from '../../core/codes/outcomes.ts'
import { done, id, ids, pick, rangeEnd, rangeStart, search, text } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { paged, paging, sortedPaging } from '../../core/paging.ts'

/** A badge bare, or baked into a picture (Open Badges 3.0, section 5.3). */
export const badgeFormat = z.enum(['json', 'png', 'svg'], '徽章格式不正确').default('json').meta({ label: '徽章格式' })

/** A transcript that was issued: printed with a serial and signed. */
const issueRow = z.object({
  tiId: z.string(),
  serial: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  className: z.string(),
  /** Which part of the transcript; '' the whole. */
  tiExtract: z.string(),
  tiLang: z.string(),
  tiStatus: z.enum(codesOf(issueStatus)),
  digest: z.string(),
  issueTime: z.string(),
  issueName: z.string(),
  printCount: z.number(),
  lastPrintTime: z.string().nullable(),
  endTime: z.string().nullable(),
  revokeName: z.string(),
  revokeReason: z.string(),
  can: z.array(z.enum(['reprint', 'revoke'])),
})
export type IssueRow = z.infer<typeof issueRow>

const filters = {
  search: search('编号、姓名或学号').optional(),
  suId: id('学生').optional(),
  collegeId: id('学院').optional(),
  tiStatus: pick('状态', codesOf(issueStatus)).optional(),
  startTime: rangeStart('签发开始时间').optional(),
  endTime: rangeEnd('签发结束时间').optional(),
}

/** A signing key as it is shown: never the private part. */
const signingKeyRow = z.object({
  skId: z.string(),
  /** A code of `signingKeyStatus`. */
  skStatus: z.string(),
  /** Multikey text, `z6Mk…`. */
  publicKey: z.string(),
  createTime: z.string(),
  createName: z.string(),
  retireTime: z.string().nullable(),
  retireName: z.string(),
  retireReason: z.string(),
  issueCount: z.number(),
})

const reason = (label: string) => text(label, 200).min(5, `${label}不能少于 5 个字`)

export const issueApi = {
  list: call('POST', '/transcript/getIssueList', {
    summary: '签发记录',
    permit: 'transcript:list',
    writes: false,
    input: sortedPaging.extend(filters),
    output: paged(issueRow),
  }),
  exportList: fileCall('POST', '/transcript/exportIssues', {
    summary: '导出签发记录',
    permit: 'transcript:exportIssues',
    needsFreshCode: true,
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  /** Every print of an issue, the latest first. */
  prints: call('GET', '/transcript/getPrintLog', {
    summary: '打印记录',
    permit: 'transcript:list',
    input: paging.extend({ tiId: id('签发记录') }),
    output: paged(
      z.object({ tpId: z.string(), printTime: z.string(), printName: z.string(), printWay: z.enum(codesOf(printWay)) }),
    ),
  }),
  reprint: call('POST', '/transcript/reprint', {
    summary: '补打成绩单',
    permit: 'transcript:export',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  credential: call('POST', '/transcript/getCredential', {
    summary: '下载成绩凭证',
    permit: 'transcript:export',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  /** The issue as a Comprehensive Learner Record 2.0 (1EdTech), each record in it a signed Open Badge. */
  learnerRecord: call('POST', '/transcript/getLearnerRecord', {
    summary: '下载学习档案',
    permit: 'transcript:export',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  /** One record of a student as an Open Badge 3.0. */
  badge: call('POST', '/transcript/getBadge', {
    summary: '下载徽章',
    permit: 'transcript:export',
    gives: 'file',
    input: z.strictObject({ suId: id('学生'), recId: id('记录'), format: badgeFormat }),
    output: fileOutput,
  }),
  revoke: call('POST', '/transcript/revoke', {
    summary: '撤销成绩单',
    permit: 'transcript:revoke',
    input: z.strictObject({ ids, reason: reason('撤销原因') }),
    output: done,
    forAll: [{ list: '/api/schoolbase/transcript/getIssueList', row: 'tiId', name: ['serial', 'suiName'], ids: 'ids' }],
  }),
  keys: call('GET', '/transcript/getSigningKeys', {
    summary: '签名密钥',
    permit: 'signkey:list',
    input: z.object({}),
    output: z.array(signingKeyRow),
  }),
  rotate: call('POST', '/transcript/rotateKey', {
    summary: '更换签名密钥',
    permit: 'signkey:edit',
    input: z.strictObject({ reason: reason('更换原因') }),
    output: z.object({ skId: z.string() }),
  }),
}
