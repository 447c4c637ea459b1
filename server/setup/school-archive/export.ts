import { randomBytes } from 'node:crypto'
import about from '../../../package.json' with { type: 'json' }
import type { Config } from '../../core/base/config.ts'
import { systemClock } from '../../core/base/clock.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { openRecipients } from '../../core/backup/keys.ts'
import type { Manifest } from '../../core/backup/manifest.ts'
import { writeBackup, type Progress } from '../../core/backup/write-backup.ts'
import { openFiles } from '../../core/files/files.ts'
import { loadSecrets, secretsOf } from '../../core/secrets/secrets.ts'
import { archiveFolder, secretsText } from '../backup/back-up.ts'
import type { ReachedDatabase } from '../backup/reach-database.ts'
import { schoolContents } from './contents.ts'
import { withOwner } from './owner.ts'

/**
 * Writes everything of one school into an archive (docs/school-archive.md). The fields in it are sealed with a key of
 * its own: the installation's, which opens the other schools' fields too, stays here.
 * @param place absolute
 * @throws StartFault
 */
export async function exportSchool(
  config: Config,
  { connection }: ReachedDatabase,
  { schoolId, place, onProgress }: { schoolId: string; place: string; onProgress: Progress },
): Promise<Manifest> {
  const recipients = await openRecipients(config.backupRecipients)
  // refused where there are none
  secretsText(config)
  const own = loadSecrets(config)
  const ofArchive = secretsOf({ pepper: own.pepper, fieldKey: randomBytes(32) })
  await withOwner(connection, async (client) => {
    const { rowCount } = await client.query('select from "school" where "schoolId" = $1', [schoolId])
    if (!rowCount) throw new StartFault(`没有学校 ${schoolId}。`)
  })
  const { manifest, fault } = await writeBackup({
    connection,
    contents: schoolContents(schoolId, own, ofArchive),
    place,
    recipients,
    files: openFiles(config),
    archives: archiveFolder(config.dataDir),
    secrets: JSON.stringify({
      pepper: ofArchive.pepper.toString('hex'),
      fieldKey: ofArchive.fieldKey.toString('hex'),
    }),
    program: about.version,
    clock: systemClock,
    onProgress,
  })
  if (fault) process.stderr.write(`\n注意：${fault}\n`)
  return manifest
}
