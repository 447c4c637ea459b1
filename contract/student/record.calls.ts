import { z } from 'zod'
import { valuesOf } from '../core/dictionary.ts'
import { call } from '../core/call.ts'
import { id } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
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
    output: transcriptApi.rows.output,
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
  print: call('POST', '/student/printTranscript', {
    summary: '打印我的成绩单',
    permit: 'student:self',
    gives: 'file',
    input: z.strictObject(printOptions),
    output: fileOutput,
  }),
}
