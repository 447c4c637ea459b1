import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { batchFile, cancelBatch, listBatches, removeBatch, startBatch } from './batch.service.ts'
import { transcriptHeader } from './header.service.ts'
import { exportIssues, listIssues, listPrints } from './issues.queries.ts'
import { credentialFile, exportTranscripts, reprint } from './printing.service.ts'
import { revokeIssues } from './revoke.service.ts'
import { exportStudentScores, studentScores } from './scores.queries.ts'
import { listKeys, rotateKey } from './signing-keys.service.ts'
import { transcriptsOf } from './transcripts.service.ts'
import { transcriptStudents } from './transcripts.queries.ts'
import { verifyCredential, verifyKeys, verifySerial, verifyStatusList } from './verify.service.ts'

export const transcriptRoutes: Route[] = [
  ...routes(transcriptApi, {
    list: transcriptStudents,
    header: (ctx, { suId, ...part }) => transcriptHeader(ctx, suId, part),
    rows: async (ctx, { suId, startTime, endTime, lsId, ...page }) => {
      const { rows } = (await transcriptsOf(ctx, [suId], { startTime, endTime, lsId }))[0]!
      return asPage(
        rows.slice(offsetOf(page), offsetOf(page) + page.pageSize).map((row) => ({ ...row, explainId: row.recId })),
        rows.length,
        page,
      )
    },
    stuScore: studentScores,
    exportStuScore: exportStudentScores,
    export: exportTranscripts,
  }),
  ...routes(issueApi, {
    list: listIssues,
    exportList: exportIssues,
    prints: listPrints,
    reprint,
    credential: credentialFile,
    revoke: revokeIssues,
    keys: listKeys,
    rotate: rotateKey,
  }),
  ...routes(transcriptBatchApi, {
    start: startBatch,
    list: listBatches,
    cancel: cancelBatch,
    download: batchFile,
    remove: removeBatch,
  }),
  ...routes(verifyApi, {
    verify: verifySerial,
    credential: verifyCredential,
    publicKeys: verifyKeys,
    statusList: verifyStatusList,
  }),
]
