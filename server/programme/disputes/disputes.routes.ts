import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { routes } from '../../core/request/routes.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { exportDisputes, proofFile, disputeCase, disputeDetail } from './dispute-detail.queries.ts'
import { disputedLessons, exportDisputedLessons } from './disputed-subjects.queries.ts'
import { listDisputes } from './disputes.queries.ts'
import {
  acceptDisputes,
  addDispute,
  decideDispute,
  declineDisputes,
  reporterOf,
  withdrawDispute,
} from './disputes.service.ts'
import { endByDispute, settleDispute } from './settle.service.ts'

/** @param kinds what gives credit, for corrections */
export const disputeRoutes = (kinds: CreditKinds) =>
  routes(disputeApi, {
    lessons: disputedLessons,
    exportLessons: exportDisputedLessons,
    list: listDisputes,
    detail: disputeDetail,
    export: exportDisputes,
    file: proofFile,
    add: addDispute,
    accept: acceptDisputes,
    decline: declineDisputes,
    decide: decideDispute,
    withdraw: withdrawDispute,
    abnormal: (ctx, input) => endByDispute(ctx, kinds, input),
    setQAward: (ctx, input) => settleDispute(ctx, kinds, input),
    reporter: reporterOf,
    case: disputeCase,
  })
