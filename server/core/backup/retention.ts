import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { epochOf } from '../base/clock.ts'
import { StartFault } from '../base/start-fault.ts'
import { byDate, listBackups, partPath, readIndex, readManifest, type Manifest } from './manifest.ts'

/** How many days, weeks and months keep a backup each: the last one of that day, week or month. */
export interface Keep {
  days: number
  weeks: number
  months: number
}

/**
 * `7d,4w,12m`, in any order; what is left out is 0.
 * @throws StartFault
 */
export function parseKeep(text: string): Keep {
  const keep = { days: 0, weeks: 0, months: 0 }
  const units = { d: 'days', w: 'weeks', m: 'months' } as const
  for (const one of text.split(',')) {
    const [, count, unit] = /^\s*(\d{1,3})([dwm])\s*$/.exec(one) ?? []
    if (!count || !unit) throw new StartFault('BACKUP_KEEP 须写作 7d,4w,12m（保留 7 天、4 周、12 个月，每段一份）。')
    keep[units[unit as keyof typeof units]] = Number(count)
  }
  return keep
}

/**
 * Which backups stay, by name: of each of the last days, weeks (from Monday) and months that have any, the last one.
 * Days without a backup do not count, so nothing goes because the program stood still. The newest always stays. Those
 * that are dated in the future, by a clock that was wrong then, stay until their date and take no day of the others.
 * @param names as {@link listBackups} gives them
 * @param now wall-clock text
 */
export function keptBackups(names: readonly string[], keep: Keep, now: string): Set<string> {
  const { past, future } = byDate(names, now)
  const newestFirst = past.toSorted().toReversed()
  const kept = new Set([...newestFirst.slice(0, 1), ...future])
  const spans: [number, (name: string) => string][] = [
    [keep.days, (name) => name.slice(0, 10)],
    [keep.weeks, (name) => String(weekOf(name.slice(0, 10)))],
    [keep.months, (name) => name.slice(0, 7)],
  ]
  for (const [count, spanOf] of spans) {
    const seen = new Set<string>()
    for (const name of newestFirst) {
      if (seen.size >= count) break
      if (!seen.has(spanOf(name))) kept.add(name)
      seen.add(spanOf(name))
    }
  }
  return kept
}

/** Number of the week, from Monday, that a day lies in. 1970-01-01 was a Thursday. */
const weekOf = (day: string): number => Math.floor((epochOf(day) / 86_400_000 + 1 / 3 + 3) / 7)

/** Removes the backups that do not stay. @param now wall-clock text; @returns their names */
export async function removeOldBackups(place: string, keep: Keep, now: string): Promise<string[]> {
  const { whole } = await listBackups(place)
  const kept = keptBackups(whole, keep, now)
  const gone = whole.filter((name) => !kept.has(name))
  for (const name of gone) await removeBackup(place, name)
  return gone
}

/** The manifest goes first: what is left of a removal that is interrupted is no backup any more. */
export async function removeBackup(place: string, name: string): Promise<void> {
  await rm(partPath.manifest(join(place, name)), { force: true })
  await rm(join(place, name), { recursive: true, force: true })
}

/** What clearing up after a backup has removed, and in words what kept it from going on to its end. */
export interface Cleared {
  removed: string[]
  fault: string | undefined
}

/**
 * Clears up after a backup that is whole: nothing that fails here is thrown, for it takes nothing from that backup. The
 * next backup tries again.
 * @param work answers the names of the backups that it removed
 */
export const clearUp = (work: () => Promise<string[]>): Promise<Cleared> =>
  work().then(
    (removed) => ({ removed, fault: undefined }),
    (error: unknown) => ({
      removed: [],
      fault: `备份已完成，但旧备份没有清理完，会多占磁盘，下一次备份时再清理：${(error as Error).message}`,
    }),
  )

/**
 * Removes contents of files that no backup of the place names. Only while no backup is written there.
 * @throws StartFault where a backup does not tell all that it names; then nothing is removed
 */
export async function removeUnusedFiles(place: string): Promise<number> {
  const used = new Set<string>()
  const { whole, unfinished } = await listBackups(place)
  for (const name of whole) await assertTellsFiles(join(place, name))
  for (const name of [...whole, ...unfinished])
    for (const { sha256 } of readIndex(join(place, name))) used.add(`${sha256}.age`)
  let removed = 0
  for (const folder of await readdir(join(place, 'files'))) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue
    for (const name of await readdir(join(place, 'files', folder))) {
      if (used.has(name)) continue
      await rm(join(place, 'files', folder, name), { force: true })
      removed++
    }
  }
  return removed
}

/** A list that was cut names less than its backup has. Base backups do not say how long theirs is, for it grows. */
async function assertTellsFiles(folder: string): Promise<void> {
  const { files } = await readManifest<Pick<Manifest, 'format'> & Partial<Manifest>>(folder)
  if (!files) return
  const path = partPath.index(folder)
  const found = await stat(path).catch(() => undefined)
  if (found?.size !== files.index.size)
    throw new StartFault(
      `备份已损坏：${path} 应为 ${files.index.size} 字节，实为 ${found?.size ?? 0} 字节，因此没有清理文件的内容。` +
        '请检查备份位置的磁盘；那份备份不再需要时，请删除它的文件夹。',
    )
}
