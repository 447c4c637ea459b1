import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  type Stats,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { diskFullText, isDiskFull, StartFault } from './start-fault.ts'

/** Makes the data folder unless it is there. Returns its real path, free of links. */
export function prepareFolder(dataDir: string): string {
  const parent = statSync(dirname(dataDir), { throwIfNoEntry: false })
  const made = guardWriting(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o755 }))
  // a folder that is there, but not for us, is refused before anything is begun in it
  guardWriting(dataDir, () => accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK))
  // a data folder that root makes inside an ordinary user's folder is that user's
  if (made && parent && process.getuid?.() === 0) chownSync(dataDir, parent.uid, parent.gid)
  return realpathSync(dataDir)
}

/** What systems say of a place in which nothing can be written: no right, read-only, no folder, or none that can be. */
const unwritable = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'EEXIST',
  'ENOENT',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
])

/** Runs something that writes into the folder; a full disk or missing rights become a fault the person understands. */
export function guardWriting<R>(folder: string, act: () => R): R {
  try {
    return act()
  } catch (error) {
    if (isDiskFull(error)) throw new StartFault(diskFullText(folder))
    if (unwritable.has((error as { code?: string }).code ?? ''))
      throw new StartFault(`数据目录 ${folder} 不可写。请检查它的所有者与权限，或用 DATA_DIR 指定另一个目录。`)
    throw error
  }
}

/**
 * Sees that a folder can be written into or, where it is not there, be made; nothing is.
 * @throws StartFault where it cannot
 */
export function assertWritable(folder: string): void {
  guardWriting(folder, () => accessSync(nearest(folder), constants.R_OK | constants.W_OK | constants.X_OK))
}

/**
 * What root writes into an ordinary user's data folder stays that user's, so that they can start the program themselves
 * later.
 */
export function giveToOwnerOf(folder: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  chownSync(path, uid, gid)
}

/**
 * The owner of a data folder whose own the place is as well into which root is about to write, and nothing in it
 * root's: what root made there, their program could neither read nor clear away later. A place that is still to be made
 * is theirs where what it comes to lie in is, and root goes through no link that they have made.
 */
export function ownerIn(dataDir: string, place: string): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(dataDir, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
  if (uid === 0) return undefined
  if (isThroughLinkOf(uid, resolve(place))) return { uid, gid }
  const isOf = (owner: number, path: string) => statSync(path, { throwIfNoEntry: false })?.uid === owner
  const there = nearest(place)
  if (!isOf(uid, there)) return undefined
  return there === place && namesIn(place).some((name) => isOf(0, join(place, name))) ? undefined : { uid, gid }
}

/** Whether a path leads through a link that somebody made: root must not write where they have sent it. */
function isThroughLinkOf(uid: number, path: string, links = 0): boolean {
  const above = dirname(path)
  if (above !== path && isThroughLinkOf(uid, above, links)) return true
  const here = entryAt(path)
  if (!here?.isSymbolicLink()) return false
  // a circle of links leads nowhere
  return (
    here.uid === uid || links > 40 || isThroughLinkOf(uid, resolve(realpathSync(above), readlinkSync(path)), links + 1)
  )
}

/** What stands at a path; undefined where nothing does, or a file where a folder would have to be. */
function entryAt(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** A path, or of one that is not there the folder above that is. */
const nearest = (path: string): string => (entryAt(path) || dirname(path) === path ? path : nearest(dirname(path)))

/** What is in a folder, if it is one, but for what every disk of its own has. */
const namesIn = (path: string): string[] =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? readdirSync(path).filter((name) => name !== 'lost+found')
    : []

/** Opens PostgreSQL's log file for appending; one that has grown past 16 MB is put aside. */
export function openLog(dataDir: string): number {
  const path = join(dataDir, 'postgres.log')
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 16 * 1024 * 1024) renameSync(path, `${path}.1`)
  const file = openSync(path, 'a', 0o600)
  giveToOwnerOf(dataDir, path)
  return file
}

/** The last lines of PostgreSQL's log after a position in bytes. */
export function logSince(dataDir: string, from: number): string {
  const file = openSync(join(dataDir, 'postgres.log'), 'r')
  const start = Math.max(from, fstatSync(file).size - 1500)
  const tail = Buffer.alloc(1500)
  const length = readSync(file, tail, 0, tail.length, start)
  closeSync(file)
  return tail.toString('utf8', 0, length).trim().split('\n').slice(-8).join('\n')
}

/** Is there while a backup is being restored into a data folder, and stays when that was interrupted. */
export const unfinishedRestore = (dataDir: string): string => join(dataDir, 'restore.unfinished')

/** @throws StartFault where a restore was interrupted: what it left must not be taken for data */
export function assertRestored(dataDir: string): void {
  if (existsSync(unfinishedRestore(dataDir)))
    throw new StartFault(
      `${dataDir} 中的恢复没有完成（被中断，或正在进行）。请等它结束，或重新运行 dekt restore，它会从头再来。`,
    )
}
