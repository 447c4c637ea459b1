import { z } from 'zod'
import { call } from '../../core/call.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { printBatchStatus } from '../../core/codes/outcomes.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, pick, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'
import { printOptions, transcriptPeriod } from './transcripts.calls.ts'

/** A file of one document with bookmarks, or an archive of single ones. */
export const batchFormats = { pdf: '合并为一个 PDF', zip: '每人一个 PDF（ZIP）' } as const
const formats = Object.keys(batchFormats) as (keyof typeof batchFormats)[]

/** The most students of one batch. */
export const maxBatch = 20_000
/** Days for which the file of a batch is kept. */
export const batchDays = 7

const batchRow = z.object({
  tbId: z.string(),
  tbTitle: z.string(),
  tbFormat: z.enum(formats as ['pdf', 'zip']),
  tbStatus: z.enum(codesOf(printBatchStatus)),
  /** 0 to 100. */
  progress: z.number(),
  total: z.number(),
  doneCount: z.number(),
  /** Students left out, and why; the first ones. */
  faultCount: z.number(),
  faults: z.array(z.object({ name: z.string(), msg: z.string() })),
  fileSize: z.number().nullable(),
  createTime: z.string(),
  endTime: z.string().nullable(),
  can: z.array(z.enum(['cancel', 'download', 'remove'])),
})
export type TranscriptBatch = z.infer<typeof batchRow>

/** Batches belong to whoever asked for them: nobody else sees or fetches them. */
export const transcriptBatchApi = {
  start: call('POST', '/transcript/startBatch', {
    summary: '批量打印成绩单',
    permit: 'transcript:export',
    /** The filters of the transcript list, or single students. */
    input: z.strictObject({
      search: search('姓名或学号').optional(),
      collegeId: id('学院').optional(),
      majorId: id('专业').optional(),
      classId: id('班级').optional(),
      grade: z.string().max(10).optional(),
      suIds: ids.optional(),
      title: z.string().trim().max(60, '名称不能超过 60 个字').optional().meta({ label: '名称', max: 60 }),
      format: pick('文件', formats as ['pdf', 'zip']).default('pdf'),
      ...transcriptPeriod,
      ...printOptions,
      reason: exportReason,
    }),
    output: z.object({ tbId: z.string(), total: z.number() }),
  }),
  list: call('GET', '/transcript/getBatchList', {
    summary: '批量打印记录',
    permit: 'transcript:export',
    input: paging,
    output: paged(batchRow),
  }),
  cancel: call('POST', '/transcript/cancelBatch', {
    summary: '取消批量打印',
    permit: 'transcript:export',
    input: z.strictObject({ tbId: id('批次') }),
    output: done,
  }),
  download: fileCall('GET', '/transcript/downloadBatch', {
    summary: '下载批量打印的文件',
    permit: 'transcript:export',
    needsFreshCode: true,
    input: z.object({ tbId: id('批次') }),
  }),
  remove: call('POST', '/transcript/removeBatch', {
    summary: '删除批量打印的文件',
    permit: 'transcript:export',
    input: z.strictObject({ tbId: id('批次') }),
    output: done,
  }),
}
