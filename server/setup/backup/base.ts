import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import {
  archiveLock,
  copyNewFiles,
  wantedFiles,
  whileNothingIsCopied,
  writeBase,
} from '../../core/backup/base-backup.ts'
import { type BaseManifest } from '../../core/backup/base-manifest.ts'
import { archiverOf } from '../../core/backup/archiver.ts'
import { removeOldBases } from '../../core/backup/base-retention.ts'
import { openRecipients } from '../../core/backup/keys.ts'
import { clearUp, removeBackup, type Cleared } from '../../core/backup/retention.ts'
import { noteRun } from '../../core/backup/runs.ts'
import { walPath } from '../../core/backup/wal-archive.ts'
import type { Progress } from '../../core/backup/write-backup.ts'
import { systemClock } from '../../core/base/clock.ts'
import type { Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import type { AppServices } from '../../core/http/http.ts'
import { openFiles } from '../../core/files/files.ts'
import { sql } from 'kysely'
import { archiveFolder, secretsText } from './back-up.ts'
import { backupContents } from './contents.ts'
import type { ReachedDatabase } from './reach-database.ts'

/**
 * Makes a base backup in the archive of the WAL and removes what its days no longer need; what became of it is
 * noted in the database.
 * @throws StartFault
 */
export async function backUpBase(
  config: Config,
  { connection }: ReachedDatabase,
  onProgress: Progress,
): Promise<Cleared & { manifest: BaseManifest }> {
  const place = config.walArchive
  if (!place) throw new StartFault('没有设置 WAL_ARCHIVE（把数据库的日志归档到哪里），基础备份没有日志就没有用处。')
  const recipients = await openRecipients(config.backupRecipients)
  const secrets = secretsText(config)
  const note = noteRun(connection, 'base', place, systemClock)
  try {
    const { manifest, unfinished } = await writeBase({
      connection,
      cluster: clusterOf(config.dataDir),
      contents: backupContents,
      place,
      archiver: archiverOf(config.dataDir),
      recipients,
      files: openFiles(config),
      archives: archiveFolder(config.dataDir),
      secrets,
      program: about.version,
      clock: systemClock,
      onProgress,
      onBegin: (name) => note.begin(name),
    })
    const cleared = await clearUp(() =>
      whileNothingIsCopied(connection, async () => {
        for (const name of unfinished) await removeBackup(walPath.bases(place), name)
        return removeOldBases(place, config.walArchiveDays, systemClock.now())
      }),
    )
    await note.end({ size: manifest.size, newSize: manifest.newSize, warning: cleared.fault })
    return { manifest, ...cleared }
  } catch (error) {
    await note.end({ error: (error as Error).message })
    throw error
  }
}

/** The folder of the cluster of a data folder, which may lie behind a link. */
export const clusterOf = (dataDir: string): string => {
  const link = join(dataDir, 'postgres')
  return existsSync(link) ? realpathSync(link) : link
}

/**
 * Adds files that came since the newest base backup to the archive, unless another process clears up there: then the
 * next run makes up for it.
 * @returns how many
 */
export const archiveFiles = ({ db, config, files }: Pick<AppServices, 'db' | 'config' | 'files'>): Promise<number> =>
  db.connection().execute(async (held) => {
    const { rows: lock } = await sql<{ isMine: boolean }>`select pg_try_advisory_lock(${archiveLock}) "isMine"`.execute(
      held,
    )
    if (!lock[0]?.isMine) return 0
    try {
      const rows = async <R>(text: string): Promise<{ rows: R[] }> => sql.raw<R>(text).execute(held)
      const wanted = await wantedFiles({ query: rows }, backupContents)
      const recipients = await openRecipients(config.backupRecipients)
      const archives = archiveFolder(config.dataDir)
      return await copyNewFiles({ place: config.walArchive!, recipients, files, archives }, wanted)
    } finally {
      await sql`select pg_advisory_unlock(${archiveLock})`.execute(held)
    }
  })
