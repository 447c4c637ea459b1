import type { IncomingMessage } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'
import { Failure } from '../../../contract/core/failure.ts'
import { readWhole } from '../../core/base/outbound.ts'
import type { Context } from '../../core/request/context.ts'
import { maxDataRows } from '../../core/sheets/limits.ts'
import type { SourceConnection } from './source-connection.ts'

/** Bytes that are taken of one source. */
export const maxSourceBytes = 50 * 1_048_576

/** Milliseconds for which a file must not have changed before it is taken. */
export const settledMs = 2_000

/** What a fetcher is given beside the connection. */
export interface FetchOptions {
  /** A private folder that is removed afterwards. */
  folder: string
  secret: string | null
  /** `SourceKind` */
  kind: string
  signal: AbortSignal
}

/** Brings the data of a source into a file. @throws Failure, and whatever the network throws */
export type Fetcher = (
  ctx: Context,
  place: SourceConnection,
  options: FetchOptions,
) => Promise<{ path: string; name: string }>

/** Throws unless the answer brings what was asked for. @throws Failure `source-unreachable` */
export function assertAnswered(answer: IncomingMessage): void {
  const { statusCode = 0 } = answer
  if (statusCode >= 200 && statusCode <= 299) return
  answer.destroy()
  throw new Failure('source-unreachable', { why: statusText(statusCode) })
}

/** Reads an answer of no more than some bytes. @throws Failure `source-too-large` */
export const readFetched = (answer: IncomingMessage, maxBytes: number): Promise<Buffer> =>
  readWhole(answer, maxBytes, tooLarge)

const statusText = (status: number): string =>
  status === 401 || status === 403
    ? `对方拒绝了访问（${status}），请核对密钥与权限`
    : status === 404
      ? '对方没有该地址（404），请核对地址'
      : status >= 300 && status <= 399
        ? `对方要求转到别处（${status}），请直接填写最终地址`
        : `对方答复 ${status}`

/** Rows of another system as the text table that an upload would be, under the names of the template's columns. */
export async function writeRows(path: string, rows: Record<string, unknown>[], { columns }: SourceConnection) {
  if (rows.length > maxDataRows) throw new Failure('sheet-too-many-rows', { n: maxDataRows })
  const renamed = new Map(columns.map(({ from, to }) => [from, to]))
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const chosen = columns.length > 0 ? fields.filter((field) => renamed.has(field)) : fields
  const content = stringify([
    chosen.map((field) => renamed.get(field) ?? field),
    ...rows.map((row) => chosen.map((field) => cellOf(row[field]))),
  ])
  if (content.length > maxSourceBytes) throw tooLarge()
  await writeFile(path, content)
  return { path, name: 'data.csv' }
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value as string)

/** What comes is more than is taken. */
export const tooLarge = () => new Failure('source-too-large', { limit: `${maxSourceBytes / 1_048_576} MB` })
