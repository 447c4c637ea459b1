import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { giveToOwnerOf } from '../base/data-folder.ts'
import { StartFault } from '../base/start-fault.ts'
import { walPath } from './wal-archive.ts'

/**
 * Whose an archive of the WAL is: of one database, written by one data folder. A copy that is restored from it is the
 * same database to PostgreSQL. If both wrote, the copy's timeline would be the one that leads on, and what the other
 * acknowledges from then on could not be restored any more.
 */
interface Owner {
  systemIdentifier?: string
  /** The data folder that writes; undefined in archives of before 0.2.0, until it writes again. */
  archiver?: string
}

const idPath = (dataDir: string): string => join(dataDir, 'wal-archiver.id')

/** By what archives know a data folder; it is made at first use, and no restore brings it along. */
export function archiverOf(dataDir: string): string {
  const path = idPath(dataDir)
  if (existsSync(path)) return readFileSync(path, 'utf8').trim()
  const made = randomUUID()
  writeFileSync(path, `${made}\n`, { mode: 0o600, flush: true })
  giveToOwnerOf(dataDir, path)
  return made
}

async function readOwner(place: string): Promise<Owner | undefined> {
  const text = await readFile(walPath.owner(place), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  return text === undefined ? undefined : (JSON.parse(text) as Owner)
}

async function writeOwner(place: string, owner: Required<Owner>): Promise<void> {
  const path = walPath.owner(place)
  await mkdir(walPath.wal(place), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomUUID()}`
  await writeFile(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600, flush: true })
  await rename(draft, path)
  const folder = await open(place, 'r')
  await folder.sync().finally(() => folder.close())
}

const othersDatabase = (place: string): StartFault =>
  new StartFault(`${place} 存放的是另一个数据库的日志。请给每个数据库一个自己的归档位置。`)

const othersFolder = (place: string): StartFault =>
  new StartFault(
    `归档位置 ${place} 属于另一个数据目录，两个程序不能归档到同一个位置。\n` +
      '只是试用恢复出来的副本：去掉 WAL_ARCHIVE，或换一个空的文件夹。\n' +
      '用它接替原来的程序：先停止原来的程序，再以同样的设置运行 dekt backup --take-over。',
  )

/**
 * Writes whose archive it is where nobody has it yet, or compares.
 * @throws StartFault where it is another database's, or another data folder writes it
 */
export async function assertOwner(place: string, systemIdentifier: string, archiver: string): Promise<void> {
  const owner = await readOwner(place)
  if (owner && owner.systemIdentifier !== systemIdentifier) throw othersDatabase(place)
  if (owner?.archiver !== undefined && owner.archiver !== archiver) throw othersFolder(place)
  if (owner?.archiver === undefined) await writeOwner(place, { systemIdentifier, archiver })
}

/**
 * Refuses before the database is started what {@link assertOwner} would refuse once it writes. A place that cannot be
 * read now is no reason: people go on, and the WAL waits.
 * @throws StartFault where another data folder writes it
 */
export async function assertArchiver(place: string, dataDir: string): Promise<void> {
  const owner = await readOwner(place).catch(() => undefined)
  if (owner?.archiver === undefined) return
  const own = existsSync(idPath(dataDir)) ? archiverOf(dataDir) : undefined
  if (owner.archiver !== own) throw othersFolder(place)
}

/**
 * Makes an archive a data folder's, which goes on where another one has written; that one is refused from now on.
 * @throws StartFault where it is another database's
 */
export async function takeOver(place: string, systemIdentifier: string, dataDir: string): Promise<void> {
  const owner = await readOwner(place)
  if (owner && owner.systemIdentifier !== systemIdentifier) throw othersDatabase(place)
  await writeOwner(place, { systemIdentifier, archiver: archiverOf(dataDir) })
}
