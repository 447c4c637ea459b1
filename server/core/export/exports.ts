import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { exportReasonFrom } from '../../../contract/core/exports.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { csvType, xlsxType, type FileAnswer } from '../../../contract/core/file.ts'
import type { Page } from '../../../contract/core/paging.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import { audit } from '../audit/audit.ts'
import type { Context } from '../request/context.ts'
import { exportsLess } from '../request/scope-check.ts'
import type { SheetRecord } from '../sheets/sheet-xml.ts'
import { writeXlsx } from '../sheets/write-xlsx.ts'
import { text, type ExportColumn } from './columns.ts'
import { writeCsv } from './csv.ts'

interface ListExport<R> {
  /** Name of the file (without ending) and of its sheet. */
  title: string
  /**
   * What kind of list it is, for the audit row (`导出参与人员`), where the title also names a record; the title unless given.
   */
  what?: string
  /** See `columns.ts`. */
  columns: readonly ExportColumn<R>[]
  /** Rows in batches, already limited to what the caller may see; see {@link inBatches} and {@link inPages}. */
  rows: AsyncIterable<readonly R[]>
  /** The input of the call: its `reason`, and the filter that was used, for the audit trail. */
  filter?: { reason?: string | undefined; [field: string]: unknown }
}

const noteColumns = [text('项目', 'item', 14), text('内容', 'value', 60)]

/**
 * A list as a workbook, streamed while it is being read: memory does not grow with it. Carries who exported it and when
 * (behind the cells, on the last sheet and on the foot of every printed page), and is audited with its filter, its
 * number of rows and the SHA-256 of the file, also when it was broken off. Whoever wants comma-separated text gets the
 * same columns and rows; who exported it then stands in the name of the file.
 * Where the list shows the caller more than they may take out, refusals and workbook say so.
 * @throws Failure `nothing-to-export` where there is no row, `export-reason-needed` for more than {@link
 *   exportReasonFrom} rows without a reason
 */
export async function exportList<R>(
  ctx: Context,
  { title, what = title, columns, rows, filter: { reason, current: _, pageSize: __, ...filter } = {} }: ListExport<R>,
): Promise<FileAnswer> {
  const maker = { name: `${ctx.actor.suNickname}（${ctx.actor.suLoginName}）`, time: ctx.clock.now() }
  const source = rows[Symbol.asyncIterator]()
  // asked before the answer begins: a refusal or a database error still gets its proper answer
  const first = await beginningOf(source)
  const isPart = exportsLess(ctx)
  if (first.length === 0) throw new Failure(isPart ? 'nothing-permitted-to-export' : 'nothing-to-export')
  try {
    assertReason(
      first.reduce((sum, batch) => sum + batch.length, 0),
      reason,
      isPart,
    )
  } catch (refusal) {
    await source.return?.()
    throw refusal
  }

  let count = 0
  async function* counted(): AsyncGenerator<readonly R[]> {
    try {
      for (const batch of first) {
        count += batch.length
        yield batch
        ctx.onRows?.(count)
      }
      for (let next = await source.next(); !next.done; next = await source.next()) {
        count += next.value.length
        yield next.value
        ctx.onRows?.(count)
      }
    } finally {
      await source.return?.()
    }
  }
  async function* note() {
    yield [
      { item: '名称', value: title },
      { item: '导出人', value: maker.name },
      { item: '导出时间', value: maker.time },
      { item: '行数', value: String(count) },
      ...(isPart ? [{ item: '范围', value: '只含列表中导出人有导出权限的部分' }] : []),
      ...(reason ? [{ item: '导出原因', value: reason }] : []),
    ]
  }
  const isCsv = ctx.origin.wantsCsv === true
  const bytes = isCsv
    ? writeCsv(columns, counted())
    : writeXlsx({
        sheets: [
          { name: title, ...sheetOf(columns, counted()) },
          { name: '导出说明', ...sheetOf(noteColumns, note()) },
        ],
        maker,
      })
  const body = auditedFile(ctx, bytes, {
    title,
    what,
    reason,
    about: () => ({ rows: count, fields: columns.map((column) => column.label), filter }),
  })
  const name = `${title}_${maker.time.slice(0, 10)}`
  return isCsv
    ? { name: `${name}_${ctx.actor.suLoginName}.csv`, type: csvType, body }
    : { name: `${name}.xlsx`, type: xlsxType, body }
}

/**
 * What the workbook writer takes: columns known by their place, and rows of cells. Two columns may show the same field.
 */
function sheetOf<R>(columns: readonly ExportColumn<R>[], batches: AsyncIterable<readonly R[]>) {
  const keyed = columns.map(({ valueOf: _, ...column }, at) => ({ ...column, key: String(at) }))
  const record = (row: R): SheetRecord => Object.fromEntries(columns.map(({ valueOf }, at) => [at, valueOf(row)]))
  return { columns: keyed as readonly SheetColumn[], rows: mapped(batches, record) }
}

/**
 * What leaves with the data of many leaves with a reason (docs/security.md S11).
 * @param isPart whether the list has more rows than these, which the caller may not take out
 * @throws Failure `export-reason-needed` for more than {@link exportReasonFrom} rows without one
 */
export function assertReason(rows: number, reason: string | undefined, isPart = false): void {
  if (!reason && rows > exportReasonFrom)
    throw new Failure(isPart ? 'export-part-reason-needed' : 'export-reason-needed', { n: exportReasonFrom })
}

/**
 * A file that is still being made, audited with its size and SHA-256 when it has been taken whole, and also when it was
 * broken off.
 * @param about what else is told of it then
 */
export function auditedFile(
  ctx: Context,
  bytes: Readable,
  {
    title,
    what,
    reason = '',
    about,
  }: { title: string; what: string; reason?: string | undefined; about: () => object },
): Readable {
  let isAudited = false
  const auditOnce = async (file: { whole: boolean; sha256?: string; size?: number }) => {
    isAudited = true
    await audit(ctx, {
      action: `导出${what}`,
      bizType: 'export',
      bizName: title,
      reason,
      after: { ...file, ...about() },
    })
  }
  const body = Readable.from(
    audited(bytes, (sha256, size) => auditOnce({ whole: true, sha256, size })),
    { objectMode: false, highWaterMark: 65_536 },
  )
  body.once('close', () => {
    bytes.destroy()
    if (!isAudited) auditOnce({ whole: false }).catch((err: unknown) => ctx.log.error({ err }, 'export broken off'))
  })
  return body
}

interface DocumentExport {
  /** Name of the file, without ending. */
  title: string
  /** What kind of document it is, for the audit row. */
  what: string
  ending: string
  type: string
  bytes: Uint8Array
  /** Rows of all its tables. */
  rows: number
  filter?: ListExport<never>['filter']
}

/**
 * A document made of lists as a file, under the rules of exports: a reason for a long one, and an audit row with its
 * filter, rows and SHA-256. Whoever makes it puts in who took it out and when.
 * @throws Failure `export-reason-needed` for more than {@link exportReasonFrom} rows without a reason
 */
export async function exportDocument(
  ctx: Context,
  { title, what, ending, type, bytes, rows, filter: { reason, ...filter } = {} }: DocumentExport,
): Promise<FileAnswer> {
  assertReason(rows, reason)
  await audit(ctx, {
    action: `导出${what}`,
    bizType: 'export',
    bizName: title,
    reason: reason ?? '',
    after: { rows, whole: true, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length, filter },
  })
  return { name: `${title}.${ending}`, type, body: bytes }
}

/** The first batches of a list, until it is clear whether it is a long one. */
async function beginningOf<R>(source: AsyncIterator<readonly R[]>): Promise<(readonly R[])[]> {
  const batches: (readonly R[])[] = []
  for (let count = 0; count <= exportReasonFrom;) {
    const next = await source.next()
    if (next.done) break
    if (next.value.length > 0) batches.push(next.value)
    count += next.value.length
  }
  return batches
}

/**
 * Passes bytes on and keeps the last of them back until what they are has been told: what cannot be audited does not
 * leave as a whole file.
 */
async function* audited(
  bytes: AsyncIterable<Buffer>,
  auditOnce: (sha256: string, size: number) => Promise<void>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let size = 0
  let kept: Buffer | undefined
  for await (const chunk of bytes) {
    hash.update(chunk)
    size += chunk.length
    if (kept) yield kept
    kept = chunk
  }
  await auditOnce(hash.digest('hex'), size)
  if (kept) yield kept
}

/**
 * Reads a list by its key, page after page, so that no statement is long and none gets slower towards the end.
 * @param fetchAfter the next rows after the last one read (undefined at first), in order of a unique key; none at the
 *   end
 */
export async function* inBatches<R>(fetchAfter: (last: R | undefined) => Promise<R[]>): AsyncGenerator<R[]> {
  for (let last: R | undefined; ;) {
    const rows = await fetchAfter(last)
    if (rows.length === 0) return
    yield rows
    last = rows.at(-1)
  }
}

/** Reads a list page after page; for lists of at most some thousands, where that stays cheap. */
export async function* inPages<I extends object, R>(
  list: (input: I & { current: number; pageSize: number }) => Promise<Page<R>>,
  input: I,
): AsyncGenerator<R[]> {
  for (let current = 1, last = 1; current <= last; current++) {
    const page = await list({ ...input, current, pageSize: 500 })
    last = page.pages
    yield page.records
  }
}

/**
 * The export of a paged list: a function of the export's context and input that gives out everything that the list
 * shows for the same filters.
 * @param list the query of the list; the export's input has all of its filters
 */
export const pagedExport =
  <R, I extends object>(
    title: string,
    columns: readonly ExportColumn<R>[],
    list: (ctx: Context, input: I) => Promise<Page<R>>,
  ) =>
  (ctx: Context, input: Omit<I, 'current' | 'pageSize'> & { reason?: string | undefined }): Promise<FileAnswer> =>
    exportList(ctx, {
      title,
      columns,
      rows: inPages((page) => list(ctx, page as I & typeof page), input),
      filter: input,
    })

/** The same batches with every row in another shape. */
async function* mapped<R, S>(batches: AsyncIterable<readonly R[]>, shape: (row: R) => S): AsyncGenerator<S[]> {
  for await (const rows of batches) yield rows.map(shape)
}
