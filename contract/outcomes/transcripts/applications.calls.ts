import { z } from 'zod'
import { batchResult } from '../../core/batch-result.ts'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { applicationStatus } from '../../core/codes/outcomes.ts'
import { exportReason } from '../../core/exports.ts'
import { id, ids, pick, rangeEnd, rangeStart, reason, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'

/** A student's application for a signed transcript. */
export const applicationRow = z.object({
  taId: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  className: z.string(),
  taLang: z.enum(['zh', 'en']),
  taPurpose: z.string(),
  /** How many on paper; 0 for the file alone. */
  taCopies: z.number(),
  taStatus: z.enum(codesOf(applicationStatus)),
  createTime: z.string(),
  decideName: z.string(),
  decideTime: z.string().nullable(),
  decideReason: z.string(),
  /** What was issued upon it; null while nothing was. */
  tiId: z.string().nullable(),
  serial: z.string().nullable(),
  can: z.array(z.enum(['accept', 'refuse', 'reprint'])),
})
export type ApplicationRow = z.output<typeof applicationRow>

const filters = {
  search: search('姓名或学号').optional(),
  collegeId: id('学院').optional(),
  taStatus: pick('状态', codesOf(applicationStatus)).optional(),
  startTime: rangeStart('申请开始时间').optional(),
  endTime: rangeEnd('申请结束时间').optional(),
}

const forAll = [
  {
    list: '/api/schoolbase/transcript/getApplicationList',
    row: 'taId',
    name: ['suiName', 'suiNumber'],
    ids: 'ids',
  },
]

/** Applications of students for a signed transcript, which whoever may issue it decides (decision 110). */
export const transcriptApplicationApi = {
  list: call('POST', '/transcript/getApplicationList', {
    summary: '成绩单申请',
    permit: 'transcript:list',
    writes: false,
    input: sortedPaging.extend(filters),
    output: paged(applicationRow),
  }),
  exportList: fileCall('POST', '/transcript/exportApplications', {
    summary: '导出成绩单申请',
    permit: 'transcript:exportIssues',
    needsFreshCode: true,
    input: sortedPaging.extend({ ...filters, reason: exportReason }),
  }),
  /** Issues a transcript for each, once, and tells the students. */
  accept: call('POST', '/transcript/acceptApplications', {
    summary: '同意成绩单申请',
    permit: 'transcript:export',
    input: z.strictObject({ ids }),
    output: batchResult,
    forAll,
  }),
  refuse: call('POST', '/transcript/refuseApplications', {
    summary: '不同意成绩单申请',
    permit: 'transcript:export',
    input: z.strictObject({ ids, reason: reason('原因') }),
    output: batchResult,
    forAll,
  }),
}
