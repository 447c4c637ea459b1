import { z } from 'zod'
import { call } from '../../core/call.ts'
import { flag, id, integer } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'
import {
  columnMatch,
  fileColumns,
  importBatch,
  importColumn,
  importKind,
  importRow,
  importTarget,
  verdicts,
} from './imports.schema.ts'

const batchOf = z.object({ kind: importKind, ibId: id('导入批次') })

/**
 * How many seconds the answer may wait for work that takes its time; 25 unless given. After that, or at once with 0,
 * the batch is answered as it stands, and `batch` tells how far it is.
 */
const wait = integer('等待秒数', 0, 25).default(25)

/**
 * Importing from a sheet, the same way for every kind: upload and see what would happen, match columns, correct rows in
 * place, commit, undo. The right is that of the kind, so the calls ask only that somebody is signed in and the machine
 * asks the rest. A file of any size is checked, written and taken back whole or not at all, whatever is broken off
 * when.
 */
export const importApi = {
  template: fileCall('GET', '/import/{kind}/template', {
    summary: '下载导入模板',
    permit: 'signed-in',
    input: importTarget.extend({ kind: importKind }),
  }),
  upload: call('POST', '/import/{kind}', {
    summary: '上传导入文件',
    permit: 'signed-in',
    takes: 'upload',
    /**
     * With `commit` the faultless rows are imported at once; with `commit` 0 the file is only checked. Left out, it is
     * imported, but only checked for callers who prefer strict handling or name `match` (decision 034). With `match` a
     * file whose headers are not those of the template waits for its columns to be matched instead of being refused.
     */
    input: importTarget.extend({
      kind: importKind,
      commit: flag('直接导入').optional(),
      match: flag('匹配列').optional(),
      wait,
    }),
    output: importBatch,
  }),
  errors: fileCall('GET', '/import/{kind}/errors', {
    summary: '下载错误明细',
    permit: 'signed-in',
    input: z.object({ kind: importKind, errorId: z.string('缺少错误明细编号').max(100, '错误明细编号不正确') }),
  }),
  batch: call('GET', '/import/{kind}/batch', {
    summary: '查看导入批次',
    permit: 'signed-in',
    input: batchOf,
    output: importBatch,
  }),
  columns: call('GET', '/import/{kind}/columns', {
    summary: '查看文件的列',
    permit: 'signed-in',
    input: batchOf.extend({ headNo: integer('表头行号', 1, 1_048_576).optional() }),
    output: fileColumns,
  }),
  match: call('POST', '/import/{kind}/match', {
    summary: '匹配列',
    permit: 'signed-in',
    /** The match is remembered for the next file of this person with the same headers. */
    input: z.strictObject({
      ...batchOf.shape,
      headNo: integer('表头行号', 1, 1_048_576),
      columns: z.array(columnMatch).min(1, '请至少匹配一列').max(200),
      wait,
    }),
    output: importBatch,
  }),
  preview: call('GET', '/import/{kind}/preview', {
    summary: '查看导入明细',
    permit: 'signed-in',
    input: paging.extend({
      ...batchOf.shape,
      verdict: z.enum(verdicts, '结论不正确').optional(),
      hinted: flag('只看提示').optional(),
    }),
    output: paged(importRow).extend({ batch: importBatch, columns: z.array(importColumn) }),
  }),
  editRow: call('POST', '/import/{kind}/row', {
    summary: '修正导入行',
    permit: 'signed-in',
    /** All cells of the row; one left out is empty. */
    input: z.strictObject({
      ...batchOf.shape,
      rowNo: integer('行号', 1, 1_048_576),
      cells: z.record(z.string().max(50), z.string().max(32_767, '内容过长')),
    }),
    output: z.object({ row: importRow, batch: importBatch }),
  }),
  skipRow: call('POST', '/import/{kind}/skip', {
    summary: '跳过导入行',
    permit: 'signed-in',
    /** `skip: false` takes the row in again. */
    input: z.strictObject({ ...batchOf.shape, rowNo: integer('行号', 1, 1_048_576), skip: flag('跳过').default(true) }),
    output: z.object({ row: importRow, batch: importBatch }),
  }),
  commit: call('POST', '/import/{kind}/commit', {
    summary: '确认导入',
    permit: 'signed-in',
    input: z.strictObject({
      ...batchOf.shape,
      skipFaults: flag('跳过错误行').optional(),
      newOnly: flag('只新增').optional(),
      wait,
    }),
    output: importBatch,
  }),
  undo: call('POST', '/import/{kind}/undo', {
    summary: '撤销导入',
    permit: 'signed-in',
    input: batchOf.extend({ wait }),
    output: importBatch,
  }),
  discard: call('POST', '/import/{kind}/discard', {
    summary: '放弃导入',
    permit: 'signed-in',
    input: batchOf,
    output: importBatch,
  }),
  /** Stops a commit or an undo that is under way; nothing of it remains. */
  cancel: call('POST', '/import/{kind}/cancel', {
    summary: '停止导入',
    permit: 'signed-in',
    input: batchOf,
    output: importBatch,
  }),
  batches: call('GET', '/import/{kind}/batches', {
    summary: '导入记录',
    permit: 'signed-in',
    /** Where the rows go into a record, those of that record only. */
    input: paging.extend({ ...importTarget.shape, kind: importKind }),
    output: paged(importBatch),
  }),
}
