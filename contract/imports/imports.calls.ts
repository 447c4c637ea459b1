import { z } from 'zod'
import { call } from '../core/call.ts'
import { flag, id, whole } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { importBatch, importColumn, importKind, importRow, importTarget, verdicts } from './imports.schema.ts'

const batchOf = z.object({ kind: importKind, ibId: id('导入批次') })

/**
 * Importing from a sheet, the same way for every kind: upload and see what would happen, correct rows in place, commit, undo.
 * The right is that of the kind, so the calls ask only that somebody is signed in and the machine asks the rest.
 */
export const importApi = {
  template: call('GET', '/import/{kind}/template', {
    summary: '下载导入模板',
    permit: 'signed-in',
    gives: 'file',
    input: importTarget.extend({ kind: importKind }),
    output: fileOutput,
  }),
  upload: call('POST', '/import/{kind}', {
    summary: '上传导入文件',
    permit: 'signed-in',
    takes: 'upload',
    /** With `commit` the faultless rows are imported at once; without, the file is only checked. */
    input: importTarget.extend({ kind: importKind, commit: flag('直接导入').optional() }),
    output: importBatch,
  }),
  errors: call('GET', '/import/{kind}/errors', {
    summary: '下载错误明细',
    permit: 'signed-in',
    gives: 'file',
    input: z.object({ kind: importKind, errorId: z.string('缺少错误明细编号').max(100, '错误明细编号不正确') }),
    output: fileOutput,
  }),
  preview: call('GET', '/import/{kind}/preview', {
    summary: '查看导入明细',
    permit: 'signed-in',
    input: paging.extend({ ...batchOf.shape, verdict: z.enum(verdicts, '结论不正确').optional() }),
    output: paged(importRow).extend({ batch: importBatch, columns: z.array(importColumn) }),
  }),
  editRow: call('POST', '/import/{kind}/row', {
    summary: '修正导入行',
    permit: 'signed-in',
    /** All cells of the row; one left out is empty. */
    input: z.strictObject({ ...batchOf.shape, rowNo: whole('行号', 1, 1_048_576), cells: z.record(z.string().max(50), z.string().max(32_767, '内容过长')) }),
    output: z.object({ row: importRow, batch: importBatch }),
  }),
  commit: call('POST', '/import/{kind}/commit', {
    summary: '确认导入',
    permit: 'signed-in',
    input: z.strictObject({ ...batchOf.shape, skipFaults: flag('跳过错误行').optional() }),
    output: importBatch,
  }),
  undo: call('POST', '/import/{kind}/undo', { summary: '撤销导入', permit: 'signed-in', input: batchOf, output: importBatch }),
  discard: call('POST', '/import/{kind}/discard', { summary: '放弃导入', permit: 'signed-in', input: batchOf, output: importBatch }),
  batches: call('GET', '/import/{kind}/batches', {
    summary: '导入记录',
    permit: 'signed-in',
    input: paging.extend({ kind: importKind }),
    output: paged(importBatch),
  }),
}
