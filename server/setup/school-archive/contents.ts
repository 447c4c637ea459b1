import pg from 'pg'
import type { BackupContents } from '../../core/backup/snapshot.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import { backupContents } from '../backup/contents.ts'
import { resealed } from './reseal.ts'

/**
 * What stays behind: what holds only for the devices and the keys of the installation that was left, and imports,
 * requests and deliveries under way. Nobody's record is among it.
 */
export const staysBehind: ReadonlySet<string> = new Set([
  'activationCode',
  'calendarFeed',
  'alarm',
  'identityLogout',
  'identityTry',
  'importBatch',
  'importFile',
  'importMatch',
  'importRow',
  'importUndo',
  'outboxDelivery',
  'platformReader',
  'recoveryCode',
  'requestKey',
  'resetRequest',
  'serviceKey',
  'schoolQuota',
  'schoolRemoval',
  'session',
  'trustedDevice',
])

/** Tables whose rows come and go by themselves, also while a school stands still. */
export const movesByItself: ReadonlySet<string> = new Set([
  'job',
  'statChange',
  'statState',
  'auditLog',
  'auditSeal',
  'alarm',
  'session',
])

/** The rows that the contents tell, of one school; `keys` and `schools` are the parts of `backupContents`. */
export const schoolQueries = (schoolId: string): Pick<BackupContents, 'files' | 'archives' | 'schools'> => {
  const one = pg.escapeLiteral(schoolId)
  return {
    files: `
      select * from (${backupContents.files}) f
      where "key" in (
        select "storeKey" from "file" where "schoolId" = ${one}
        union all
        select "storeKey" from "transcriptBatch" where "schoolId" = ${one}
        union all
        select "storeKey" from "backgroundTask" where "schoolId" = ${one}
      )`,
    archives: `select "key", "storeKey" from (${backupContents.archives}) a where "schoolId" = ${one} order by 1`,
    schools: `select * from (${backupContents.schools}) s where "schoolId" = ${one}`,
  }
}

/** What the archive of a school copies; sealed fields are sealed for the archive. */
export const schoolContents = (schoolId: string, from: Secrets, to: Secrets): BackupContents => ({
  ...schoolQueries(schoolId),
  school: { schoolId, without: staysBehind, altered: (table, rows) => resealed(table, rows, from, to) },
})
