import { fileState } from '../../../contract/core/codes/platform.ts'
import type { BackupContents } from '../../core/backup/snapshot.ts'

/** What a backup copies besides the tables, and what must be equal after restoring it. */
export const backupContents: BackupContents = {
  // files that records hold are needed; results that wait to be fetched, and uploads that nobody took, go by themselves
  files: `
    select "storeKey" "key", "fileState" = '${fileState.inUse}' "needed" from "file"
    union all
    select "storeKey", false from "transcriptBatch" where "storeKey" is not null
    union all
    select "storeKey", false from "backgroundTask" where "storeKey" is not null
    order by 1`,
  // `archiveKey` says the same of one archive
  archives: `
    select "schoolId", "fileName" "key",
      "schoolId" || '/audit-archive/' || substr("sha256", 1, 2) || '/' || substr("sha256", 3, 2) || '/' || left("sha256", 32) "storeKey"
    from "auditArchive"
    order by 2`,
  schools: `
    select s."schoolId", s."schName" "name", count(l."clId")::int "entries", coalesce(sum(l."clValue"), 0)::text "sum"
    from "school" s
    left join "creditLedger" l on l."schoolId" = s."schoolId"
    group by s."schoolId", s."schName"
    order by s."schoolId"`,
}
