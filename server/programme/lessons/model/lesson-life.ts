import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import type { LessonPhase, LessonStatus } from '../../../../contract/core/codes/programme.ts'
import {
  itemCategory as itemCategoryCodes,
  lessonPhase,
  lessonStatus,
} from '../../../../contract/core/codes/programme.ts'
import { valuesOf } from '../../../../contract/core/dictionary.ts'
import { Failure, type FailureName } from '../../../../contract/core/failure.ts'
import type { Permit } from '../../../../contract/core/call.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { lessonAction, type LessonAction } from '../../../../contract/programme/lessons/lessons.schema.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { moveRefusal, type Authority, type Move } from '../../../core/request/life-cycle.ts'

/**
 * What a person is to a course. `signUpChecker`, `signInChecker`: its flow names them for these stages; `initiator`:
 * they started its running approval; `scope`: it lies in the area their role with the action's right covers.
 */
export type Relation =
  | 'creator'
  | 'principal'
  | 'teacher'
  | 'signer'
  | 'signUpChecker'
  | 'signInChecker'
  | 'initiator'
  | 'scope'

/** The part of a course that its life depends on. */
export interface LessonState {
  liStatus: string
  applyStart: string | null
  applyEnd: string | null
  startTime: string
  endTime: string
  signCount: number
  /** The change under approval, if there is one. */
  changeId?: string | null
  itemCategory?: string
}

/** The school's rules that a course's life depends on. */
export type LifeRules = Pick<SchoolSettings, 'signOpenMinutes' | 'codeOpenHours'>

/** One person before one course, under the rules of the school. */
export interface LessonAuthority extends Authority<Relation> {
  rules: LifeRules
}

/** Where an approval or the clock decides on the state, see `lessonTransitions`. */
interface LessonMoveRow extends Move<LessonStatus, Relation> {
  permit: Permit
  /** What else stands in the way, by the course's own facts and the clock. */
  unless?: (lesson: LessonState, now: string, authority: LessonAuthority) => FailureName | undefined
}

const organisers = ['creator', 'principal', 'scope'] as const
const registrars = [...organisers, 'signUpChecker'] as const
const signers = [...organisers, 'teacher', 'signer', 'signInChecker'] as const
const untilOver = ({ endTime }: LessonState, now: string) => (now >= endTime ? 'wrong-state' : undefined)
const onlyOver = (lesson: LessonState, now: string) =>
  lesson.liStatus === lessonStatus.published && now < lesson.endTime ? 'lesson-not-over' : undefined

/** The list of a course in public notice is what is publicised: it changes by questions only. */
const inNotice = (status: string) =>
  status === lessonStatus.inNotice || status === lessonStatus.questioned ? 'list-in-notice' : undefined

const notChanging = ({ changeId }: LessonState) => (changeId ? 'change-pending' : undefined)

/**
 * A course's whole life, as far as people move it. Buttons, guards and tests all read this table (docs/rules.md R1 and
 * R3).
 */
export const lessonMoves = {
  edit: {
    name: '编辑',
    from: [lessonStatus.draft, lessonStatus.publishRefused, lessonStatus.publishPassed, lessonStatus.published],
    to: null,
    permit: lessonApi.save.permit,
    who: organisers,
    unless: notChanging,
  },
  submit: {
    name: '提交审批',
    from: [lessonStatus.draft, lessonStatus.publishRefused],
    to: lessonStatus.publishInReview,
    permit: lessonApi.submit.permit,
    who: organisers,
  },
  series: {
    name: '生成系列',
    from: [lessonStatus.draft, lessonStatus.publishRefused],
    to: null,
    permit: lessonApi.series.permit,
    who: organisers,
    unless: ({ itemCategory }) => (itemCategory === itemCategoryCodes.seriesItem ? 'series-child' : undefined),
  },
  /** In 30 it is a change that is taken back: nothing else is under approval then. */
  withdraw: {
    name: '撤回',
    from: [lessonStatus.publishInReview, lessonStatus.published, lessonStatus.resultInReview],
    to: null,
    permit: lessonApi.withdraw.permit,
    who: ['initiator'],
    unless: ({ liStatus, changeId }) => (liStatus === lessonStatus.published && !changeId ? 'wrong-state' : undefined),
  },
  del: {
    name: '删除',
    from: [lessonStatus.draft, lessonStatus.publishRefused],
    to: null,
    permit: lessonApi.del.permit,
    who: ['creator', 'scope'],
    elsewhere: (status) => (status === lessonStatus.publishInReview ? undefined : 'lesson-published'),
  },
  publish: {
    name: '发布',
    from: [lessonStatus.publishPassed, lessonStatus.unpublished],
    to: lessonStatus.published,
    permit: lessonApi.publish.permit,
    who: organisers,
    elsewhere: (status) =>
      isOneOf(status, lessonStatus.draft, lessonStatus.publishInReview, lessonStatus.publishRefused)
        ? 'publish-not-approved'
        : undefined,
  },
  unpublish: {
    name: '取消发布',
    from: [lessonStatus.published],
    to: lessonStatus.unpublished,
    permit: lessonApi.unpublish.permit,
    who: organisers,
    unless: (lesson) => (lesson.signCount > 0 ? 'has-sign-ins' : notChanging(lesson)),
  },
  cancel: {
    name: '取消',
    from: [lessonStatus.publishPassed, lessonStatus.published, lessonStatus.unpublished],
    to: lessonStatus.cancelled,
    permit: lessonApi.cancel.permit,
    who: organisers,
    unless: notChanging,
  },
  /** It took place but must not count: no credit, no loss of credibility. */
  abnormal: {
    name: '异常结项',
    from: [lessonStatus.published, lessonStatus.resultRefused, lessonStatus.resultPassed],
    to: lessonStatus.abnormal,
    permit: lessonApi.abnormal.permit,
    who: ['scope'],
    unless: (lesson, now) => onlyOver(lesson, now) ?? notChanging(lesson),
  },
  archive: {
    name: '归档',
    from: [lessonStatus.completed],
    to: lessonStatus.archived,
    permit: lessonApi.archive.permit,
    who: ['scope'],
  },
  /** A course that is over and gave nothing; see `purge.service.ts`. */
  purge: {
    name: '删除',
    from: [lessonStatus.completed, lessonStatus.archived, lessonStatus.cancelled, lessonStatus.abnormal],
    to: null,
    permit: lessonApi.purge.permit,
    who: ['scope'],
    elsewhere: () => 'lesson-published',
  },
  /** Decide on those who applied: only while the activity is still to come or running. */
  admit: {
    name: '审核报名',
    from: [lessonStatus.published],
    to: null,
    permit: registrationApi.pass.permit,
    who: registrars,
    elsewhere: inNotice,
    unless: untilOver,
  },
  /** Add, import and remove participants: possible until the result is submitted. */
  register: {
    name: '调整参与人员',
    from: [lessonStatus.published, lessonStatus.resultRefused],
    to: null,
    permit: registrationApi.add.permit,
    who: registrars,
    elsewhere: inNotice,
  },
  signManagers: {
    name: '设置签到负责人',
    from: [lessonStatus.published],
    to: null,
    permit: lessonApi.signPrincipalAdd.permit,
    who: organisers,
  },
  sign: {
    name: '登记签到',
    from: [lessonStatus.published, lessonStatus.resultRefused],
    to: null,
    permit: registrationApi.sign.permit,
    who: signers,
    elsewhere: inNotice,
    unless: ({ startTime }, now, { rules }) =>
      now < addMinutes(startTime, -rules.signOpenMinutes) ? 'sign-not-open' : undefined,
  },
  codes: {
    name: '下载签到码',
    from: [lessonStatus.published],
    to: null,
    permit: lessonApi.codePackage.permit,
    who: signers,
    unless: (lesson, now, { rules }) =>
      now < addMinutes(lesson.startTime, -60 * rules.codeOpenHours) ? 'code-package-early' : untilOver(lesson, now),
  },
  award: {
    name: '评定结果',
    from: [lessonStatus.published, lessonStatus.resultRefused],
    to: null,
    permit: registrationApi.setAward.permit,
    who: organisers,
    elsewhere: inNotice,
    unless: onlyOver,
  },
  resultAudit: {
    name: '提交结果',
    from: [lessonStatus.published, lessonStatus.resultRefused],
    to: lessonStatus.resultInReview,
    permit: lessonApi.resultAudit.permit,
    who: organisers,
    unless: (lesson, now) => onlyOver(lesson, now) ?? notChanging(lesson),
  },
  publicty: {
    name: '公示',
    from: [lessonStatus.resultPassed],
    to: lessonStatus.inNotice,
    permit: lessonApi.publicty.permit,
    who: ['scope'],
  },
  unpublicty: {
    name: '取消公示',
    from: [lessonStatus.inNotice, lessonStatus.questioned],
    to: lessonStatus.resultPassed,
    permit: lessonApi.unpublicty.permit,
    who: ['scope'],
  },
  exit: {
    name: '退出',
    from: [
      lessonStatus.draft,
      lessonStatus.publishInReview,
      lessonStatus.publishRefused,
      lessonStatus.publishPassed,
      lessonStatus.published,
      lessonStatus.resultInReview,
      lessonStatus.resultRefused,
      lessonStatus.resultPassed,
      lessonStatus.inNotice,
      lessonStatus.questioned,
    ],
    to: null,
    permit: lessonApi.exit.permit,
    who: ['principal', 'teacher', 'signer'],
    unless: (_lesson, _now, { relations }) => (relations.has('principal') ? 'hand-over-first' : undefined),
  },
  export: {
    name: '导出',
    from: valuesOf('lesson_status'),
    to: null,
    permit: lessonApi.export.permit,
    who: [...organisers, 'teacher'],
  },
} as const satisfies Record<LessonAction | 'admit', LessonMoveRow>

export type LessonMove = keyof typeof lessonMoves

/** What approvals and the clock do to a course; each happens only from the state it names. */
export const lessonTransitions = {
  publishPassed: { from: lessonStatus.publishInReview, to: lessonStatus.publishPassed },
  publishedByPlan: { from: lessonStatus.publishPassed, to: lessonStatus.published },
  publishRefused: { from: lessonStatus.publishInReview, to: lessonStatus.publishRefused },
  publishWithdrawn: { from: lessonStatus.publishInReview, to: lessonStatus.draft },
  publishTerminated: { from: lessonStatus.publishInReview, to: lessonStatus.draft },
  resultPassed: { from: lessonStatus.resultInReview, to: lessonStatus.resultPassed },
  resultRefused: { from: lessonStatus.resultInReview, to: lessonStatus.resultRefused },
  resultWithdrawn: { from: lessonStatus.resultInReview, to: lessonStatus.published },
  resultTerminated: { from: lessonStatus.resultInReview, to: lessonStatus.published },
  publishPassUndone: { from: lessonStatus.publishPassed, to: lessonStatus.publishInReview },
  publishRefusalUndone: { from: lessonStatus.publishRefused, to: lessonStatus.publishInReview },
  resultPassUndone: { from: lessonStatus.resultPassed, to: lessonStatus.resultInReview },
  resultRefusalUndone: { from: lessonStatus.resultRefused, to: lessonStatus.resultInReview },
  noticedByRule: { from: lessonStatus.resultPassed, to: lessonStatus.inNotice },
  noticeByRuleUndone: { from: lessonStatus.inNotice, to: lessonStatus.resultPassed },
  questioned: { from: lessonStatus.inNotice, to: lessonStatus.questioned },
  questionsSettled: { from: lessonStatus.questioned, to: lessonStatus.inNotice },
  completed: { from: lessonStatus.inNotice, to: lessonStatus.completed },
} as const satisfies Record<string, { from: LessonStatus; to: LessonStatus }>

/**
 * Where a published course stands in time (`dictionary.lesson_phase`); null in every other state. Computed, never
 * stored. `phaseCondition` in lessons.queries.ts says the same to the database.
 */
export function phaseOf(
  { liStatus, applyStart, applyEnd, startTime, endTime }: LessonState,
  now: string,
): LessonPhase | null {
  if (liStatus !== lessonStatus.published) return null
  if (now >= endTime) return lessonPhase.awaitingResult
  if (now >= startTime) return lessonPhase.underway
  if (applyStart && now < applyStart) return lessonPhase.beforeRegistration
  return applyEnd && now <= applyEnd ? lessonPhase.registrationOpen : lessonPhase.registrationClosed
}

/** Why the person may not do it now; undefined when they may. */
export function refusalOf(
  act: LessonMove,
  lesson: LessonState,
  authority: LessonAuthority,
  now: string,
): FailureName | undefined {
  const move: LessonMoveRow = lessonMoves[act]
  return moveRefusal(move, [move.permit], lesson.liStatus, authority) ?? move.unless?.(lesson, now, authority)
}

/** Refuses an action that the table does not allow. */
export function assertMove(act: LessonMove, lesson: LessonState, authority: LessonAuthority, now: string): void {
  const refusal = refusalOf(act, lesson, authority, now)
  if (refusal)
    throw new Failure(refusal, {
      act: lessonMoves[act].name,
      signOpenMinutes: authority.rules.signOpenMinutes,
      codeOpenHours: authority.rules.codeOpenHours,
    })
}

/** What the person may do to the course now, for its buttons. */
export const lessonCan = (lesson: LessonState, authority: LessonAuthority, now: string): LessonAction[] =>
  lessonAction.options.filter((act) => !refusalOf(act, lesson, authority, now))
