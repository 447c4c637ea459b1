import { transcriptApplicationApi } from '../../../contract/outcomes/transcripts/applications.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptBatchApi } from '../../../contract/outcomes/transcripts/batches.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { exportTranscriptApplications, listTranscriptApplications } from './applications.queries.ts'
import { acceptApplications, refuseApplications } from './applications.service.ts'
import { batchFile, cancelBatch, listBatches, removeBatch, startBatch } from './batch.service.ts'
import { transcriptEntries } from './entries.service.ts'
import { transcriptHeader } from './header.service.ts'
import { exportIssues, listIssues, listPrints } from './issues.queries.ts'
import { badgeFile, learnerRecordFile } from './open-credentials.service.ts'
import { credentialFile, exportTranscripts, reprint } from './printing.service.ts'
import { revokeIssues } from './revoke.service.ts'
import { exportStudentScores, studentScores } from './scores.queries.ts'
import { listKeys, rotateKey } from './signing-keys.service.ts'
import { transcriptStudents } from './transcripts.queries.ts'
import { verifyCredential, verifyKeys, verifySerial, verifyStatusList } from './verify.service.ts'

export const transcriptRoutes: Route[] = [
  ...routes(transcriptApi, {
    list: transcriptStudents,
    header: (ctx, { suId, ...part }) => transcriptHeader(ctx, suId, part),
    rows: transcriptEntries,
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
    learnerRecord: learnerRecordFile,
    badge: badgeFile,
    revoke: revokeIssues,
    keys: listKeys,
    rotate: rotateKey,
  }),
  ...routes(transcriptApplicationApi, {
    list: listTranscriptApplications,
    exportList: exportTranscriptApplications,
    accept: acceptApplications,
    refuse: refuseApplications,
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
