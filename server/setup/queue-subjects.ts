import type { QueueSubjects } from '../programme/approvals/approvals.routes.ts'
import { mattersOfDisputes } from '../programme/disputes/disputes.queries.ts'
import { supplementPeople } from '../programme/supplements/supplement-lookups.queries.ts'

/** What the tasks of a reviewer are about, for the rows of the queues. */
export const queueSubjects: QueueSubjects = { supplement: supplementPeople, question: mattersOfDisputes }
