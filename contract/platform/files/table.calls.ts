import { z } from 'zod'
import { call } from '../../core/call.ts'
import { text } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'

const cell = z.union([z.string().max(500), z.number()]).nullable()

export const tableApi = {
  /** A table that stands on the screen (the figures of a chart) as a workbook. */
  sheet: call('POST', '/file/tableSheet', {
    summary: '下载图表数据',
    permit: 'signed-in',
    cost: 'plain',
    writes: false,
    gives: 'file',
    input: z.strictObject({
      title: text('标题', 60),
      heads: z.array(text('列名', 60)).min(1).max(40),
      rows: z.array(z.array(cell).max(40)).min(1).max(500),
    }),
    output: fileOutput,
  }),
}
