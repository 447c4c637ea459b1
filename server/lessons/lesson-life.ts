import type { LessonPhase, LessonStatus } from '../../contract/core/codes/programme.ts'
import { valuesOf } from '../../contract/core/dictionary.ts'
import { Failure, type FailureName } from '../../contract/core/failure.ts'
import type { Permit } from '../../contract/core/call.ts'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import { lessonAction, type LessonAction } from '../../contract/lessons/lessons.schema.ts'
import { registrationApi } from '../../contract/lessons/registration.calls.ts'
import type { SchoolSettings } from '../../contract/school/settings.ts'
import { addMinutes } from '../core/clock.ts'

/** What a person is to a course. `initiator`: they started its running approval; `scope`: it lies in the area their role with the action's right covers. */
export type Relation = 'creator' | 'principal' | 'teacher' | 'signer' | 'initiator' | 'scope'

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
export interface LessonAuthority {
  rules: LifeRules
  permits: ReadonlySet<string>
  relations: ReadonlySet<Exclude<Relation, 'scope'>>
  covers(permit: Permit): boolean
}

export interface Move {
  /** The action in a sentence: 当前状态不可{name}. */
  name: string
  from: readonly LessonStatus[]
  /** Null: the course stays in its state, or is gone. Where an approval or the clock decides, see `lessonTurns`. */
  to: LessonStatus | null
  permit: Permit
  who: readonly Relation[]
  /** Why a state outside `from` is refused, where a better word than 当前状态不可… is known. */
  elsewhere?: (status: string) => FailureName | undefined
  /** What else stands in the way, by the course's own facts and the clock. */
  unless?: (lesson: LessonState, now: string, authority: LessonAuthority) => FailureName | undefined
}

const organisers = ['creator', 'principal', 'scope'] as const
const signers = [...organisers, 'teacher', 'signer'] as const
const untilOver = ({ endTime }: LessonState, now: string) => (now >= endTime ? 'wrong-state' : undefined)
const onlyOver = (lesson: LessonState, now: string) =>
  lesson.liStatus === '30' && now < lesson.endTime ? 'lesson-not-over' : undefined

/** The list of a course in public notice is what is publicised: it changes by questions only. */
const inNotice = (status: string) => (status === '60' || status === '61' ? 'list-in-notice' : undefined)

const notChanging = ({ changeId }: LessonState) => (changeId ? 'change-pending' : undefined)

/** A course's whole life, as far as people move it. Buttons, guards and tests all read this table (docs/rules.md R1 and R3). */
export const lessonMoves = {
  edit: {
    name: '编辑',
    from: ['0', '11', '20', '30'],
    to: null,
    permit: lessonApi.save.permit,
    who: organisers,
    unless: notChanging,
  },
  submit: { name: '提交审批', from: ['0', '11'], to: '10', permit: lessonApi.submit.permit, who: organisers },
  series: {
    name: '生成系列',
    from: ['0', '11'],
    to: null,
    permit: lessonApi.series.permit,
    who: organisers,
    unless: ({ itemCategory }) => (itemCategory === '2' ? 'series-child' : undefined),
  },
  /** In 30 it is a change that is taken back: nothing else is under approval then. */
  withdraw: {
    name: '撤回',
    from: ['10', '30', '40'],
    to: null,
    permit: lessonApi.withdraw.permit,
    who: ['initiator'],
    unless: ({ liStatus, changeId }) => (liStatus === '30' && !changeId ? 'wrong-state' : undefined),
  },
  del: {
    name: '删除',
    from: ['0', '11'],
    to: null,
    permit: lessonApi.del.permit,
    who: ['creator', 'scope'],
    elsewhere: (status) => (status === '10' ? undefined : 'lesson-published'),
  },
  publish: {
    name: '发布',
    from: ['20', '90'],
    to: '30',
    permit: lessonApi.publish.permit,
    who: organisers,
    elsewhere: (status) => (['0', '10', '11'].includes(status) ? 'publish-not-approved' : undefined),
  },
  unpublish: {
    name: '取消发布',
    from: ['30'],
    to: '90',
    permit: lessonApi.unpublish.permit,
    who: organisers,
    unless: (lesson) => (lesson.signCount > 0 ? 'has-sign-ins' : notChanging(lesson)),
  },
  cancel: {
    name: '取消',
    from: ['20', '30', '90'],
    to: '91',
    permit: lessonApi.cancel.permit,
    who: organisers,
    unless: notChanging,
  },
  /** It took place but must not count: no credit, no loss of credibility. */
  abnormal: {
    name: '异常结项',
    from: ['30', '41', '50'],
    to: '92',
    permit: lessonApi.abnormal.permit,
    who: ['scope'],
    unless: (lesson, now) => onlyOver(lesson, now) ?? notChanging(lesson),
  },
  archive: { name: '归档', from: ['70'], to: '80', permit: lessonApi.archive.permit, who: ['scope'] },
  /** A course that is over and gave nothing; see `purge.service.ts`. */
  purge: {
    name: '删除',
    from: ['70', '80', '91', '92'],
    to: null,
    permit: lessonApi.purge.permit,
    who: ['scope'],
    elsewhere: () => 'lesson-published',
  },
  /** Decide on those who applied: only while the activity is still to come or running. */
  admit: {
    name: '审核报名',
    from: ['30'],
    to: null,
    permit: registrationApi.pass.permit,
    who: organisers,
    elsewhere: inNotice,
    unless: untilOver,
  },
  /** Add, import and remove participants: possible until the result is submitted. */
  register: {
    name: '调整参与人员',
    from: ['30', '41'],
    to: null,
    permit: registrationApi.add.permit,
    who: organisers,
    elsewhere: inNotice,
  },
  signManagers: {
    name: '设置签到负责人',
    from: ['30'],
    to: null,
    permit: lessonApi.signPrincipalAdd.permit,
    who: organisers,
  },
  sign: {
    name: '登记签到',
    from: ['30', '41'],
    to: null,
    permit: registrationApi.sign.permit,
    who: signers,
    elsewhere: inNotice,
    unless: ({ startTime }, now, { rules }) =>
      now < addMinutes(startTime, -rules.signOpenMinutes) ? 'sign-not-open' : undefined,
  },
  codes: {
    name: '下载签到码',
    from: ['30'],
    to: null,
    permit: lessonApi.codePackage.permit,
    who: signers,
    unless: (lesson, now, { rules }) =>
      now < addMinutes(lesson.startTime, -60 * rules.codeOpenHours) ? 'code-package-early' : untilOver(lesson, now),
  },
  award: {
    name: '评定结果',
    from: ['30', '41'],
    to: null,
    permit: registrationApi.setAward.permit,
    who: organisers,
    elsewhere: inNotice,
    unless: onlyOver,
  },
  resultAudit: {
    name: '提交结果',
    from: ['30', '41'],
    to: '40',
    permit: lessonApi.resultAudit.permit,
    who: organisers,
    unless: (lesson, now) => onlyOver(lesson, now) ?? notChanging(lesson),
  },
  publicty: { name: '公示', from: ['50'], to: '60', permit: lessonApi.publicty.permit, who: ['scope'] },
  unpublicty: { name: '撤销公示', from: ['60', '61'], to: '50', permit: lessonApi.unpublicty.permit, who: ['scope'] },
  exit: {
    name: '退出',
    from: ['0', '10', '11', '20', '30', '40', '41', '50', '60', '61'],
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
} as const satisfies Record<LessonAction | 'admit', Move>

export type LessonMove = keyof typeof lessonMoves

/** What approvals and the clock do to a course; each happens only from the state it names. */
export const lessonTurns = {
  publishPassed: { from: '10', to: '20' },
  publishedByPlan: { from: '20', to: '30' },
  publishRefused: { from: '10', to: '11' },
  publishWithdrawn: { from: '10', to: '0' },
  resultPassed: { from: '40', to: '50' },
  resultRefused: { from: '40', to: '41' },
  resultWithdrawn: { from: '40', to: '30' },
  publishPassUndone: { from: '20', to: '10' },
  publishRefusalUndone: { from: '11', to: '10' },
  resultPassUndone: { from: '50', to: '40' },
  resultRefusalUndone: { from: '41', to: '40' },
  questioned: { from: '60', to: '61' },
  questionsSettled: { from: '61', to: '60' },
  completed: { from: '60', to: '70' },
} as const satisfies Record<string, { from: LessonStatus; to: LessonStatus }>

/**
 * Where a published course stands in time (`dictionary.lesson_phase`); null in every other state. Computed, never stored.
 * `phaseCondition` in lessons.queries.ts says the same to the database.
 */
export function phaseOf(
  { liStatus, applyStart, applyEnd, startTime, endTime }: LessonState,
  now: string,
): LessonPhase | null {
  if (liStatus !== '30') return null
  if (now >= endTime) return '5'
  if (now >= startTime) return '4'
  if (applyStart && now < applyStart) return '1'
  return applyEnd && now <= applyEnd ? '2' : '3'
}

/** Why the person may not do it now; undefined when they may. */
export function refusalOf(
  act: LessonMove,
  lesson: LessonState,
  authority: LessonAuthority,
  now: string,
): FailureName | undefined {
  const move: Move = lessonMoves[act]
  const isRelated = move.who.some((relation) =>
    relation === 'scope' ? authority.covers(move.permit) : authority.relations.has(relation),
  )
  if (!authority.permits.has(move.permit) || !isRelated) return 'not-permitted'
  if (!move.from.some((status) => status === lesson.liStatus)) return move.elsewhere?.(lesson.liStatus) ?? 'wrong-state'
  return move.unless?.(lesson, now, authority)
}

/** Refuses an action that the table does not allow. */
export function requireMove(act: LessonMove, lesson: LessonState, authority: LessonAuthority, now: string): void {
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
