import { ownNoticeApi } from '../../contract/student/notices.calls.ts'
import { routes } from '../core/request/routes.ts'
import { listOwnDisputes, ownDisputeProof } from '../programme/disputes/own-disputes.queries.ts'
import { lessonsInNotice } from '../programme/lessons/result/in-notice.queries.ts'
import { askAboutNotice, noticedPeople, noticedSupplements, withdrawOwnDispute } from './notices.service.ts'

/** What is in public notice, and the questions of the student who asks. */
export const ownNoticeRoutes = routes(ownNoticeApi, {
  lessons: lessonsInNotice,
  people: noticedPeople,
  supplements: noticedSupplements,
  ask: askAboutNotice,
  mine: listOwnDisputes,
  withdraw: withdrawOwnDispute,
  proof: ownDisputeProof,
})
