import { Failure } from '../../contract/core/failure.ts'
import { xlsxType, type FileAnswer } from '../../contract/core/file.ts'
import type { SheetColumn } from '../../contract/core/sheets.ts'
import { audit } from './audit.ts'
import type { Context } from './context.ts'
import type { SheetRecord } from './sheets/sheet-xml.ts'
import { writeXlsx } from './sheets/write-xlsx.ts'

export interface ListExport {
  /** Name of the file (without ending), of its sheet and of the audit row. */
  title: string
  columns: readonly SheetColumn[]
  /** Rows in batches, already limited to what the caller may see; see {@link inBatches}. */
  rows: AsyncIterable<readonly SheetRecord[]>
  /** The filter that was used, for the audit trail. */
  filter?: object
}

const noteColumns = [{ key: 'item', label: '项目', width: 14 }, { key: 'value', label: '内容', width: 60, max: 1000 }] as const satisfies readonly SheetColumn[]

/**
 * A list as a workbook, streamed while it is being read: memory does not grow with it. Carries who exported it and when (last
 * sheet and foot of every printed page), and is audited with its number of rows, also when it was broken off.
 * @throws Failure `nothing-to-export` where there is no row
 */
export async function exportList(ctx: Context, { title, columns, rows, filter }: ListExport): Promise<FileAnswer> {
  const maker = { name: `${ctx.actor.suNickname}（${ctx.actor.suLoginName}）`, time: ctx.clock.now() }
  const source = rows[Symbol.asyncIterator]()
  // asked before the answer begins: a refusal or a database error still gets its proper answer
  let first = await source.next()
  while (!first.done && first.value.length === 0) first = await source.next()
  if (first.done) throw new Failure('nothing-to-export')

  let count = 0
  let told = false
  const tell = async (whole: boolean) => {
    told = true
    await audit(ctx, { action: `导出${title}`, bizType: 'export', bizName: title, after: { rows: count, whole, fields: columns.map((column) => column.label), filter: filter ?? {} } })
  }
  async function* counted(): AsyncGenerator<readonly SheetRecord[]> {
    for (let next = first; !next.done; next = await source.next()) {
      count += next.value.length
      yield next.value
    }
    // before the last byte: what cannot be audited does not leave as a whole file
    await tell(true)
  }
  function* note(): Generator<SheetRecord[]> {
    yield [{ item: '名称', value: title }, { item: '导出人', value: maker.name }, { item: '导出时间', value: maker.time }, { item: '行数', value: String(count) }]
  }
  const sheets = [{ name: title, columns, rows: counted() }, { name: '导出说明', columns: noteColumns, rows: note() }]
  const body = writeXlsx({ sheets, maker })
  body.once('close', () => {
    if (told) return
    Promise.all([source.return?.(), tell(false)]).catch((err: unknown) => ctx.log.error({ err }, 'export broken off'))
  })
  return { name: `${title}_${maker.time.slice(0, 10)}.xlsx`, type: xlsxType, body }
}

/**
 * Reads a list by its key, page after page, so that no statement is long and none gets slower towards the end.
 * @param fetchAfter the next rows after the last one read (undefined at first), in order of a unique key; none at the end
 */
export async function* inBatches<R>(fetchAfter: (last: R | undefined) => Promise<R[]>): AsyncGenerator<R[]> {
  for (let last: R | undefined; ; ) {
    const rows = await fetchAfter(last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
  }
}
