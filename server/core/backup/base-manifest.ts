import { join } from 'node:path'
import { addSeconds } from '../base/clock.ts'
import { StartFault } from '../base/start-fault.ts'
import { listBackups, readManifest } from './manifest.ts'
import type { Part } from './parts.ts'
import { segmentOf, walPath } from './wal-archive.ts'

/** What a base backup says about itself; written last, so that without it there is none. */
export interface BaseManifest {
  format: 1
  kind: 'base'
  name: string
  program: string
  postgres: string
  systemIdentifier: string
  timeline: number
  /** The first segment of the WAL that it needs, and where in the WAL it becomes usable. */
  startWal: string
  stopLsn: string
  /** Wall-clock text; a moment before `endTime` cannot be reached from it. */
  startTime: string
  endTime: string
  recipients: readonly string[]
  migrations: string[]
  /** Text of `backup_label`, from which PostgreSQL knows where to begin. */
  label: string
  cluster: Part
  secrets: Part
  /** Bytes that restoring it reads, without the WAL and the files, and bytes that it added to the place. */
  size: number
  newSize: number
}

/** Where the parts of a base backup lie, besides those of {@link partPath}. */
export const clusterPart = (folder: string): string => join(folder, 'cluster.tar.age')

/** What a place has of base backups, the oldest first. */
interface FoundBases {
  bases: BaseManifest[]
  /** Those whose manifest cannot be used, and what is wrong with it in words. */
  damaged: { name: string; fault: string }[]
}

/** Looks at the base backups of a place. One that is damaged says nothing, and keeps nobody from using the others. */
export async function findBases(place: string): Promise<FoundBases> {
  const root = walPath.bases(place)
  const { whole } = await listBackups(root)
  const found: FoundBases = { bases: [], damaged: [] }
  for (const name of whole)
    try {
      found.bases.push(await readManifest<BaseManifest>(join(root, name)))
    } catch (error) {
      if (!(error instanceof StartFault)) throw error
      found.damaged.push({ name, fault: error.message })
    }
  return found
}

/** The base backups of a place, the oldest first. @throws StartFault where one of them is damaged */
export async function readBases(place: string): Promise<BaseManifest[]> {
  const { bases, damaged } = await findBases(place)
  if (damaged[0]) throw new StartFault(damaged[0].fault)
  return bases
}

/**
 * Base backups in the order in which they begin in the WAL, the oldest first. The clock of the machine may have been
 * wrong when one was made, and then its name is no order.
 */
export const sortedByWal = (bases: readonly BaseManifest[]): BaseManifest[] =>
  bases.toSorted((a, b) => segmentOf(a.startWal).number - segmentOf(b.startWal).number)

/**
 * Names of base backups that stay: all of the last days, and the newest before them, from which their first moment is
 * reached. The newest always stays.
 * @param bases the oldest first
 * @param now wall-clock text
 */
export function keptBases(bases: readonly BaseManifest[], days: number, now: string): Set<string> {
  const cutoff = addSeconds(now, -days * 86_400)
  const older = bases.filter(({ endTime }) => endTime <= cutoff)
  return new Set([...older.slice(-1), ...bases.filter(({ endTime }) => endTime > cutoff)].map(({ name }) => name))
}
