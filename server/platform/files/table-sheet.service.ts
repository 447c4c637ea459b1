import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { tableApi } from '../../../contract/platform/files/table.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { figure, text } from '../../core/export/columns.ts'
import { exportList } from '../../core/export/exports.ts'

/** What a file may be called: file systems refuse some characters. The writer cuts the name of the sheet by itself. */
const fileTitle = (title: string): string => title.replace(/[\\/?*[\]:'"<>|]/g, ' ').trim() || '图表数据'

type Row = Checked<typeof tableApi.sheet>['rows'][number]

/** The table as a workbook, with who took it out and when, audited like every export. */
export function tableSheet(
  ctx: Context,
  { title, heads: headers, rows }: Checked<typeof tableApi.sheet>,
): Promise<FileAnswer> {
  // a column of nothing but numbers stays one that can be calculated with
  const columns = headers.map((label, at) => {
    const isNumbers = rows.every((row) => typeof row[at] === 'number' || (row[at] ?? '') === '')
    const width = at === 0 ? 28 : 14
    return isNumbers
      ? figure(label, (row: Row) => (typeof row[at] === 'number' ? row[at] : null), width)
      : text(label, (row: Row) => row[at], width)
  })
  async function* all() {
    yield rows
  }
  return exportList(ctx, { title: fileTitle(title), what: '图表数据', columns, rows: all() })
}
