import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import { copyNewFiles, wantedFiles, writeBase, type BaseManifest } from '../../core/backup/base-backup.ts'
import { removeOldBases } from '../../core/backup/base-retention.ts'
import { openRecipients } from '../../core/backup/keys.ts'
import { noteRun } from '../../core/backup/runs.ts'
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
 * Makes a base backup in the archive of the journal and removes what its days no longer need; what became of it is
 * noted in the database.
 * @throws StartFault
 */
export async function backUpBase(
  config: Config,
  { connection }: ReachedDatabase,
  onProgress: Progress,
): Promise<{ manifest: BaseManifest; removed: string[] }> {
  const place = config.walArchive
  if (!place) throw new StartFault('没有设置 WAL_ARCHIVE（把数据库的日志归档到哪里），基础备份没有日志就没有用处。')
  const recipients = openRecipients(config.backupRecipients)
  const secrets = secretsText(config)
  const note = noteRun(connection, 'base', place, systemClock)
  try {
    const manifest = await writeBase({
      connection,
      cluster: clusterOf(config.dataDir),
      contents: backupContents,
      place,
      recipients,
      files: openFiles(config),
      archives: archiveFolder(config.dataDir),
      secrets,
      program: about.version,
      clock: systemClock,
      onProgress,
      onBegin: (name) => note.begin(name),
    })
    const removed = await removeOldBases(place, config.walArchiveDays, systemClock.now())
    await note.end(manifest)
    return { manifest, removed }
  } catch (error) {
    await note.end({ error: (error as Error).message })
    throw error
  }
}

/** The folder of the cluster of a data folder, which may lie behind a link. */
const clusterOf = (dataDir: string): string => {
  const link = join(dataDir, 'postgres')
  return existsSync(link) ? realpathSync(link) : link
}

/** Adds files that came since the newest base backup to the archive. */
export async function archiveFiles({ db, config, files }: AppServices): Promise<void> {
  const rows = async <R>(text: string): Promise<{ rows: R[] }> => sql.raw<R>(text).execute(db)
  await copyNewFiles(
    {
      place: config.walArchive!,
      recipients: openRecipients(config.backupRecipients),
      files,
      archives: archiveFolder(config.dataDir),
    },
    await wantedFiles({ query: rows }, backupContents),
  )
}
