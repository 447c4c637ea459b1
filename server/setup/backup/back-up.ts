import { existsSync } from 'node:fs'
import { join } from 'node:path'
import about from '../../../package.json' with { type: 'json' }
import type { Config } from '../../core/base/config.ts'
import { systemClock } from '../../core/base/clock.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { openRecipients } from '../../core/backup/keys.ts'
import type { Manifest } from '../../core/backup/manifest.ts'
import type { Cleared, Keep } from '../../core/backup/retention.ts'
import { noteRun } from '../../core/backup/runs.ts'
import { writeBackup, type Progress } from '../../core/backup/write-backup.ts'
import { openFiles } from '../../core/files/files.ts'
import { loadSecrets } from '../../core/secrets/secrets.ts'
import { backupContents } from './contents.ts'
import type { ReachedDatabase } from './reach-database.ts'

/**
 * Backs up what the settings name, and notes in the database what became of it.
 * @param place absolute
 * @throws StartFault
 */
export async function backUp(
  config: Config,
  { connection }: ReachedDatabase,
  { place, keep, onProgress }: { place: string; keep?: Keep | undefined; onProgress: Progress },
): Promise<Cleared & { manifest: Manifest }> {
  const recipients = await openRecipients(config.backupRecipients)
  const secrets = secretsText(config)
  const note = noteRun(connection, 'backup', place, systemClock)
  try {
    const done = await writeBackup({
      connection,
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
      keep,
    })
    await note.end({ size: done.manifest.size, newSize: done.manifest.newSize, warning: done.fault })
    return done
  } catch (error) {
    await note.end({ error: (error as Error).message })
    throw error
  }
}

/** Where the audit archives lie; see `archiveOnce`. */
export const archiveFolder = (dataDir: string): string => join(dataDir, 'archive', 'audit')

/** The secrets as `secrets.json` holds them, wherever they come from. */
export function secretsText(config: Config): string {
  const isGiven = config.secretPepper && config.secretFieldKey
  // without this, new ones would be made that open nothing
  if (!isGiven && !existsSync(join(config.dataDir, 'secrets.json')))
    throw new StartFault(
      `没有找到密钥：${config.dataDir} 中没有 secrets.json，也没有设置 SECRET_PEPPER 与 SECRET_FIELD_KEY。没有密钥的备份恢复后无法登录。`,
    )
  const { pepper, fieldKey } = loadSecrets(config)
  return JSON.stringify({ pepper: pepper.toString('hex'), fieldKey: fieldKey.toString('hex') }, null, 2)
}
