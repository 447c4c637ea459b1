import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sourceFormat, sourceWay } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { isListed, openOutbound, OutboundFault, outboundFaultText, resolveOutbound } from '../../core/base/outbound.ts'
import { makeTemporaryFolder } from '../../core/base/temporary-folder.ts'
import type { Context, Upload } from '../../core/request/context.ts'
import { maxDataRows } from '../../core/sheets/limits.ts'
import { fitsPattern } from './fits-pattern.ts'
import { fromScim } from './fetch-scim.ts'
import {
  assertAnswered,
  readFetched,
  settledMs,
  maxSourceBytes,
  tooLarge,
  writeRows,
  type FetchOptions,
  type Fetcher,
} from './fetched-file.ts'
import type { SourceConnection } from './source-connection.ts'

/** What was fetched: a file as an upload would bring it, and the hash by which the same data are recognised. */
interface Fetched extends Upload {
  digest: string
  remove(): Promise<void>
}

/** Milliseconds for everything. */
const timeoutMs = 120_000

/**
 * Fetches the data of a source into a private temporary file, which `remove` takes away again.
 * @throws Failure in words that say what to do
 */
export async function fetchSource(
  ctx: Context,
  { way, kind }: { way: string; kind: string },
  place: SourceConnection,
  secret: string | null,
  signal?: AbortSignal,
): Promise<Fetched> {
  const folder = makeTemporaryFolder('source')
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  const limit = AbortSignal.timeout(timeoutMs)
  const until = signal ? AbortSignal.any([signal, limit]) : limit
  try {
    const { path, name } = await fetchers[way]!(ctx, place, { folder, secret, kind, signal: until })
    const { size } = await stat(path)
    return { path, name, size, digest: await digestOf(path), remove }
  } catch (error) {
    await remove()
    if (error instanceof Failure || signal?.aborted) throw error
    throw new Failure('source-unreachable', { why: outboundFaultText(error) })
  }
}

const fetchers: Record<string, Fetcher> = {
  [sourceWay.folder]: fromFolder,
  [sourceWay.http]: fromHttp,
  [sourceWay.database]: fromDatabase,
  [sourceWay.sftp]: async (...given) => (await import('./fetch-sftp.ts')).fromSftp(...given),
  [sourceWay.scim]: fromScim,
}

/** The newest file of the school's own folder whose name fits, if nobody writes it any more. */
async function fromFolder(
  { config, actor }: Context,
  { fileName }: SourceConnection,
  { folder, signal }: FetchOptions,
) {
  if (!config.sourcesDir) throw new Failure('source-folder-unset')
  const own = join(config.sourcesDir, actor.schoolId)
  const entries = await readdir(own, { withFileTypes: true }).catch(() => [])
  const files = await Promise.all(
    entries
      // a link could lead out of the folder
      .filter((entry) => entry.isFile() && fitsPattern(entry.name, fileName))
      .map(async ({ name }) => ({ name, ...(await stat(join(own, name))) })),
  )
  const newest = files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? 1 : -1))[0]
  if (!newest) throw new Failure('source-no-file', { name: fileName })
  if (newest.size > maxSourceBytes) throw tooLarge()
  const [from, path] = [join(own, newest.name), join(folder, 'content')]
  // one that was written just now may be half of what is coming
  if (Date.now() - newest.mtimeMs < settledMs) await sleep(settledMs, undefined, { signal })
  await copyFile(from, path)
  const [last, copy] = await Promise.all([stat(from), stat(path)])
  if (last.size !== newest.size || last.mtimeMs !== newest.mtimeMs || copy.size !== newest.size)
    throw new Failure('source-file-growing', { name: newest.name })
  return { path, name: newest.name }
}

async function fromHttp({ config }: Context, place: SourceConnection, { folder, secret, signal }: FetchOptions) {
  const headers: Record<string, string> = secret ? { authorization: secret } : {}
  const answer = await openOutbound({ address: place.address, method: 'GET', headers }, config.outboundPrivate, signal)
  assertAnswered(answer)
  const content = await readFetched(answer, maxSourceBytes)
  const path = join(folder, 'content')
  if (place.format !== sourceFormat.json) {
    await writeFile(path, content)
    return { path, name: `data.${place.format}` }
  }
  return writeRows(path, rowsOfJson(content.toString('utf8'), place.jsonPath), place)
}

/** The list of records in a JSON text. */
function rowsOfJson(text: string, path: string): Record<string, unknown>[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Failure('source-not-rows', { why: '对方的答复不是 JSON' })
  }
  for (const step of path.split('.').filter(Boolean))
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[step] : undefined
  const rows = Array.isArray(value) ? (value as unknown[]) : undefined
  if (!rows?.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row)))
    throw new Failure('source-not-rows', { why: '该路径下不是一组记录' })
  return rows as Record<string, unknown>[]
}

/** One view of another PostgreSQL, in a transaction that can only read. */
async function fromDatabase({ config }: Context, place: SourceConnection, { folder, secret, signal }: FetchOptions) {
  const url = new URL(place.address)
  const { address } = await resolveOutbound(url.hostname, config.outboundPrivate, signal)
  const mode = url.searchParams.get('sslmode')
  const isVerified = mode !== null && mode !== 'disable' && mode !== 'require'
  if (!isVerified && !isListed(address, config.outboundPrivate))
    throw new OutboundFault('公网上的数据库须加密连接并核对证书，请在地址后加 ?sslmode=verify-full')
  const client = new pg.Client({
    host: address,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username),
    password: secret ?? '',
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(mode && mode !== 'disable' && { ssl: { servername: url.hostname, rejectUnauthorized: isVerified } }),
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    query_timeout: 65_000,
    application_name: 'dekt',
  })
  // a connection that breaks is told by the query that was under way
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('begin read only')
    const view = place.viewName.split('.').map((part) => client.escapeIdentifier(part))
    const { rows } = await client.query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as "row" from ${view.join('.')} t limit ${maxDataRows + 1}`,
    )
    return await writeRows(
      join(folder, 'content'),
      rows.map(({ row }) => row),
      place,
    )
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('source-unreachable', { why: databaseText(error) })
  } finally {
    await client.end().catch(() => undefined)
  }
}

function databaseText(error: unknown): string {
  const { code = '' } = error as { code?: string }
  const texts: Record<string, string> = {
    '28P01': '账号或口令不正确',
    '28000': '对方不允许该账号从此处连接，请核对 pg_hba.conf',
    '3D000': '没有该数据库，请核对地址',
    '42P01': '没有该视图，请核对视图名',
    '3F000': '没有该模式，请核对视图名',
    '42501': '该账号没有读取此视图的权限',
    '57014': '查询超过 60 秒，请让对方优化视图',
  }
  return texts[code] ?? outboundFaultText(error)
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}
