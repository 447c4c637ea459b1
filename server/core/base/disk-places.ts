import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from './config.ts'

/** Folders of the installation that fill: its data, its backups, its archived WAL. */
type DiskPlace = 'data' | 'backup' | 'wal'

/** How much room a disk has, in bytes; null where it does not say, as mounts by FUSE may not. */
export interface DiskRoom {
  free: number | null
  size: number | null
  /** It does not answer, as one of a network that is gone. */
  isSilent: boolean
}
type PlaceRoom = DiskRoom & { place: DiskPlace }

/** What people call them. */
const diskPlaceNames: Record<DiskPlace, string> = {
  data: '数据目录',
  backup: '备份位置（BACKUP_PLACE）',
  wal: '归档位置（WAL_ARCHIVE）',
}

/** Milliseconds that a disk may take to answer. */
const answerMs = 2000

/** A disk that is gone may never answer, and each look at it would keep one of few threads. */
const underWay = new Map<string, Promise<DiskRoom>>()

const unknown: DiskRoom = { free: null, size: null, isSilent: false }
const silent: DiskRoom = { ...unknown, isSilent: true }

/** How much room is left where a folder lies; unknown where it is not there. */
export async function diskRoom(folder: string): Promise<DiskRoom> {
  let looking = underWay.get(folder)
  if (!looking) {
    looking = statfs(folder)
      .then(({ bavail, blocks, bsize }) =>
        blocks === 0 ? unknown : { free: bavail * bsize, size: blocks * bsize, isSilent: false },
      )
      .catch((error: NodeJS.ErrnoException) => (error.code === 'ENOENT' || error.code === 'ENOSYS' ? unknown : silent))
      .finally(() => underWay.delete(folder))
    underWay.set(folder, looking)
  }
  return Promise.race([looking, sleep(answerMs, silent, { ref: false })])
}

/** How much room is left in each folder that the settings name, the data folder first. */
export function diskRooms(config: Pick<Config, 'dataDir' | 'backupPlace' | 'walArchive'>): Promise<PlaceRoom[]> {
  const folders: [DiskPlace, string | undefined][] = [
    ['data', config.dataDir],
    ['backup', config.backupPlace],
    ['wal', config.walArchive],
  ]
  return Promise.all(
    folders.flatMap(([place, folder]) => (folder ? [diskRoom(folder).then((room) => ({ place, ...room }))] : [])),
  )
}

/** What is wrong with the disks, and in words what is to be done: those with too little room, and those gone silent. */
export function diskFaults(
  rooms: readonly PlaceRoom[],
  { alarms: { diskBytes } }: Pick<Config, 'alarms'>,
): { places: DiskPlace[]; text: string } | undefined {
  const short = rooms.filter(({ free }) => free !== null && free < diskBytes)
  const gone = rooms.filter(({ isSilent }) => isSilent)
  if (short.length + gone.length === 0) return undefined
  const named = (some: readonly PlaceRoom[]) => some.map(({ place }) => diskPlaceNames[place]).join('、')
  return {
    places: [...short, ...gone].map(({ place }) => place),
    text: [
      short.length > 0 && `${named(short)}所在磁盘的余量低于 ${Math.round(diskBytes / 1_048_576)} MB，请清理或扩容`,
      gone.length > 0 && `${named(gone)}所在的磁盘没有应答，请检查磁盘或网络存储`,
    ]
      .filter(Boolean)
      .join('；'),
  }
}
