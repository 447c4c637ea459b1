import { z } from 'zod'
import { questionOutcome } from '../../core/codes/programme.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { id, pick } from '../../core/fields.ts'
import { flowProgress } from '../lessons/lessons.schema.ts'

/**
 * What may be done about a dispute now by the person who asks; the server checks state, rights and whether they are
 * concerned.
 */
export const disputeAction = z.enum(['accept', 'decline', 'decide', 'settle', 'abnormal', 'withdraw', 'reporter'])
export type DisputeAction = z.infer<typeof disputeAction>

/** A dispute as lists show it: never who asked it. `targetName` is empty where the course as a whole is meant. */
export const disputeRow = z.object({
  qId: z.string(),
  liId: z.string(),
  liName: z.string(),
  liStatus: z.string(),
  collegeName: z.string(),
  targetSuId: z.string().nullable(),
  targetName: z.string(),
  targetNumber: z.string(),
  qType: z.string(),
  qContent: z.string(),
  qStatus: z.string(),
  /** `1` entered on somebody's behalf, `2` imported. */
  source: z.string(),
  createTime: z.string(),
  deadline: z.string(),
  overdue: z.boolean(),
  handleName: z.string(),
  handleTime: z.string().nullable(),
  qOutcome: z.string().nullable(),
  /** Signed decimal text. */
  creditDelta: z.string(),
  credibilityDelta: z.number(),
  version: z.number(),
  can: z.array(disputeAction),
})
export type DisputeRow = z.infer<typeof disputeRow>

/** A dispute with everything its page shows. */
export const disputeDetail = disputeRow.extend({
  lsName: z.string(),
  liLevelName: z.string(),
  liPrincipalName: z.string(),
  isQuestionedAudit: z.string(),
  liPublictySdate: z.string().nullable(),
  liPublictyEdate: z.string().nullable(),
  qAward: z.string(),
  qProofs: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The disputed record as it is now, in words; empty where the course as a whole is meant. */
  nowResult: z.string(),
  acceptName: z.string(),
  acceptTime: z.string().nullable(),
  opinion: z.string(),
  beforeResult: z.string(),
  afterResult: z.string(),
  outcomeOpinion: z.string(),
  outcomeName: z.string(),
  outcomeTime: z.string().nullable(),
  /** The same person's or course's other disputes. */
  others: z.array(z.object({ qId: z.string(), qType: z.string(), qStatus: z.string(), createTime: z.string() })),
  flows: z.array(flowProgress),
})
export type DisputeDetail = z.infer<typeof disputeDetail>

/** A course about which there are disputes. */
export const disputedLesson = z.object({
  liId: z.string(),
  liNo: z.string(),
  liName: z.string(),
  liStatus: z.string(),
  collegeName: z.string(),
  liPrincipalName: z.string(),
  liPublictySdate: z.string().nullable(),
  liPublictyEdate: z.string().nullable(),
  total: z.number(),
  waiting: z.number(),
  approving: z.number(),
  upheld: z.number(),
  refused: z.number(),
  lastTime: z.string(),
})
export type DisputedLesson = z.infer<typeof disputedLesson>

export const qType = pick('质疑类型', valuesOf('question_type'))
export const qId = id('质疑')
export const outcomes = [questionOutcome.keep, questionOutcome.remove, questionOutcome.correct] as const
