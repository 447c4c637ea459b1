import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'

/** Folders of the installation that fill: its data, its backups, its archived WAL. */
type DiskPlace = 'data' | 'backup' | 'wal'

interface DiskRoom {
  place: DiskPlace
  /** Bytes; null where the folder is not there, or its disk does not answer. */
  free: number | null
  size: number | null
}

/** What people call them. */
export const diskPlaceNames: Record<DiskPlace, string> = {
  data: '数据目录',
  backup: '备份位置（BACKUP_PLACE）',
  wal: '归档位置（WAL_ARCHIVE）',
}

/** Milliseconds that a disk may take to answer. */
const answerMs = 2000

type Looked = Omit<DiskRoom, 'place'>
/** A disk of the network that is gone may never answer, and each look at it would keep one of few threads. */
const underWay = new Map<string, Promise<Looked>>()

const unknown: Looked = { free: null, size: null }

async function lookAt(folder: string): Promise<Looked> {
  let looking = underWay.get(folder)
  if (!looking) {
    looking = statfs(folder)
      .then(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, size: blocks * bsize }))
      .catch(() => unknown)
      .finally(() => underWay.delete(folder))
    underWay.set(folder, looking)
  }
  return Promise.race([looking, sleep(answerMs, unknown, { ref: false })])
}

/** How much room is left in each folder that the settings name, the data folder first. */
export function diskRooms(config: Pick<Config, 'dataDir' | 'backupPlace' | 'walArchive'>): Promise<DiskRoom[]> {
  const folders: [DiskPlace, string | undefined][] = [
    ['data', config.dataDir],
    ['backup', config.backupPlace],
    ['wal', config.walArchive],
  ]
  return Promise.all(
    folders.flatMap(([place, folder]) => (folder ? [lookAt(folder).then((looked) => ({ place, ...looked }))] : [])),
  )
}

/** Those with less room than the settings ask for. */
export const shortOfRoom = (rooms: readonly DiskRoom[], { alarms }: Pick<Config, 'alarms'>): DiskPlace[] =>
  rooms.filter(({ free }) => free !== null && free < alarms.diskBytes).map(({ place }) => place)
