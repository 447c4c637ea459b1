import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { routes } from '../core/request/routes.ts'
import {
  ownBadge,
  ownCredential,
  ownCredibility,
  ownCredibilityLog,
  ownEntries,
  ownIssues,
  ownLearnerRecord,
  ownProspect,
  ownRecord,
  printOwnTranscript,
} from './record.service.ts'

import {
  applyForTranscript,
  issuedTranscriptFile,
  ownTranscriptApplications,
  withdrawTranscriptApplication,
} from './transcript-applications.service.ts'

/** What was credited to the student who asks. */
export const ownRecordRoutes = routes(ownRecordApi, {
  summary: ownRecord,
  entries: ownEntries,
  prospect: ownProspect,
  credibility: ownCredibility,
  credibilityLog: ownCredibilityLog,
  issues: ownIssues,
  credential: ownCredential,
  learnerRecord: ownLearnerRecord,
  badge: ownBadge,
  applications: ownTranscriptApplications,
  apply: applyForTranscript,
  withdraw: withdrawTranscriptApplication,
  issued: issuedTranscriptFile,
  print: printOwnTranscript,
})
