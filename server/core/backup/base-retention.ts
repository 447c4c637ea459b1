import { addSeconds } from '../base/clock.ts'
import { StartFault } from '../base/start-fault.ts'
import { sortedByWal, findBases, keptBases } from './base-manifest.ts'
import { removeBackup, removeUnusedFiles } from './retention.ts'
import { firstGap, listWal, removeOldWal, segmentOf, walPath } from './wal-archive.ts'

/**
 * Removes base backups that nothing of the last days needs, the files that only they name, and the WAL before the
 * oldest that stays. Only while no base backup is written there. One that is damaged stays as long as it could be of
 * use if somebody mended it, which is as long as there is a WAL for it.
 * @param now wall-clock text
 * @returns the names of the base backups
 * @throws StartFault where something that stays is damaged, once all the rest is done
 */
export async function removeOldBases(place: string, days: number, now: string): Promise<string[]> {
  const { bases, damaged } = await findBases(place)
  const kept = keptBases(bases, days, now)
  const oldest = bases.find(({ name }) => kept.has(name))
  // until a sound one reaches back to the first of the days, it may be the damaged one that does
  const reaches = oldest !== undefined && oldest.endTime <= addSeconds(now, -days * 86_400)
  const isSpent = ({ name }: { name: string }): boolean => reaches && name < oldest.name
  const lasting = damaged.filter((one) => !isSpent(one))
  const gone = [...bases.filter(({ name }) => !kept.has(name)), ...damaged.filter(isSpent)].map(({ name }) => name)
  const root = walPath.bases(place)
  for (const name of gone) await removeBackup(root, name)
  if (gone.length > 0) {
    const needed = bases.filter(({ name }) => kept.has(name)).map(({ startWal }) => segmentOf(startWal).number)
    await removeOldWal(place, Math.min(...needed))
  }
  if (lasting.length > 0)
    throw new StartFault(
      `基础备份 ${lasting.map(({ name }) => name).join('、')} 不能用来恢复，没有清理它和文件的内容（${lasting[0]!.fault}）` +
        '到期后会自动删除；不再需要时，也可以手工删除它的文件夹。',
    )
  // last, for it refuses where a list of files is damaged
  if (gone.length > 0) await removeUnusedFiles(root)
  return gone
}

/**
 * Whether a place has a base backup of a timeline from which the WAL of that timeline leads on to its newest file.
 * @param timeline of the running database; a new one begins with a restore to a moment. What is there of others, such
 * as of a copy that archived to the same place, says nothing about it
 */
export async function isUnbroken(place: string, timeline: number): Promise<boolean> {
  const newest = sortedByWal((await findBases(place)).bases).findLast((base) => base.timeline === timeline)
  if (!newest) return false
  const files = await listWal(place)
  return firstGap(files, segmentOf(newest.startWal).number, [{ number: timeline, end: undefined }]) === undefined
}
