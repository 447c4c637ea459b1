import { isOneOf } from '../../../../contract/core/codes/code-list.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { CreditTrace } from '../../../../contract/programme/lessons/credit-trace.ts'
import type { Explain } from '../../credits/rules.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { hasLeft } from '../model/sign-rules.ts'

/** What the way from registration to credit depends on. */
export interface TraceFacts {
  /** Null: never registered. */
  laStatus: string | null
  applyTime: string
  refuseReason: string
  laSignStatus: string
  signInTime: string | null
  signOutTime: string | null
  signOutOn: string
  /** Sessions come to, of how many, where the course asks for more; undefined where it was enough. */
  seldom?: { came: number; sessions: number } | undefined
  laResult: string
  awardName: string
  liStatus: string
  endTime: string
  liPublictySdate: string | null
  liPublictyEdate: string | null
  completeTime: string | null
  entries: number
  now: string
}

export type Gate = CreditTrace['gates'][number]

const approved: string[] = [
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
  lessonStatus.completed,
  lessonStatus.archived,
]
const completed: string[] = [lessonStatus.completed, lessonStatus.archived]
const ended: string[] = [lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal]

interface Check {
  name: string
  passed: boolean
  note: string
  /** Not there yet, for no fault of the student's. */
  pending?: boolean
  hint?: string
}

/**
 * The gates between a student and their credit, in their order; the first that they have not passed is marked, with
 * what may be done about it. Pure.
 */
export function gatesOf(facts: TraceFacts): Gate[] {
  const { laStatus, laSignStatus, laResult, liStatus, now, endTime, signOutOn } = facts
  const open = isOneOf(liStatus, lessonStatus.published, lessonStatus.resultRefused)
  const over = now >= endTime
  const late = open ? '' : '结果已提交，只能通过质疑更正'
  const known = laStatus !== null
  const checks: Check[] = [
    {
      name: '报名',
      passed: known,
      note: known ? `${facts.applyTime} 进入名单` : '没有报名记录',
      hint: open ? '可由负责人在参与人员中添加' : '课程名单已定，如确有参加可登记质疑（漏记）',
    },
    {
      name: '录取',
      passed: laStatus === applyStatus.accepted,
      note: known ? labelOf('apply_status', laStatus) + (facts.refuseReason ? `：${facts.refuseReason}` : '') : '',
      pending:
        (laStatus === applyStatus.pending || laStatus === applyStatus.waitlisted) &&
        liStatus === lessonStatus.published &&
        !over,
      hint:
        laStatus === applyStatus.pending
          ? '请负责人审核报名'
          : laStatus === applyStatus.waitlisted
            ? '有名额空出时按顺序递补'
            : late,
    },
    {
      name: '签到',
      passed: attendedStatuses.includes(laSignStatus),
      note:
        labelOf(
          'sign_status',
          isOneOf(laSignStatus, signStatus.signedOut, signStatus.leftEarly) ? signStatus.signedIn : laSignStatus,
        ) + (facts.signInTime ? `（${facts.signInTime}）` : ''),
      pending: laSignStatus === signStatus.notSigned && liStatus === lessonStatus.published && !over,
      hint: late || '如确已到场，可由签到负责人补签',
    },
    ...(signOutOn === yesNo.yes || laSignStatus === signStatus.leftEarly
      ? [
          {
            name: '签退',
            passed: hasLeft(signOutOn, facts),
            note:
              laSignStatus === signStatus.leftEarly
                ? '早退'
                : (facts.signOutTime ?? (hasLeft(signOutOn, facts) ? '免签退' : '没有签退记录')),
            pending: liStatus === lessonStatus.published && !over,
            hint: late || '如确已完成，可登记为已签退',
          },
        ]
      : []),
    ...(facts.seldom
      ? [
          {
            name: '出勤率',
            passed: laResult === resultStatus.passed || laResult === resultStatus.awarded,
            note: `参加 ${facts.seldom.came} / ${facts.seldom.sessions} 场`,
            pending: liStatus === lessonStatus.published && !over,
            hint: late || '如确已到场，可由签到负责人补签',
          },
        ]
      : []),
    {
      name: '合格',
      passed: laResult === resultStatus.passed || laResult === resultStatus.awarded,
      note: laResult === resultStatus.awarded ? `获奖：${facts.awardName}` : labelOf('result_status', laResult),
      pending: laResult === resultStatus.unrated && open,
      hint:
        laResult === resultStatus.unrated
          ? over
            ? '请负责人评定结果'
            : '活动结束后评定'
          : late || '可由负责人重新评定',
    },
    {
      name: '结果审批',
      passed: approved.includes(liStatus),
      note: approved.includes(liStatus) ? '已通过' : labelOf('lesson_status', liStatus),
      pending: !ended.includes(liStatus),
      hint: ended.includes(liStatus) ? '课程已终止，不再认定' : open ? '请负责人提交结果' : '等待审批人处理',
    },
    {
      name: '公示',
      passed: completed.includes(liStatus),
      pending: true,
      hint:
        liStatus === lessonStatus.resultPassed
          ? '请管理员安排公示'
          : liStatus === lessonStatus.questioned
            ? '质疑处理完成后继续'
            : '公示期满自动完成',
      note: facts.liPublictyEdate
        ? `${facts.liPublictySdate?.slice(0, 10)} 至 ${facts.liPublictyEdate.slice(0, 10)}${liStatus === lessonStatus.questioned ? '，质疑处理中' : ''}`
        : '尚未公示',
    },
    {
      name: '入账',
      passed: completed.includes(liStatus) && facts.entries > 0,
      pending: !completed.includes(liStatus),
      hint: '请核对评价体系中该课程体系与级别的规则',
      note:
        facts.entries > 0
          ? `${facts.completeTime ?? ''} 记入 ${facts.entries} 项`
          : completed.includes(liStatus)
            ? '按评价规则没有可计入的学时或学分'
            : '课程完成后自动记入',
    },
  ]
  const first = checks.findIndex(({ passed }) => !passed)
  return checks.map(({ name, passed, note, pending = false, hint = '' }, at) => ({
    name,
    note,
    passed: passed && (first < 0 || at < first),
    failed: at === first,
    pending: at === first && pending,
    hint: at === first ? hint : '',
  }))
}

/** The arithmetic of a value step by step, from what its explanation keeps; the last step is the value. Pure. */
export function stepsOf(explain: Explain, value: number): { label: string; value: string }[] {
  const { base, factor, award, awardName, levelFactor, team, cap, capped, weight, limited } = explain
  const times = (hundredths: number) => `× ${fromHundredths(hundredths)}`
  return [
    { label: '基础', value: fromHundredths(base) },
    ...(levelFactor !== undefined && levelFactor !== 100 ? [{ label: '级别系数', value: times(levelFactor) }] : []),
    ...(factor !== 100
      ? [
          {
            label: weight === undefined ? `${labelOf('partake_mode', explain.partakeMode)}系数` : '奖项能力系数',
            value: times(factor),
          },
        ]
      : []),
    ...(award !== 0 ? [{ label: awardName ?? '奖项', value: `＋ ${fromHundredths(award)}` }] : []),
    ...(team !== undefined ? [{ label: '团队排位', value: times(team) }] : []),
    ...(weight !== undefined ? [{ label: '能力权重', value: `${weight}%` }] : []),
    ...(capped && cap !== null && cap !== undefined ? [{ label: '评价规则上限', value: fromHundredths(cap) }] : []),
    ...(limited ? [{ label: '学生个人上限', value: '已达上限，按余量计' }] : []),
    { label: '计入', value: fromHundredths(value) },
  ]
}
