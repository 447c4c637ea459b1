import { existsSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { Failure } from '../../../contract/core/failure.ts'
import { assertOpens, checkParts, textOf } from '../../core/backup/check-backup.ts'
import type { DecryptionKey } from '../../core/backup/keys.ts'
import { loadRows } from '../../core/backup/load-rows.ts'
import { withCopyConnection } from '../../core/backup/snapshot.ts'
import { partPath, readIndex, type Backup, type Manifest, type StoredFile } from '../../core/backup/manifest.ts'
import { readPart } from '../../core/backup/parts.ts'
import { megabytes, type Progress } from '../../core/backup/write-backup.ts'
import { systemClock } from '../../core/base/clock.ts'
import type { Config } from '../../core/base/config.ts'
import { giveToOwnerOf, prepareFolder, unfinishedRestore } from '../../core/base/data-folder.ts'
import { diskFullText, isDiskFull, StartFault } from '../../core/base/start-fault.ts'
import { streamToFile } from '../../core/base/stream-to-file.ts'
import { connectionTo, type Connection } from '../../core/database/connection.ts'
import { migrate } from '../../core/database/migrate.ts'
import { withOwnClient } from '../../core/database/own-client.ts'
import { openFiles } from '../../core/files/files.ts'
import { layMark } from '../../core/files/store-mark.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { lockDataFolder } from '../../core/postgres/lock.ts'
import { runningPostmaster, shutDown } from '../../core/postgres/postmaster.ts'
import { migrations } from '../../migrations/index.ts'
import { archiveFolder } from './back-up.ts'
import { backupContents } from './contents.ts'

interface Restoring {
  backup: Backup
  identity: DecryptionKey
  onProgress: Progress
}

/**
 * Makes database, files, archives and secrets of a backup in an empty place that the settings name. Everything that can
 * be refused is refused before anything is written; what fails later is taken back; a restore that was killed is
 * cleaned up by the next one, and the program does not start on what it left.
 * @returns what to tell of what was to follow, where that failed
 * @throws StartFault
 */
export async function restoreBackup(config: Config, restoring: Restoring): Promise<string | undefined> {
  const { backup, identity, onProgress } = restoring
  assertKnown(backup.manifest)
  await assertFree(config, backup.manifest)
  await assertOpens(backup, identity)
  const secrets = await readSecrets(config, backup.folder, identity)
  await checkParts(backup, onProgress)
  const dataDir = prepareFolder(config.dataDir)
  const marker = unfinishedRestore(dataDir)
  await cleanUp(dataDir)
  writeFileSync(marker, `${backup.folder}\n`, { flush: true })
  try {
    await restoreFiles({ ...config, dataDir }, restoring)
    const fault = await restoreDatabase({ ...config, dataDir }, restoring)
    if (secrets) writePrivate(dataDir, join(dataDir, 'secrets.json'), `${secrets}\n`)
    rmSync(marker)
    return fault
  } catch (error) {
    await cleanUp(dataDir)
    throw isDiskFull(error) ? new StartFault(diskFullText(dataDir)) : error
  }
}

function assertKnown({ migrations: ran, school }: Manifest): void {
  if (school) throw new StartFault(`这是学校 ${school} 的归档，不是整个安装的备份。请用 dekt import-school 导入。`)
  const strange = ran.find((name) => !(name in migrations))
  if (strange) throw new StartFault(`备份由较新版本的程序写成（含 ${strange}，本程序没有）。请使用较新的版本恢复。`)
}

/** Refuses a place in which something is, or for which there is no room. */
async function assertFree(config: Config, manifest: Manifest): Promise<void> {
  const { dataDir } = config
  assertEmptyFolder(dataDir)
  if (config.databaseUrl) await assertEmptyDatabase(ownerOf(config), manifest)
  const rows = config.databaseUrl ? 0 : 2 * manifest.tables.reduce((sum, { plain }) => sum + plain, 0)
  const wanted = rows + (config.filesUrl ? 0 : manifest.files.size)
  assertRoom(dataDir, wanted)
}

/**
 * Refuses a data folder in which something is that no interrupted restore has left, or that a program uses.
 * @throws StartFault
 */
export function assertEmptyFolder(dataDir: string): void {
  if (existsSync(dataDir)) {
    // refused while a program runs there
    lockDataFolder(dataDir, systemClock.now())()
    const marked = existsSync(unfinishedRestore(dataDir))
    const there = ['postgres', 'secrets.json', 'files', 'archive'].filter((name) => {
      const found = lstatSync(join(dataDir, name), { throwIfNoEntry: false })
      return found && !(found.isDirectory() && name !== 'postgres' && readdirSync(join(dataDir, name)).length === 0)
    })
    if (there.length > 0 && !marked)
      throw new StartFault(
        `目标不是空的：${dataDir} 中已有 ${there.join('、')}。恢复只写入空的数据目录，请用 DATA_DIR 指定一个新目录，或先移走原来的内容。`,
      )
  }
}

/** @param wanted bytes; @throws StartFault where the disk of a data folder has not so much room */
export function assertRoom(dataDir: string, wanted: number): void {
  const room = statfsSync(firstThere(dataDir))
  const free = room.bavail * room.bsize
  if (free < wanted)
    throw new StartFault(
      `磁盘空间不足：恢复约需 ${megabytes(wanted)}，${dataDir} 所在的磁盘只剩 ${megabytes(free)}。请换一个 DATA_DIR。`,
    )
}

const firstThere = (path: string): string => (existsSync(path) ? path : firstThere(dirname(path)))

const ownerOf = ({ databaseUrl, migrationDatabaseUrl }: Config): Connection =>
  connectionTo((migrationDatabaseUrl ?? databaseUrl) as string)

/** Empty is a database without tables, or with those of an interrupted restore, which have no rows. */
async function assertEmptyDatabase(owner: Connection, { migrations: wanted }: Manifest): Promise<void> {
  const full = new StartFault(
    '目标不是空的：DATABASE_URL 指定的数据库中已有数据。恢复只写入空的数据库，请新建一个再恢复。',
  )
  await withCopyConnection(owner, async (client) => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select relname "name" from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
    )
    const names = tables.map(({ name }) => name)
    if (names.length === 0) return
    if (!names.includes('kysely_migration')) throw full
    const { rows: ran } = await client.query<{ name: string }>('select name from kysely_migration')
    if (ran.some(({ name }) => !wanted.includes(name))) throw full
    for (const name of ['school', 'installation'].filter((one) => names.includes(one)))
      if ((await client.query(`select from ${pg.escapeIdentifier(name)} limit 1`)).rowCount) throw full
  })
}

/**
 * The text for `secrets.json`; undefined where the settings give the secrets.
 * @throws StartFault where those are others than the backup's
 */
export async function readSecrets(
  config: Config,
  folder: string,
  identity: DecryptionKey,
): Promise<string | undefined> {
  const text = await textOf(await readPart(partPath.secrets(folder), identity))
  const kept = JSON.parse(text) as Record<'pepper' | 'fieldKey', string>
  const { secretPepper, secretFieldKey } = config
  if (
    (secretPepper && secretPepper.toString('hex') !== kept.pepper) ||
    (secretFieldKey && secretFieldKey.toString('hex') !== kept.fieldKey)
  )
    throw new StartFault(
      'SECRET_PEPPER 或 SECRET_FIELD_KEY 与备份中的密钥不同：恢复后将无法登录。请去掉这两项设置（恢复时写入 secrets.json），或改为原来的值。',
    )
  return secretPepper && secretFieldKey ? undefined : text
}

/** Removes what an interrupted restore has made; nothing where there was none. */
export async function cleanUp(dataDir: string): Promise<void> {
  if (!existsSync(unfinishedRestore(dataDir))) return
  const link = join(dataDir, 'postgres')
  if (existsSync(link)) {
    const cluster = realpathSync(link)
    const running = runningPostmaster(cluster)
    if (running) await shutDown(cluster, running.pid)
    rmSync(cluster, { recursive: true, force: true })
  }
  for (const name of ['postgres', 'files', 'archive', 'secrets.json'])
    rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(unfinishedRestore(dataDir))
}

async function restoreFiles(config: Config, { backup, identity, onProgress }: Restoring): Promise<void> {
  const { place, folder, manifest } = backup
  for (const [at, file] of readIndex(folder).entries()) {
    onProgress(`文件 ${at + 1}/${manifest.files.count}`, (0.3 * at) / manifest.files.count)
    await restoreFile(config, place, file, identity)
  }
}

/**
 * Puts one content where the settings have contents of its kind.
 * @param place that holds it
 * @throws StartFault which of the two failed: the place, or the store of the settings
 */
export async function restoreFile(
  config: Config,
  place: string,
  { kind, key, sha256 }: StoredFile,
  identity: DecryptionKey,
): Promise<void> {
  const content = Readable.from(contentOf(partPath.object(place, sha256), identity))
  if (kind === 'file')
    return openFiles(config)
      .put(content, { storeKey: key })
      .then(() => {})
      .catch((error: unknown) => {
        if (error instanceof Failure || error instanceof StartFault || isDiskFull(error)) throw error
        throw new StartFault(
          `写入文件 ${key} 到存储失败（${(error as Error).message}）。没有做完，请检查文件存储，然后重新运行。`,
        )
      })
  const archives = archiveFolder(config.dataDir)
  const path = join(archives, key)
  for (const made of [dirname(archives), archives]) {
    mkdirSync(made, { recursive: true, mode: 0o700 })
    giveToOwnerOf(config.dataDir, made)
  }
  await streamToFile(path, { mode: 0o600, flush: true }, (file) => pipeline(content, file))
  giveToOwnerOf(config.dataDir, path)
}

/** A content of a backup whose failure is told apart from one of the place that it goes to. */
async function* contentOf(path: string, identity: DecryptionKey): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await readPart(path, identity, { isPacked: true })) yield chunk as Uint8Array
  } catch (error) {
    throw new StartFault(
      `备份中的文件 ${path} 读取失败（${(error as Error).message}），可能已损坏。没有做完，请检查备份位置的磁盘，或换用它的另一份拷贝，然后重新运行。`,
    )
  }
}

async function restoreDatabase(
  config: Config,
  { backup, identity, onProgress }: Restoring,
): Promise<string | undefined> {
  const { folder, manifest } = backup
  const embedded = config.databaseUrl ? undefined : await startEmbedded({ dataDir: config.dataDir })
  const connection = embedded?.connection ?? ownerOf(config)
  try {
    onProgress('正在建立表结构', 0.3)
    await migrate(connection, Object.fromEntries(manifest.migrations.map((name) => [name, migrations[name]!])))
    const all = manifest.tables.reduce((sum, { size }) => sum + size, 0)
    let read = 0
    let text = ''
    const fault = await loadRows({
      connection,
      manifest,
      schools: backupContents.schools,
      rowsOf: (table) =>
        readPart(partPath.table(folder, table.name), identity, {
          onBytes: (bytes) => ((read += bytes), onProgress(text, 0.3 + (0.6 * read) / all)),
        }),
      onProgress: (said) => onProgress((text = said), 0.3 + (0.6 * read) / all),
    })
    await markStore(config, connection)
    return fault
  } finally {
    await embedded?.stop()
  }
}

/** The program refuses a store that is not its database's, and this one may hold no file yet by which it is known. */
export async function markStore(config: Config, connection: Connection): Promise<void> {
  await withOwnClient(connection, async (client) => {
    const { rows } = await client.query<{ inValue: string }>(
      `select "inValue" from "installation" where "inKey" = 'files'`,
    )
    for (const { inValue } of rows) await layMark(openFiles(config), inValue)
  })
}

/** Writes a file that only the owner of a data folder may read. */
export function writePrivate(dataDir: string, path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flush: true })
  giveToOwnerOf(dataDir, path)
}
