import type { Migrations } from '../core/database/migrate.ts'
import * as schoolPeople from './202611200900-school-people.ts'
import * as configuration from './202611200910-configuration.ts'
import * as lessonsCredits from './202611200920-lessons-credits.ts'
import * as operations from './202611200930-operations.ts'
import * as messages from './202611200940-messages.ts'
import * as schoolInfo from './202611211200-school-info.ts'
import * as auditSearch from './202611211210-audit-search.ts'
import * as auditSeals from './202611211211-audit-seals.ts'
import * as personPhotos from './202611211220-person-photos.ts'
import * as credibilityRestored from './202611211230-credibility-restored.ts'
import * as graduation from './202611211231-graduation.ts'
import * as membershipOrder from './202611211240-membership-order.ts'
import * as imports from './202611211250-imports.ts'
import * as flowRules from './202611211300-flow-rules.ts'
import * as approvalActs from './202611211301-approval-acts.ts'
import * as curriculumSettings from './202611211310-curriculum-settings.ts'
import * as qualityModel from './202611211311-quality-model.ts'
import * as transformation from './202611211320-transformation.ts'
import * as scoringLimits from './202611211330-scoring-limits.ts'
import * as requestKeys from './202611211559-request-keys.ts'
import * as supplementRecords from './202611211600-supplement-records.ts'
import * as registrationRules from './202611211610-registration-rules.ts'
import * as approvalUndo from './202611211620-approval-undo.ts'
import * as questions from './202611211621-questions.ts'
import * as lessonChanges from './202611211630-lesson-changes.ts'
import * as savedViews from './202611211631-saved-views.ts'
import * as transcriptIssues from './202611211640-transcript-issues.ts'
import * as thresholds from './202611211641-thresholds.ts'
import * as statistics from './202611211650-statistics.ts'
import * as circles from './202611211700-circles.ts'
import * as news from './202611211701-news.ts'
import * as circleStatistics from './202611211800-circle-statistics.ts'
import * as lessonAttendance from './202611211830-lesson-attendance.ts'
import * as overCap from './202611211831-over-cap.ts'
import * as warningTerms from './202611211839-warning-terms.ts'
import * as studentFacts from './202611211850-student-facts.ts'
import * as transcriptPapers from './202611220000-transcript-papers.ts'
import * as personNotes from './202611220020-person-notes.ts'
import * as earnedInPeriods from './202611220060-earned-in-periods.ts'
import * as statisticsCovering from './202611220070-statistics-covering.ts'
import * as personNotesInBulk from './202611220080-person-notes-in-bulk.ts'
import * as abilitiesByPerson from './202611220090-abilities-by-person.ts'

/** Every file of this folder, listed by hand so that the bundle carries them; a test compares. */
export const migrations: Migrations = {
  '202611200900-school-people': schoolPeople,
  '202611200910-configuration': configuration,
  '202611200920-lessons-credits': lessonsCredits,
  '202611200930-operations': operations,
  '202611200940-messages': messages,
  '202611211200-school-info': schoolInfo,
  '202611211210-audit-search': auditSearch,
  '202611211211-audit-seals': auditSeals,
  '202611211220-person-photos': personPhotos,
  '202611211230-credibility-restored': credibilityRestored,
  '202611211231-graduation': graduation,
  '202611211240-membership-order': membershipOrder,
  '202611211250-imports': imports,
  '202611211300-flow-rules': flowRules,
  '202611211301-approval-acts': approvalActs,
  '202611211310-curriculum-settings': curriculumSettings,
  '202611211311-quality-model': qualityModel,
  '202611211320-transformation': transformation,
  '202611211330-scoring-limits': scoringLimits,
  '202611211559-request-keys': requestKeys,
  '202611211600-supplement-records': supplementRecords,
  '202611211610-registration-rules': registrationRules,
  '202611211620-approval-undo': approvalUndo,
  '202611211621-questions': questions,
  '202611211630-lesson-changes': lessonChanges,
  '202611211631-saved-views': savedViews,
  '202611211640-transcript-issues': transcriptIssues,
  '202611211641-thresholds': thresholds,
  '202611211650-statistics': statistics,
  '202611211700-circles': circles,
  '202611211701-news': news,
  '202611211800-circle-statistics': circleStatistics,
  '202611211830-lesson-attendance': lessonAttendance,
  '202611211831-over-cap': overCap,
  '202611211839-warning-terms': warningTerms,
  '202611211850-student-facts': studentFacts,
  '202611220000-transcript-papers': transcriptPapers,
  '202611220020-person-notes': personNotes,
  '202611220060-earned-in-periods': earnedInPeriods,
  '202611220070-statistics-covering': statisticsCovering,
  '202611220080-person-notes-in-bulk': personNotesInBulk,
  '202611220090-abilities-by-person': abilitiesByPerson,
}
