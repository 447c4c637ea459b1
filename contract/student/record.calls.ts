import { z } from 'zod'
import { valuesOf } from '../core/dictionary.ts'
import { call } from '../core/call.ts'
import { done, id, integer, text } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { applicationRow } from '../outcomes/transcripts/applications.calls.ts'
import { badgeFormat, issueApi } from '../outcomes/transcripts/issues.calls.ts'
import { printOptions, transcriptApi } from '../outcomes/transcripts/transcripts.calls.ts'
import { thresholdApi, warningRow } from '../outcomes/thresholds/thresholds.calls.ts'
import { credibilityApi } from '../school/people/credibility.calls.ts'

/** What a student is short of and what would help: null where the school has not checked them yet. */
const prospect = z.object({
  warning: warningRow
    .pick({
      warnLevel: true,
      totalHave: true,
      totalNeed: true,
      totalGap: true,
      finalGap: true,
      zeroTerm: true,
      gaps: true,
      calcTime: true,
    })
    .nullable(),
  suggestions: thresholdApi.detail.output.shape.suggestions,
})

/** What a record was worth, decimal text. */
const worth = z.object({ hours: z.string(), credit: z.string(), points: z.string() })

/** A row of the transcript with what was corrected of it, the earliest first: since when, from what to what, why. */
const ownEntry = transcriptApi.rows.output.shape.records.element.extend({
  corrections: z.array(z.object({ time: z.string(), before: worth, after: worth, why: z.string() })),
})

/** A student's own record, as their transcript has it. */
export const ownRecordApi = {
  summary: call('GET', '/student/record', {
    summary: '我的成绩单概要',
    permit: 'student:self',
    input: z.object(printOptions),
    output: transcriptApi.header.output,
  }),
  entries: call('GET', '/student/recordEntries', {
    summary: '我的学时明细',
    permit: 'student:self',
    input: paging.extend({ lsId: id('模块').optional() }),
    output: paged(ownEntry),
  }),
  prospect: call('GET', '/student/recordProspect', {
    summary: '我还差多少',
    permit: 'student:self',
    input: z.object({}),
    output: prospect,
  }),
  credibility: call('GET', '/student/credibility', {
    summary: '我的诚信分',
    permit: 'student:self',
    input: z.object({}),
    output: credibilityApi.standing.output.omit({ can: true }).extend({
      /** What gives points back, in words of the school's rules. */
      gains: z.array(z.string()),
    }),
  }),
  credibilityLog: call('GET', '/student/credibilityLog', {
    summary: '我的诚信分记录',
    permit: 'student:self',
    input: paging,
    output: paged(
      z.object({
        cgId: z.string(),
        createTime: z.string(),
        change: z.number(),
        after: z.number(),
        reasonCode: z.enum(valuesOf('credibility_reason')),
        reason: z.string(),
        liName: z.string(),
        restored: z.boolean(),
      }),
    ),
  }),
  /**
   * What was issued of one's own transcript. `mayPrint`: the school lets students issue and print
   * theirs; `hasBadges`: each record can be had as a badge.
   */
  issues: call('GET', '/student/transcripts', {
    summary: '我的签发成绩单',
    permit: 'student:self',
    input: paging,
    output: paged(
      issueApi.list.output.shape.records.element.pick({
        tiId: true,
        serial: true,
        tiExtract: true,
        tiLang: true,
        tiStatus: true,
        issueTime: true,
        revokeReason: true,
      }),
    ).extend({ mayPrint: z.boolean(), hasBadges: z.boolean() }),
  }),
  credential: call('POST', '/student/credential', {
    summary: '下载我的成绩凭证',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  learnerRecord: call('POST', '/student/learnerRecord', {
    summary: '下载我的学习档案',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  badge: call('POST', '/student/badge', {
    summary: '下载我的徽章',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject({ recId: id('记录'), format: badgeFormat }),
    output: fileOutput,
  }),
  /** The student's applications for a signed transcript, the latest first, and whether they may make one now. */
  applications: call('GET', '/student/transcriptApplications', {
    summary: '我的成绩单申请',
    permit: 'student:self',
    input: paging,
    output: paged(
      applicationRow.pick({
        taId: true,
        taLang: true,
        taPurpose: true,
        taCopies: true,
        taStatus: true,
        createTime: true,
        decideName: true,
        decideTime: true,
        decideReason: true,
        tiId: true,
        serial: true,
      }),
    ).extend({ isOffered: z.boolean(), mayApply: z.boolean() }),
  }),
  apply: call('POST', '/student/applyTranscript', {
    summary: '申请正式成绩单',
    permit: 'student:self',
    input: z.strictObject({
      ...printOptions,
      taPurpose: text('用途', 200),
      /** How many on paper; 0 for the file alone. */
      taCopies: integer('纸质份数', 0, 10).default(0),
    }),
    output: z.object({ taId: z.string() }),
  }),
  withdraw: call('POST', '/student/withdrawTranscriptApplication', {
    summary: '撤回成绩单申请',
    permit: 'student:self',
    input: z.strictObject({ taId: id('申请') }),
    output: done,
  }),
  /** The PDF of what was issued upon an application, or of any issue where students may print theirs. */
  issued: call('POST', '/student/issuedTranscript', {
    summary: '下载已签发的成绩单',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject({ tiId: id('签发记录') }),
    output: fileOutput,
  }),
  print: call('POST', '/student/printTranscript', {
    summary: '打印我的成绩单',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject(printOptions),
    output: fileOutput,
  }),
}
