import { keptBases, readBases } from './base-backup.ts'
import { removeBackup, removeUnusedFiles } from './retention.ts'
import { firstGap, listWal, removeOldWal, segmentOf, walPath } from './wal-place.ts'

/**
 * Removes base backups that nothing of the last days needs, the files that only they name, and the journal before the
 * oldest that stays. Only while no base backup is written there.
 * @param now wall-clock text
 * @returns the names of the base backups
 */
export async function removeOldBases(place: string, days: number, now: string): Promise<string[]> {
  const bases = await readBases(place)
  const kept = keptBases(bases, days, now)
  const gone = bases.filter(({ name }) => !kept.has(name)).map(({ name }) => name)
  if (gone.length === 0) return []
  const root = walPath.bases(place)
  for (const name of gone) await removeBackup(root, name)
  const needed = bases.filter(({ name }) => kept.has(name)).map(({ startWal }) => segmentOf(startWal).number)
  await removeOldWal(place, Math.min(...needed))
  // last, for it refuses where a list of files is damaged
  await removeUnusedFiles(root)
  return gone
}

/**
 * Whether a place has a base backup from which the journal leads on to its newest file, on the timeline of that file: a
 * new one begins with a restore to a moment.
 */
export async function isUnbroken(place: string): Promise<boolean> {
  const newest = (await readBases(place)).at(-1)
  if (!newest) return false
  const files = await listWal(place)
  const timelines = [...files.keys()].map((name) => Number.parseInt(name.slice(0, 8), 16))
  if (timelines.some((timeline) => timeline > newest.timeline)) return false
  return firstGap(files, segmentOf(newest.startWal).number, [{ number: newest.timeline, end: undefined }]) === undefined
}
