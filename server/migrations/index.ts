import type { Migrations } from '../core/database/migrate.ts'
import * as firstSchema from './202611230000-first-schema.ts'
import * as configurationVersion from './202611230430-configuration-version.ts'
import * as columnsOfPeople from './202611230800-columns-of-people.ts'
import * as importNotes from './202611230900-import-notes.ts'
import * as questionsOfSupplements from './202611231000-questions-of-supplements.ts'
import * as secondFactor from './202611231010-second-factor.ts'
import * as privacyNotice from './202611231020-privacy-notice.ts'
import * as submittedContents from './202611231020-submitted-contents.ts'
import * as placesAndExamWeeks from './202611231030-places-and-exam-weeks.ts'
import * as teamsOfCourses from './202611231100-teams-of-courses.ts'
import * as richIntroductions from './202611231110-rich-introductions.ts'
import * as serviceRole from './202611231120-service-role.ts'
import * as graduatesData from './202611231121-graduates-data.ts'
import * as approvalActs from './202611231130-approval-acts.ts'
import * as resetTries from './202611231131-reset-tries.ts'
import * as coursesInColumns from './202611231140-courses-in-columns.ts'
import * as backgroundTasks from './202611231160-background-tasks.ts'
import * as courseForm from './202611231180-course-form.ts'
import * as approvalRights from './202611231181-approval-rights.ts'
import * as previousSignIn from './202611231190-previous-sign-in.ts'
import * as backupRuns from './202611231200-backup-runs.ts'
import * as runtime from './202611231260-runtime.ts'
import * as exportScope from './202611231280-export-scope.ts'
import * as termsOfKeeping from './202611231300-terms-of-keeping.ts'
import * as migrationProgress from './202611240010-migration-progress.ts'
import * as suspendedSchools from './202611250120-suspended-schools.ts'
import * as schoolRemovals from './202611250121-school-removals.ts'
import * as identityProviders from './202611250140-identity-providers.ts'
import * as sessionsByProvider from './202611250141-sessions-by-provider.ts'
import * as checkedProvidersOfSessions from './202611250142-checked-providers-of-sessions.ts'
import * as outbox from './202611250150-outbox.ts'
import * as serviceKeys from './202611250151-service-keys.ts'
import * as dataSources from './202611250300-data-sources.ts'
import * as oidcProviders from './202611250900-oidc-providers.ts'
import * as messageChannels from './202611250910-message-channels.ts'
import * as messageIndexes from './202611250911-message-indexes.ts'
import * as messageTimes from './202611250912-message-times.ts'
import * as calendarFeeds from './202611250920-calendar-feeds.ts'
import * as signHints from './202611250930-sign-hints.ts'
import * as signDevices from './202611250931-sign-devices.ts'
import * as questionsAtRegistration from './202611250932-questions-at-registration.ts'
import * as schoolQuotas from './202611250940-school-quotas.ts'
import * as signInHosts from './202611250941-sign-in-hosts.ts'
import * as jobsBySchool from './202611250942-jobs-by-school.ts'
import * as credentialStatus from './202611250950-credential-status.ts'
import * as supplementCredentials from './202611250951-supplement-credentials.ts'
import * as platformViews from './202611250952-platform-views.ts'
import * as classTimes from './202611250953-class-times.ts'
import * as samlProviders from './202611251300-saml-providers.ts'
import * as personIdentities from './202611251310-person-identities.ts'
import * as studentChanges from './202611251320-student-changes.ts'
import * as activationCodes from './202611251330-activation-codes.ts'
import * as transcriptApplications from './202611251331-transcript-applications.ts'
import * as laterResults from './202611251350-later-results.ts'
import * as certificateWarnings from './202611262010-certificate-warnings.ts'
import * as notesByValues from './202611262100-notes-by-values.ts'
import * as worksOfParticipants from './202611262100-works-of-participants.ts'
import * as eventsByValues from './202611262110-events-by-values.ts'
import * as uniqueWithinSchools from './202611262120-unique-within-schools.ts'
import * as numbersFromSequences from './202611262130-numbers-from-sequences.ts'
import * as sessionsStandAlone from './202611262140-sessions-stand-alone.ts'
import * as schoolsThatMove from './202611262340-schools-that-move.ts'
import * as peopleOfAnnouncements from './202611262350-people-of-announcements.ts'
import * as forgetTheRemoved from './202611270210-forget-the-removed.ts'
import * as starsOfCircles from './202611270610-stars-of-circles.ts'
import * as exportRights from './202611270720-export-rights.ts'
import * as namesOfPlaces from './202611271755-names-of-places.ts'
import * as erasuresOnRequest from './202611271830-erasures-on-request.ts'
import * as starsOfCourses from './202611281820-stars-of-courses.ts'
import * as notesOfNumbers from './202611282040-notes-of-numbers.ts'
import * as runnersOfJobs from './202611282100-runners-of-jobs.ts'
import * as keptRecoveryCodes from './202611282120-kept-recovery-codes.ts'

/** Every migration of this folder, listed by hand so that the bundle carries them; a test compares. */
export const migrations: Migrations = {
  '202611230000-first-schema': firstSchema,
  '202611230430-configuration-version': configurationVersion,
  '202611230800-columns-of-people': columnsOfPeople,
  '202611230900-import-notes': importNotes,
  '202611231000-questions-of-supplements': questionsOfSupplements,
  '202611231010-second-factor': secondFactor,
  '202611231020-privacy-notice': privacyNotice,
  '202611231020-submitted-contents': submittedContents,
  '202611231030-places-and-exam-weeks': placesAndExamWeeks,
  '202611231100-teams-of-courses': teamsOfCourses,
  '202611231110-rich-introductions': richIntroductions,
  '202611231120-service-role': serviceRole,
  '202611231121-graduates-data': graduatesData,
  '202611231130-approval-acts': approvalActs,
  '202611231131-reset-tries': resetTries,
  '202611231140-courses-in-columns': coursesInColumns,
  '202611231160-background-tasks': backgroundTasks,
  '202611231180-course-form': courseForm,
  '202611231181-approval-rights': approvalRights,
  '202611231190-previous-sign-in': previousSignIn,
  '202611231200-backup-runs': backupRuns,
  '202611231260-runtime': runtime,
  '202611231280-export-scope': exportScope,
  '202611231300-terms-of-keeping': termsOfKeeping,
  '202611240010-migration-progress': migrationProgress,
  '202611250120-suspended-schools': suspendedSchools,
  '202611250121-school-removals': schoolRemovals,
  '202611250140-identity-providers': identityProviders,
  '202611250141-sessions-by-provider': sessionsByProvider,
  '202611250142-checked-providers-of-sessions': checkedProvidersOfSessions,
  '202611250150-outbox': outbox,
  '202611250151-service-keys': serviceKeys,
  '202611250300-data-sources': dataSources,
  '202611250900-oidc-providers': oidcProviders,
  '202611250910-message-channels': messageChannels,
  '202611250911-message-indexes': messageIndexes,
  '202611250912-message-times': messageTimes,
  '202611250920-calendar-feeds': calendarFeeds,
  '202611250930-sign-hints': signHints,
  '202611250931-sign-devices': signDevices,
  '202611250932-questions-at-registration': questionsAtRegistration,
  '202611250940-school-quotas': schoolQuotas,
  '202611250941-sign-in-hosts': signInHosts,
  '202611250942-jobs-by-school': jobsBySchool,
  '202611250950-credential-status': credentialStatus,
  '202611250951-supplement-credentials': supplementCredentials,
  '202611250952-platform-views': platformViews,
  '202611250953-class-times': classTimes,
  '202611251300-saml-providers': samlProviders,
  '202611251310-person-identities': personIdentities,
  '202611251320-student-changes': studentChanges,
  '202611251330-activation-codes': activationCodes,
  '202611251331-transcript-applications': transcriptApplications,
  '202611251350-later-results': laterResults,
  '202611262010-certificate-warnings': certificateWarnings,
  '202611262100-notes-by-values': notesByValues,
  '202611262100-works-of-participants': worksOfParticipants,
  '202611262110-events-by-values': eventsByValues,
  '202611262120-unique-within-schools': uniqueWithinSchools,
  '202611262130-numbers-from-sequences': numbersFromSequences,
  '202611262140-sessions-stand-alone': sessionsStandAlone,
  '202611262340-schools-that-move': schoolsThatMove,
  '202611262350-people-of-announcements': peopleOfAnnouncements,
  '202611270210-forget-the-removed': forgetTheRemoved,
  '202611270610-stars-of-circles': starsOfCircles,
  '202611270720-export-rights': exportRights,
  '202611271755-names-of-places': namesOfPlaces,
  '202611271830-erasures-on-request': erasuresOnRequest,
  '202611281820-stars-of-courses': starsOfCourses,
  '202611282040-notes-of-numbers': notesOfNumbers,
  '202611282100-runners-of-jobs': runnersOfJobs,
  '202611282120-kept-recovery-codes': keptRecoveryCodes,
}
