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
 * Whether a place has a base backup of a timeline from which the journal of that timeline leads on to its newest file.
 * @param timeline of the running database; a new one begins with a restore to a moment. What is there of others, such as
 * of a copy that archived to the same place, says nothing about it
 */
export async function isUnbroken(place: string, timeline: number): Promise<boolean> {
  const newest = (await readBases(place)).findLast((base) => base.timeline === timeline)
  if (!newest) return false
  const files = await listWal(place)
  return firstGap(files, segmentOf(newest.startWal).number, [{ number: timeline, end: undefined }]) === undefined
}
