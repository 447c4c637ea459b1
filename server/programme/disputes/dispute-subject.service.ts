import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import {
  lessonStatus,
  partakeMode,
  questionOutcome,
  questionType,
  resultStatus,
  supplementStatus,
} from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { Context } from '../../core/request/context.ts'
import type { ApprovalSubject } from '../approvals/approvals.service.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import {
  correctResult,
  endAbnormally,
  followDisputes as followLesson,
  lessonSubject,
  lockDisputed,
  lockLesson,
  recordsIn,
  recordWords,
  removeFromResult,
  type ReachedLesson,
} from '../lessons/result/disputed.service.ts'
import {
  correctDisputed,
  disputedRecord,
  followDisputes as followSupplement,
  isCorrectable,
  lockSupplement,
  supplementFlowCase,
  supplementWords,
  takeOutDisputed,
  type ReachedSupplement,
} from '../supplements/disputed.service.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import type { AskedNotice, AskedRecord } from './dispute-rules.ts'

type Settlement = Checked<typeof disputeApi.setQAward>

/** The course or the supplement record that a dispute names. */
export interface DisputeSubjectId {
  liId?: string | null | undefined
  lisId?: string | null | undefined
}

/**
 * What a settlement came to: the record in words and hours in hundredths; `restored`: credibility that was given back.
 */
interface Settled {
  before: string
  after: string
  delta: number
  restored: number
}

type Target = AskedRecord & { suId: string }

/**
 * What a dispute is about, locked: a course or a supplement record. Everything that disputes do to either goes through
 * here, so that the life of a dispute is told once.
 */
export interface DisputeSubject {
  id: string
  name: string
  /** `课程` or `补录`. */
  what: string
  notice: AskedNotice
  /** Its disputes go before reviewers where the flow names some; else whoever handles disputes decides. */
  isAudited: boolean
  /** Of a supplement record its student; null: whoever is named. */
  onlySuId: string | null
  /** The people's records, as far as there are any. */
  targets(suIds: readonly string[]): Promise<Target[]>
  /** Where it lies and by which flow it is decided; `barred` are those whom a dispute of the type concerns. */
  subject(qType: string): Promise<Pick<ApprovalSubject, 'case' | 'facts' | 'flow'> & { barred: string[] }>
  isCorrectable: boolean
  settle(kinds: CreditKinds, suId: string, settlement: Settlement): Promise<Settled>
  /** Ends it for everybody; of a supplement record there is no such thing. */
  endAbnormally(kinds: CreditKinds, reason: string): Promise<number>
}

/** What the trail and the ledger say of a correction; never more. */
const why = '质疑成立'

/** The record for somebody who may see it, locked; `not-found` otherwise. */
export async function lockVisibleSubject(ctx: Context, { liId, lisId }: DisputeSubjectId): Promise<DisputeSubject> {
  return lisId
    ? supplementAsDisputed(ctx, await lockSupplement(ctx, lisId))
    : lessonAsDisputed(ctx, await lockLesson(ctx, liId!))
}

/** The record for somebody who reaches it through its dispute, locked. */
export async function lockSubjectThroughDispute(
  ctx: Context,
  { liId, lisId }: DisputeSubjectId,
): Promise<DisputeSubject> {
  return lisId
    ? supplementAsDisputed(ctx, await lockSupplement({ ...ctx, scope: wholeSchool }, lisId))
    : lessonAsDisputed(ctx, await lockDisputed(ctx, liId!))
}

/** Keeps the state of a course, or the notice of a record, in line with its disputes. */
export const followDisputes = (ctx: Context, { liId, lisId }: DisputeSubjectId): Promise<void> =>
  lisId ? followSupplement(ctx, lisId) : followLesson(ctx, liId!)

/** The record of the disputed person as it is now, in words. */
export async function nowInWords(ctx: Context, { liId, lisId }: DisputeSubjectId, suId: string): Promise<string> {
  if (lisId) return supplementWords(ctx, lisId)
  const [record] = await recordsIn(ctx, liId!, { suIds: [suId] })
  return record ? recordWords(record) : ''
}

const correctableLessons: string[] = [
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
  lessonStatus.completed,
  lessonStatus.archived,
]

/** A locked course as disputes see it. */
export function lessonAsDisputed(ctx: Context, lesson: ReachedLesson): DisputeSubject {
  const { liId, liName, liStatus, liPublictySdate, liPublictyEdate, isQuestionedAudit, liPrincipalId } = lesson
  return {
    id: liId,
    name: liName,
    what: '课程',
    notice: {
      what: '课程',
      isNoticed: isOneOf(
        liStatus,
        lessonStatus.inNotice,
        lessonStatus.questioned,
        lessonStatus.completed,
        lessonStatus.archived,
      ),
      from: liPublictySdate,
      to: liPublictyEdate,
    },
    isAudited: isQuestionedAudit === yesNo.yes,
    onlySuId: null,
    targets: (suIds) => recordsIn(ctx, liId, { suIds }),
    async subject(qType) {
      const { case: wanted, facts } = await lessonSubject(ctx, lesson)
      return { case: wanted, facts, barred: qType === questionType.organiserBreach ? [liPrincipalId] : [] }
    },
    isCorrectable: correctableLessons.includes(liStatus),
    async settle(kinds, suId, { qOutcome, laResult, adId, partakeMode: mode }) {
      if (qOutcome === questionOutcome.remove) return removeFromResult(ctx, kinds, lesson, suId, why)
      if (qOutcome === questionOutcome.correct) {
        if (!laResult) throw invalidInput([{ field: 'laResult', msg: '请选择更正后的结果' }])
        return correctResult(
          ctx,
          kinds,
          lesson,
          suId,
          { laResult, adId: laResult === resultStatus.awarded ? (adId ?? null) : null, partakeMode: mode },
          why,
        )
      }
      return unchanged(await nowInWords(ctx, lesson, suId))
    },
    endAbnormally: (kinds, reason) => endAbnormally(ctx, kinds, lesson, reason),
  }
}

/** A locked supplement record as disputes see it. */
function supplementAsDisputed(ctx: Context, supplement: ReachedSupplement): DisputeSubject {
  const { lisId, lisName, lisStatus, lisPublictySdate, lisPublictyEdate, suId, createBy } = supplement
  return {
    id: lisId,
    name: lisName,
    what: '补录',
    notice: {
      what: '补录',
      isNoticed: isOneOf(lisStatus, supplementStatus.inNotice, supplementStatus.credited),
      from: lisPublictySdate,
      to: lisPublictyEdate,
    },
    isAudited: true,
    onlySuId: suId,
    targets: (suIds) => Promise.resolve(suIds.includes(suId) ? [disputedRecord(supplement)] : []),
    async subject(qType) {
      return {
        ...(await supplementFlowCase(ctx, supplement)),
        barred: qType === questionType.falseAttendance && createBy ? [createBy] : [],
      }
    },
    isCorrectable: isCorrectable(supplement),
    async settle(kinds, _suId, { qOutcome, opinion, lisLevel, lisPartakeMode, ...more }) {
      if (qOutcome === questionOutcome.remove)
        return { ...(await takeOutDisputed(ctx, kinds, supplement, why, opinion)), restored: 0 }
      if (qOutcome === questionOutcome.correct) {
        if (!lisLevel) throw invalidInput([{ field: 'lisLevel', msg: '请选择更正后的级别' }])
        const { lisAward, lisTeamSize, lisRank, lisHoursDeclared } = more
        const given = {
          lisLevel,
          lisPartakeMode: lisPartakeMode ?? partakeMode.participant,
          lisAward,
          lisTeamSize,
          lisRank,
          lisHoursDeclared,
        }
        return { ...(await correctDisputed(ctx, kinds, supplement, given, why)), restored: 0 }
      }
      return unchanged(await supplementWords(ctx, lisId))
    },
    endAbnormally: () => Promise.reject(new Failure('wrong-state', { act: '异常结项' })),
  }
}

const unchanged = (now: string): Settled => ({ before: now, after: now, delta: 0, restored: 0 })
