import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFault } from '../base/start-fault.ts'
import { makeTemporaryFolder } from '../base/temporary-folder.ts'
import { clusterPart, readBases, type BaseManifest } from './base-manifest.ts'
import type { DecryptionKey } from './keys.ts'
import { partPath, readIndex } from './manifest.ts'
import { checkPart } from './parts.ts'
import {
  checkWal,
  firstGap,
  listWal,
  segmentOf,
  timelineNumbers,
  timelinesOf,
  walPath,
  type Timeline,
  type WalFiles,
} from './wal-archive.ts'
import type { Progress } from './write-backup.ts'

/** What an archive of the WAL was found to hold. */
interface ArchiveCheck {
  bases: number
  segments: number
  /** Wall-clock text: the first moment that can be restored without a gap up to the newest. */
  since: string
}

/** Whether a folder is an archive of the WAL; it may hold daily backups as well. */
export const isArchive = (place: string): boolean => existsSync(walPath.owner(place))

/**
 * Compares every base backup of an archive with its manifest, and sees whether the WAL leads on from the newest
 * one without a gap; with a key, every file of the WAL is decrypted and compared with the digest in its name.
 * @throws StartFault naming the first part that is missing, cut or altered
 */
export async function checkArchive(
  place: string,
  identity: DecryptionKey | undefined,
  onProgress: Progress,
): Promise<ArchiveCheck> {
  const bases = await readBases(place)
  const newest = bases.at(-1)
  if (!newest) throw new StartFault(`归档位置 ${place} 中没有完整的基础备份，日志没有它不能恢复。`)
  for (const base of bases) await checkBase(place, base, onProgress)
  const files = await listWal(place)
  const timelines = await timelinesFor(files, identity, newest)
  const gap = firstGap(files, segmentOf(newest.startWal).number, timelines)
  if (gap)
    throw new StartFault(`归档缺少日志 ${gap}：基础备份 ${newest.name} 之后的时刻不能全部恢复。请做一份新的基础备份。`)
  if (identity)
    for (const [at, [name, file]] of [...files].entries()) {
      onProgress(`解密日志 ${name}`, at / files.size)
      await checkWal(name, file, identity)
    }
  const usable = bases.find(({ startWal }) => !firstGap(files, segmentOf(startWal).number, timelines)) ?? newest
  return { bases: bases.length, segments: files.size, since: usable.endTime }
}

async function checkBase(place: string, base: BaseManifest, onProgress: Progress): Promise<void> {
  const root = walPath.bases(place)
  const folder = join(root, base.name)
  onProgress(`核对基础备份 ${base.name}`, 0)
  await checkPart(clusterPart(folder), 'cluster.tar.age', base.cluster)
  await checkPart(partPath.secrets(folder), 'secrets.age', base.secrets)
  for (const file of readIndex(folder)) await checkPart(partPath.object(root, file.sha256), `文件 ${file.key}`, file)
}

/** Without a key the history of the timelines cannot be read: then the newest base backup's own is looked at. */
async function timelinesFor(
  files: WalFiles,
  identity: DecryptionKey | undefined,
  newest: BaseManifest,
): Promise<readonly Timeline[]> {
  if (!identity) return [{ number: newest.timeline, end: undefined }]
  const scratch = makeTemporaryFolder('verify')
  return timelinesOf(files, identity, [newest.timeline, ...timelineNumbers(files)], scratch).finally(() =>
    rm(scratch, { recursive: true }),
  )
}
