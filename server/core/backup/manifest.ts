import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import canonicalize from 'canonicalize'
import { z } from 'zod'
import { addMinutes, systemClock } from '../base/clock.ts'
import { StartFault } from '../base/start-fault.ts'
import { isStoreKey } from '../files/store-key.ts'
import type { Part } from './parts.ts'

/** A table as it was copied: text format of COPY, compressed and encrypted. */
export interface TablePart extends Part {
  name: string
  columns: string[]
  rows: number
  /** Bytes of its rows as text, from which the room that restoring takes is estimated. */
  plain: number
}

/** Where a counter stood: the identity column of a table. */
export interface Counter {
  table: string
  column: string
  last: number
}

/** What must be equal in a school after restoring. Amounts are decimal text, as the database gives them. */
export interface SchoolSum {
  schoolId: string
  name: string
  entries: number
  sum: string
}

/** What a backup says about itself, readable without the key; written last, so that without it there is no backup. */
export interface Manifest {
  format: 1
  name: string
  program: string
  postgres: string
  /** Wall-clock text: of the snapshot, and when all was written. */
  startTime: string
  endTime: string
  /** Fingerprint of the installation: backups of another one are not mixed with these. */
  installation: string
  /** Set where it is the archive of this one school and not a backup of the installation. */
  school?: string
  recipients: readonly string[]
  /** That have run, in their order. */
  migrations: string[]
  tables: TablePart[]
  counters: Counter[]
  schools: SchoolSum[]
  secrets: Part
  files: {
    count: number
    /** Encrypted bytes of all of them. */
    size: number
    /** Named by the snapshot and not found in the store; they were lost before. */
    missing: number
    index: Part
  }
  /** Bytes that restoring reads. */
  size: number
  /** Bytes that it added to the place. */
  newSize: number
}

export const manifestFormat = 1

/** Where everything of one backup lies. */
export const partPath = {
  manifest: (folder: string) => join(folder, 'manifest.json'),
  table: (folder: string, name: string) => join(folder, 'tables', `${name}.age`),
  secrets: (folder: string) => join(folder, 'secrets.age'),
  index: (folder: string) => join(folder, 'files.jsonl'),
  /** A file's content; shared by the backups of a place, named by the SHA-256 of what lies there. */
  object: (place: string, sha256: string) => join(place, 'files', sha256.slice(0, 2), `${sha256}.age`),
}

/** A backup in its place. */
export interface Backup {
  place: string
  folder: string
  manifest: Manifest
}

const nameOfBackup = /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d$/

/** `2026-11-23 02:30:00` as the name of a folder. */
export const backupName = (wall: string): string => wall.replace(' ', '_').replaceAll(':', '-')

const checksumOf = (manifest: object): string =>
  createHash('sha256')
    .update(canonicalize(manifest) ?? '')
    .digest('hex')

/** Writes it beside its place first and waits for the disk: it says that all the rest is there. */
export async function writeManifest(folder: string, manifest: object): Promise<void> {
  const path = partPath.manifest(folder)
  await writeFile(`${path}.new`, `${JSON.stringify({ ...manifest, checksum: checksumOf(manifest) }, null, 1)}\n`, {
    mode: 0o600,
    flush: true,
  })
  await rename(`${path}.new`, path)
  for (const each of [folder, dirname(folder)]) {
    const handle = await open(each, 'r')
    await handle.sync().finally(() => handle.close())
  }
}

const unreadable = (path: string, error: Error): StartFault =>
  new StartFault(`读不到 ${path}：${error.message}。请检查它的所有者与权限，以及备份位置的磁盘或挂载。`)

/** @throws StartFault where it cannot be read, is damaged or of a later version of the format */
export async function readManifest<M extends { format: number } = Manifest>(folder: string): Promise<M> {
  const path = partPath.manifest(folder)
  const damaged = new StartFault(`备份已损坏：${path} 的内容被改动或不完整。`)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? damaged : unreadable(path, error)
  })
  const read = parsed(text)
  if (typeof read !== 'object' || read === null) throw damaged
  const { checksum, ...manifest } = read as M & { checksum?: string }
  if (typeof manifest.format === 'number' && manifest.format > manifestFormat)
    throw new StartFault('备份由较新版本的程序写成。请使用较新的版本恢复。')
  if (checksum !== checksumOf(manifest)) throw damaged
  return manifest as unknown as M
}

/** None where there is no such folder. @throws StartFault where it cannot be looked at */
const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unreadable(folder, error)
  })

/**
 * Names of the backups of a place, the oldest first: those that came to their end, and those that did not. One whose
 * manifest cannot be looked at, by its rights or by a disk that fails, came to its end: an unfinished one is thrown
 * away.
 * @throws StartFault where the place cannot be looked at
 */
export async function listBackups(place: string): Promise<{ whole: string[]; unfinished: string[] }> {
  const names = (await namesIn(place)).filter((name) => nameOfBackup.test(name)).toSorted()
  const isWhole = await Promise.all(
    names.map((name) =>
      stat(partPath.manifest(join(place, name))).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
      ),
    ),
  )
  return { whole: names.filter((_, at) => isWhole[at]), unfinished: names.filter((_, at) => !isWhole[at]) }
}

/** By how much the clocks of two machines may differ before a backup counts as one of the future. */
const clockToleranceMinutes = 60

/**
 * The newest backup of a place, or the one that a path names. Where one is dated in the future, a clock was wrong when
 * it was written, and which is the newest is for a person to say.
 * @param now wall-clock text
 * @throws StartFault
 */
export async function findBackup(path: string, now = systemClock.now()): Promise<Backup> {
  if (nameOfBackup.test(basename(path)))
    return { place: dirname(path), folder: path, manifest: await readManifest(path) }
  const { whole } = await listBackups(path)
  const newest = whole.at(-1)
  if (!newest) throw new StartFault(`${path} 中没有完整的备份。`)
  const { past, future } = byDate(whole, addMinutes(now, clockToleranceMinutes))
  if (future.length > 0)
    throw new StartFault(
      `${path} 中备份 ${future.join('、')} 的日期在将来（现在是 ${now}）：写它时机器的时钟不对，说不清哪一份最新。` +
        `请写明用哪一份，如 ${join(path, past.at(-1) ?? newest)}；日期不对的不再需要时，请移走它的文件夹。`,
    )
  const folder = join(path, newest)
  return { place: path, folder, manifest: await readManifest(folder) }
}

/** Names of backups, those up to a moment and those that claim to be of after it. @param now wall-clock text */
export function byDate(names: readonly string[], now: string): { past: string[]; future: string[] } {
  const last = backupName(now)
  return { past: names.filter((name) => name <= last), future: names.filter((name) => name > last) }
}

/** @throws StartFault where nothing can be written there */
export async function openPlace(place: string): Promise<void> {
  try {
    await mkdir(join(place, 'files', '.incoming'), { recursive: true, mode: 0o700 })
    await writeFile(join(place, 'files', '.incoming', 'probe'), '', { mode: 0o600 })
  } catch (error) {
    throw new StartFault(`备份位置 ${place} 不可写：${(error as Error).message}`)
  }
}

/**
 * A line of a backup's list of files. Whoever writes to the place writes this list too, for it is not encrypted: a name
 * that leads out of its folder must never become a path.
 */
const storedFile = z
  .object({
    /** A content of the file store under its key, or a file of the audit archive under its name. */
    kind: z.enum(['file', 'archive']),
    key: z.string(),
    /** SHA-256 of the encrypted content, which is its name, and its bytes. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    size: z.int().nonnegative(),
  })
  .refine(({ kind, key }) => (kind === 'file' ? isStoreKey(key) : isPlainName(key)))
export type StoredFile = z.infer<typeof storedFile>

const isPlainName = (name: string): boolean => /^[^./\\\0][^/\\\0]*$/.test(name)

/**
 * The lines of a list of files, none where there is no list; a last line that was cut off counts as not written.
 * @throws StartFault where it cannot be read, or a line is none that this program writes
 */
export function readIndex(folder: string): StoredFile[] {
  let text: string
  try {
    text = readFileSync(partPath.index(folder), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw new StartFault(`读不到 ${partPath.index(folder)}：${(error as Error).message}`)
  }
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line, at) => {
      const read = storedFile.safeParse(parsed(line))
      if (!read.success)
        throw new StartFault(`备份已损坏：${partPath.index(folder)} 第 ${at + 1} 行不是本程序写的内容。`)
      return read.data
    })
}

/**
 * Takes away a last line that was cut off: what is added behind it would be one line with it, which nobody can read.
 */
export async function cutIndex(folder: string): Promise<void> {
  const path = partPath.index(folder)
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0)
    throw error
  })
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) await truncate(path, end)
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
