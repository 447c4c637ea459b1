import { sql } from 'kysely'
import { backgroundKind, backgroundStatus, importStatus, jobStatus } from '../../contract/core/codes/platform.ts'
import { printBatchStatus } from '../../contract/core/codes/outcomes.ts'
import { taskDays, type BackgroundTask } from '../../contract/platform/background/background.calls.ts'
import { addDays } from '../core/base/clock.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import type { OtherWork } from '../platform/background/background.service.ts'

/** Rows told of each kind; earlier ones stand on their own screens. */
const most = 50

type Other = Pick<
  BackgroundTask,
  'btId' | 'btTitle' | 'btStatus' | 'total' | 'doneCount' | 'refusedCount' | 'createTime' | 'endTime'
> & { percent: number | null }

const asOther = (btKind: BackgroundTask['btKind'], { percent, ...row }: Other): BackgroundTask => ({
  ...row,
  btKind,
  progress: row.btStatus === backgroundStatus.done ? 100 : percent,
  secondsLeft: null,
  fault: '',
  fileName: null,
  fileSize: null,
  can: [],
})

const importsAs: Partial<Record<string, BackgroundTask['btStatus']>> = {
  [importStatus.checking]: backgroundStatus.running,
  [importStatus.importing]: backgroundStatus.running,
  [importStatus.undoing]: backgroundStatus.running,
  [importStatus.imported]: backgroundStatus.done,
  [importStatus.undone]: backgroundStatus.cancelled,
  [importStatus.checkFailed]: backgroundStatus.failed,
}

/** A person's imports that go on or have ended; those that wait for the person stand in the wizard. */
async function imports({ db, actor, clock }: Context): Promise<BackgroundTask[]> {
  const rows = await from({ db, actor }, 'importBatch as b')
    .select(['b.ibId', 'b.fileName', 'b.ibStatus', 'b.rowCount', 'b.faultCount', 'b.createTime', 'b.commitTime'])
    .select(['b.newCount', 'b.updateCount'])
    .select(
      sql<number | null>`(
        select j."progress"
        from (
          select "jobKey", "progress"
          from "job"
          where "schoolId" = ${actor.schoolId} and "jobStatus" = ${sql.lit(jobStatus.running)}
        ) j
        where j."jobKey" = b."ibId"::text
        limit 1
      )`.as('percent'),
    )
    .where('b.createBy', '=', actor.suId)
    .where('b.ibStatus', 'in', Object.keys(importsAs))
    .where('b.createTime', '>', addDays(clock.now(), -taskDays))
    .orderBy('b.createTime', 'desc')
    .limit(most)
    .execute()
  return rows.map(
    ({ ibId, fileName, ibStatus, rowCount, faultCount, newCount, updateCount, createTime, commitTime, percent }) =>
      asOther(backgroundKind.import, {
        btId: ibId,
        btTitle: fileName,
        btStatus: importsAs[ibStatus]!,
        total: rowCount,
        doneCount: ibStatus === importStatus.imported ? newCount + updateCount : 0,
        refusedCount: faultCount,
        createTime,
        endTime: commitTime,
        percent,
      }),
  )
}

const printsAs: Record<string, BackgroundTask['btStatus']> = {
  [printBatchStatus.waiting]: backgroundStatus.waiting,
  [printBatchStatus.running]: backgroundStatus.running,
  [printBatchStatus.done]: backgroundStatus.done,
  [printBatchStatus.failed]: backgroundStatus.failed,
  [printBatchStatus.cancelled]: backgroundStatus.cancelled,
  [printBatchStatus.removed]: backgroundStatus.removed,
}

/** A person's batches of transcripts. */
async function prints({ db, actor, clock }: Context): Promise<BackgroundTask[]> {
  const rows = await from({ db, actor }, 'transcriptBatch as b')
    .leftJoin('job as j', 'j.jobId', 'b.jobId')
    .select(['b.tbId', 'b.tbTitle', 'b.tbStatus', 'b.doneCount', 'b.createTime', 'b.endTime', 'j.progress as percent'])
    .select(sql<number>`cardinality(b."suIds")`.as('total'))
    .select(sql<number>`jsonb_array_length(b."faults")`.as('refusedCount'))
    .where('b.createBy', '=', actor.suId)
    .where('b.createTime', '>', addDays(clock.now(), -taskDays))
    .orderBy('b.createTime', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ tbId, tbTitle, tbStatus, ...row }) =>
    asOther(backgroundKind.print, { ...row, btId: tbId, btTitle: tbTitle, btStatus: printsAs[tbStatus]! }),
  )
}

/** What else goes on for a person in the background, beside what the background itself keeps. */
export const otherWork: readonly OtherWork[] = [imports, prints]
