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

/** What a dispute is about. */
export const disputeKinds = ['lesson', 'supplement'] as const

/** The course or the supplement record of a dispute: one of them; the fields of the other are null or empty. */
const disputed = {
  liId: z.string().nullable(),
  liName: z.string(),
  liStatus: z.string(),
  lisId: z.string().nullable(),
  lisName: z.string(),
  lisStatus: z.string(),
  /** 3 while a question about it is being decided. */
  lisPublictyStatus: z.string(),
}

/** A dispute as lists show it: never who asked it. `targetName` is empty where the course as a whole is meant. */
export const disputeRow = z.object({
  qId: z.string(),
  ...disputed,
  collegeName: z.string(),
  /** Of a supplement record always its student. */
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

/** A dispute with everything its page shows; module, level and period are those of its course or record. */
export const disputeDetail = disputeRow.extend({
  lsName: z.string(),
  liLevelName: z.string(),
  /** Empty for a supplement record, which nobody is responsible for. */
  liPrincipalName: z.string(),
  /** `1`: the flow names who decides; of a supplement record always. */
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

/** A course or a supplement record about which there are disputes. */
export const disputedLesson = z.object({
  ...disputed,
  liNo: z.string(),
  collegeName: z.string(),
  liPrincipalName: z.string(),
  /** The student of a supplement record. */
  suiName: z.string(),
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
