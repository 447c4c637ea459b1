import { questionApi } from '../../contract/questions/questions.calls.ts'
import { routes } from '../core/routes.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { exportQuestions, proofFile, questionCase, questionDetail } from './question-detail.queries.ts'
import { listQuestions, questionedLessons } from './questions.queries.ts'
import {
  acceptQuestions,
  addQuestion,
  decideQuestion,
  declineQuestions,
  reporterOf,
  withdrawQuestion,
} from './questions.service.ts'
import { endByQuestion, settleQuestion } from './settle.service.ts'

/** @param kinds what gives credit, for corrections */
export const questionRoutes = (kinds: CreditKinds) =>
  routes(questionApi, {
    lessons: questionedLessons,
    list: listQuestions,
    detail: questionDetail,
    export: exportQuestions,
    file: proofFile,
    add: addQuestion,
    accept: acceptQuestions,
    decline: declineQuestions,
    decide: decideQuestion,
    withdraw: withdrawQuestion,
    abnormal: (ctx, input) => endByQuestion(ctx, kinds, input),
    setQAward: (ctx, input) => settleQuestion(ctx, kinds, input),
    reporter: reporterOf,
    case: questionCase,
  })
