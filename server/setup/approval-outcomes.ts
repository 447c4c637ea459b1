import type { Outcomes } from '../programme/approvals/approvals.service.ts'
import { disputeOutcome } from '../programme/disputes/dispute-outcome.service.ts'
import { publishOutcome, resultOutcome } from '../programme/lessons/approval/outcomes.service.ts'
import { supplementOutcome } from '../programme/supplements/outcomes.service.ts'

/**
 * What the end of an approval means for its matter, by kind; for whoever decides and for the job that decides when time
 * has run out.
 */
export const approvalOutcomes: Outcomes = {
  publish: publishOutcome,
  result: resultOutcome,
  supplement: supplementOutcome,
  question: disputeOutcome,
}
