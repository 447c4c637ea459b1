import { createReadStream } from 'node:fs'
import { appendFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { Failure } from '../../../contract/core/failure.ts'
import type { Clock } from '../base/clock.ts'
import { diskRoom } from '../base/disk-places.ts'
import { isDiskFull, StartFault } from '../base/start-fault.ts'
import type { Connection } from '../database/connection.ts'
import type { FileStore } from '../files/files.ts'
import type { Recipients } from './keys.ts'
import {
  backupName,
  listBackups,
  manifestFormat,
  openPlace,
  partPath,
  readIndex,
  readManifest,
  writeManifest,
  type Manifest,
  type StoredFile,
  type TablePart,
} from './manifest.ts'
import { Meter, writePart, type Part } from './parts.ts'
import { clearUp, removeOldBackups, removeUnusedFiles, type Cleared, type Keep } from './retention.ts'
import { withSnapshot, type BackupContents, type Snapshot } from './snapshot.ts'

/** What is done now and how much of all is done, 0 to 1. */
export type Progress = (text: string, share: number) => void

interface BackupOptions {
  /** Of the owner of the database. */
  connection: Connection
  contents: BackupContents
  /** The folder that holds the backups. */
  place: string
  recipients: Recipients
  files: FileStore
  /** Folder of the audit archives. */
  archives: string
  /** Text that restores the secrets. */
  secrets: string
  program: string
  clock: Clock
  onProgress: Progress
  /** Told once the snapshot is open: what is written from here on is not in the backup. */
  onBegin?: (name: string) => Promise<void>
  /** Removes older backups afterwards. */
  keep?: Keep | undefined
}

/** Contents copied at a time: a store on the network answers slowly, a folder at once. */
const copiesAtOnce = 4

/**
 * Writes one backup: database at one moment, the files that it names, audit archives, secrets. What an interrupted
 * one left is used (its files) and removed (the rest).
 * @returns with it what was cleared up afterwards, which may have failed
 * @throws StartFault where it cannot be made, in words
 */
export async function writeBackup(options: BackupOptions): Promise<Cleared & { manifest: Manifest }> {
  const { connection, contents, place, clock } = options
  await openPlace(place)
  return withSnapshot(connection, contents, async (snapshot) => {
    const { whole, unfinished } = await listBackups(place)
    await assertSameKind(place, whole, snapshot, contents.school?.schoolId)
    await clearIncoming(place)
    for (const name of unfinished) await rm(join(place, name, 'tables'), { recursive: true, force: true })
    await assertRoom(place, whole.at(-1))
    const startTime = clock.now()
    const name = await newFolder(place, startTime)
    await options.onBegin?.(name)
    const folder = join(place, name)
    let manifest: Manifest
    try {
      const known = knownFiles(place, [...whole.slice(-1), ...unfinished])
      manifest = await writeAll(options, snapshot, { name, startTime, folder, known })
      await writeManifest(folder, manifest)
    } catch (error) {
      // the list of files stays for the next one; the rest would only take room
      await rm(join(folder, 'tables'), { recursive: true, force: true })
      if (isDiskFull(error))
        throw new StartFault(`备份位置 ${place} 的磁盘空间不足，这次备份没有完成。请清理或换一个位置后重试。`)
      throw error
    }
    const cleared = await clearUp(async () => {
      for (const left of unfinished) await rm(join(place, left), { recursive: true, force: true })
      const removed = options.keep ? await removeOldBackups(place, options.keep, clock.now()) : []
      if (removed.length > 0 || unfinished.length > 0) await removeUnusedFiles(place)
      return removed
    })
    return { manifest, ...cleared }
  })
}

/**
 * Refuses before it begins what would break off when the disk is full: the rows are written anew each time, and fewer
 * than half as many as the last time only after much has been removed. A disk that does not tell its room is tried.
 */
async function assertRoom(place: string, last: string | undefined): Promise<void> {
  if (last === undefined) return
  // one that cannot be read keeps nobody from making another
  const known = await readManifest(join(place, last)).catch(() => undefined)
  const wanted = (known?.tables ?? []).reduce((sum, { size }) => sum + size, 0)
  const { free } = await diskRoom(place)
  if (free === null || free >= wanted / 2) return
  throw new StartFault(
    `备份位置 ${place} 的磁盘空间不足：约需 ${megabytes(wanted)}，只剩 ${megabytes(free)}，这次备份没有开始。请清理或换一个位置后重试。`,
  )
}

/** Backups of two installations in one place would remove each other's, and which is the newest would say nothing. */
async function assertSameKind(
  place: string,
  whole: readonly string[],
  snapshot: Snapshot,
  wanted: string | undefined,
): Promise<void> {
  const newest = await newestReadable(place, whole)
  if (!newest) return
  const { installation, school } = newest
  if (school !== wanted)
    throw new StartFault(
      `${place} 存放的是${school ? `学校 ${school} 的归档` : '整个安装的备份'}。备份和每个学校的归档请各用一个位置。`,
    )
  if (installation !== snapshot.installation)
    throw new StartFault(`${place} 存放的是另一个安装的备份。请给每个安装一个自己的备份位置。`)
}

/**
 * What the newest backup says that can be read: a damaged one must not keep new ones from being made. Nothing where
 * there is none.
 * @throws StartFault where not one of them can be read, for nobody knows then whose they are
 */
async function newestReadable(place: string, whole: readonly string[]): Promise<Manifest | undefined> {
  let fault: StartFault | undefined
  for (const name of whole.toReversed())
    try {
      return await readManifest(join(place, name))
    } catch (error) {
      if (!(error instanceof StartFault)) throw error
      fault ??= error
    }
  if (fault) throw fault
  return undefined
}

/** Removes drafts that an interrupted backup has left. */
export async function clearIncoming(place: string): Promise<void> {
  const incoming = join(place, 'files', '.incoming')
  for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true })
}

/** A folder by the name of the moment; where that exists, of the next second that is free. */
export async function newFolder(place: string, startTime: string, inside = ['tables']): Promise<string> {
  for (let seconds = 0; ; seconds++) {
    const name = backupName(startTime.slice(0, 17) + String(Number(startTime.slice(17)) + seconds).padStart(2, '0'))
    try {
      await mkdir(join(place, name), { mode: 0o700 })
      for (const each of inside) await mkdir(join(place, name, each), { mode: 0o700 })
      return name
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || seconds > 30) throw error
    }
  }
}

/** A file of the store or the archive, told from all others. */
export const idOf = ({ kind, key }: Pick<StoredFile, 'kind' | 'key'>): string => `${kind}:${key}`

/**
 * What lies in the place already, by what it is of: contents never change under their key. What a damaged list names is
 * copied again, for no later backup may depend on it.
 */
export const knownFiles = (place: string, names: readonly string[]): Map<string, StoredFile> =>
  new Map(
    names.flatMap((name) => {
      try {
        return readIndex(join(place, name)).map((file) => [idOf(file), file] as const)
      } catch (error) {
        if (error instanceof StartFault) return []
        throw error
      }
    }),
  )

interface Run {
  name: string
  startTime: string
  folder: string
  known: Map<string, StoredFile>
}

async function writeAll(options: BackupOptions, snapshot: Snapshot, run: Run): Promise<Manifest> {
  const { recipients, clock, onProgress } = options
  const { folder, name, startTime } = run
  // half of the time for the rows, by their bytes on disk, unless there are none: files are told by their number
  const all = snapshot.tables.reduce((sum, { bytes }) => sum + bytes, 0) || 1
  let before = 0
  const tables: TablePart[] = []
  for (const [at, table] of snapshot.tables.entries()) {
    const rows = new Meter()
    const tell = (): void => {
      const within = Math.min(1, rows.bytes / (table.bytes || 1)) * table.bytes
      onProgress(
        `数据表 ${at + 1}/${snapshot.tables.length} ${table.name}，${megabytes(rows.bytes)}`,
        ((before + within) / all) * 0.8,
      )
    }
    tell()
    const path = partPath.table(folder, table.name)
    const {
      size,
      sha256,
      plain,
      rows: count,
    } = await writePart(`${path}.new`, path, snapshot.rowsOf(table), recipients, {
      onBytes: (bytes) => ((rows.bytes += bytes), tell()),
    })
    tables.push({ name: table.name, columns: table.columns, rows: count, plain, size, sha256 })
    before += table.bytes
  }
  const secretsPath = partPath.secrets(folder)
  const { size, sha256 } = await writePart(
    `${secretsPath}.new`,
    secretsPath,
    Readable.from([options.secrets]),
    recipients,
  )
  const files = await writeFiles(options, snapshot, run)
  const written = [...tables, { size, sha256 }, files.index].reduce((sum, part) => sum + part.size, 0)
  return {
    format: manifestFormat,
    name,
    program: options.program,
    postgres: snapshot.postgres,
    startTime,
    endTime: clock.now(),
    installation: snapshot.installation,
    ...(options.contents.school && { school: options.contents.school.schoolId }),
    recipients: recipients.names,
    migrations: snapshot.migrations,
    tables,
    counters: snapshot.counters,
    schools: snapshot.schools,
    secrets: { size, sha256 },
    files: { count: files.count, size: files.size, missing: files.missing, index: files.index },
    size: written + files.size,
    newSize: written + files.newSize,
  }
}

/** Copies what the place does not have yet, and lists all; each line is written as soon as its content is there. */
async function writeFiles(options: BackupOptions, snapshot: Snapshot, { folder, known }: Run) {
  const { place, recipients, onProgress } = options
  const wanted = [
    ...(await snapshot.archives()).map(({ key, storeKey }) => ({
      kind: 'archive' as const,
      key,
      storeKey,
      needed: true,
    })),
    ...(await snapshot.files()).map((file) => ({ kind: 'file' as const, storeKey: file.key, ...file })),
  ]
  const list = await open(partPath.index(folder), 'wx', 0o600)
  const sums = { count: 0, size: 0, newSize: 0, missing: 0 }
  let at = 0
  const copyNext = async (): Promise<void> => {
    for (let one = wanted[at++]; one; one = wanted[at++]) {
      onProgress(`文件 ${at}/${wanted.length}`, 0.8 + 0.2 * (at / wanted.length))
      const { kind, key, storeKey, needed } = one
      const there = known.get(idOf(one))
      const isThere = there !== undefined && (await sizeOf(partPath.object(place, there.sha256))) === there.size
      const part = isThere ? there : await copyFile(options, { kind, key, storeKey }, recipients)
      if (!part) {
        if (needed) sums.missing++
        continue
      }
      sums.count++
      sums.size += part.size
      if (!isThere) sums.newSize += part.size
      await appendFile(list, `${JSON.stringify({ kind, key, sha256: part.sha256, size: part.size })}\n`)
    }
  }
  try {
    await Promise.all(Array.from({ length: copiesAtOnce }, copyNext))
    await list.sync()
  } finally {
    await list.close()
  }
  const meter = new Meter()
  for await (const _ of meter.through(createReadStream(partPath.index(folder)) as AsyncIterable<Buffer>));
  return { ...sums, index: { size: meter.bytes, sha256: meter.digest() } }
}

const sizeOf = async (path: string): Promise<number | undefined> => (await stat(path).catch(() => undefined))?.size

/**
 * Copies one content into a place; undefined where it is nowhere. An archive that another machine has written lies in
 * the store alone.
 * @throws StartFault where it is there and cannot be read
 */
export async function copyFile(
  { place, files, archives }: Pick<BackupOptions, 'place' | 'files' | 'archives'>,
  { kind, key, storeKey }: Pick<StoredFile, 'kind' | 'key'> & { storeKey: string },
  recipients: Recipients,
) {
  const unlessMissing = (error: unknown): undefined => {
    if (error instanceof Failure && error.reason === 'not-found') return undefined
    throw unread(storeKey, error)
  }
  const source =
    (kind === 'archive' && (await openArchive(join(archives, key)).catch(unlessMissing))) ||
    (await files.get(storeKey).catch(unlessMissing))
  if (!source) return undefined
  const draft = join(place, 'files', '.incoming', randomUUID())
  const placeOf = async ({ sha256 }: Part): Promise<string> => {
    const path = partPath.object(place, sha256)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return path
  }
  return writePart(draft, placeOf, Readable.from(readOf(source, storeKey)), recipients, { isPacked: true })
}

/** A content whose failure is told apart from one of the place that it goes to. */
async function* readOf(source: Readable, storeKey: string): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of source) yield chunk as Uint8Array
  } catch (error) {
    throw unread(storeKey, error)
  }
}

const unread = (storeKey: string, error: unknown): StartFault =>
  new StartFault(
    `读取存储中的文件 ${storeKey} 失败（${(error as Error).message}）。这次备份没有完成，不算数；已复制的文件下次不再复制。请检查文件存储，稍后重试。`,
  )

async function openArchive(path: string): Promise<Readable> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Failure('not-found') : error
  })
  return file.createReadStream()
}

/** `12.3 MB`. */
export const megabytes = (bytes: number): string =>
  bytes < 10_000_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${(bytes / 1_000_000_000).toFixed(1)} GB`
