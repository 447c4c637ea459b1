import { z } from 'zod'
import { call } from '../core/call.ts'
import { codesOf } from '../core/codes/code-list.ts'
import { applyStatus, applyWay, signStatus } from '../core/codes/programme.ts'
import { valuesOf } from '../core/dictionary.ts'
import {
  amount,
  dateTime,
  done,
  flag,
  fileIds,
  id,
  integer,
  nothing,
  option,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  reason,
  search,
  text,
} from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { applyAnswer, maxAnswer, maxQuestions } from '../programme/lessons/apply-questions.ts'
import { maxWorkFiles, maxWorkText, work } from '../programme/lessons/works.ts'
import { signingApi } from '../programme/lessons/signing.calls.ts'

const liId = id('活动')

/** A published activity as a student sees it in the list. Amounts are decimal text, moments wall-clock text. */
const activityRow = z.object({
  liId: z.string(),
  liName: z.string(),
  lsName: z.string(),
  levelName: z.string(),
  collegeName: z.string(),
  placeText: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  applyStart: z.string().nullable(),
  applyEnd: z.string().nullable(),
  hours: z.string(),
  credit: z.string(),
  quota: z.number(),
  passCount: z.number(),
  applyWay: z.enum(codesOf(applyWay)),
  /** The state of the student's own registration; null where there is none. */
  laStatus: z.enum(codesOf(applyStatus)).nullable(),
  /** Whether registration is going on now, whoever may register. */
  isOpen: z.boolean(),
})
/** In the list it also says what else the student does at that time; null where nothing. */
const listedActivity = activityRow.extend({ liKind: z.string(), clash: z.string().nullable() })
export type ListedActivity = z.output<typeof listedActivity>
export type ActivityRow = z.output<typeof activityRow>

/** One activity with the student's standing in it. */
const activity = activityRow.extend({
  liIntro: z.string(),
  principalName: z.string(),
  contactName: z.string(),
  waitlistOn: z.boolean(),
  signOutOn: z.boolean(),
  /** Whether a scan has to say where it was made. */
  needsPlace: z.boolean(),
  sessions: z.array(
    z.object({
      lseNo: z.number(),
      startTime: z.string(),
      endTime: z.string(),
      placeText: z.string(),
      signInTime: z.string().nullable(),
      signOutTime: z.string().nullable(),
    }),
  ),
  laId: z.string().nullable(),
  laSignStatus: z.enum(codesOf(signStatus)).nullable(),
  /** What is asked of whoever registers, and what the student answered. */
  questions: z.array(z.string()),
  answers: z.array(applyAnswer),
  waitNo: z.number().nullable(),
  refuseReason: z.string(),
  /** Whom it is for and what is asked of whoever takes part. */
  conditions: z.array(z.object({ label: z.string(), text: z.string() })),
  /** Until when a place can be given back, what comes after that, and what it costs not to come. */
  leaving: z.string(),
  /** Why the student cannot register now, and from when they can; '' where they can or have. */
  verdict: z.string(),
  /**
   * Classes of their timetable and exam weeks that lie at the same time: told before they register, refusing nothing.
   */
  clashes: z.array(z.string()),
  /** What the student gave the activity, one to five; null where nothing. */
  laStars: z.number().nullable(),
  /** Until when they may give stars, or change them. */
  starsUntil: z.string(),
  /** What participants are to hand in; '' where nothing. */
  workRequest: z.string(),
  /** What the student has handed in; null where nothing. */
  work: work.nullable(),
  can: z.array(z.enum(['join', 'cancel', 'leave', 'sign', 'team', 'rate', 'work'])),
})
export type Activity = z.output<typeof activity>

/** What a student can take part in: finding, registering, leaving, signing in. */
export const ownActivityApi = {
  list: call('GET', '/student/activities', {
    summary: '可参加的活动',
    permit: 'student:self',
    input: paging.extend({
      liName: search('活动名称').optional(),
      /** Those that the student has registered for, past ones too. */
      mine: flag('我的活动').optional(),
      /** Only those that are open for registration now. */
      open: flag('报名中').optional(),
      liKind: pick('类型', valuesOf('lesson_kind')).optional(),
      /** A module with what is under it. */
      lsId: id('模块').optional(),
      liLevel: text('级别', 10).optional(),
      placeText: search('地点').optional(),
      /** What takes place within these days, from the first moment to the last. */
      beginDate: rangeStart('开始日期').optional(),
      endDate: rangeEnd('结束日期').optional(),
      minCredit: amount('最低学分').optional(),
    }),
    output: paged(listedActivity),
  }),
  /** What the list can be narrowed by: only what an activity that is shown now has. */
  choices: call('GET', '/student/activityChoices', {
    summary: '活动的筛选项',
    permit: 'student:self',
    input: nothing,
    output: z.object({ kinds: z.array(z.string()), modules: z.array(option), levels: z.array(option) }),
  }),
  detail: call('GET', '/student/activity', {
    summary: '活动详情',
    permit: 'student:self',
    input: z.object({ liId }),
    output: activity,
  }),
  join: call('POST', '/student/joinActivity', {
    summary: '报名活动',
    permit: 'student:self',
    input: z.strictObject({
      liId,
      /** An answer to each question of the activity, by the question as it was shown. */
      answers: z
        .array(z.strictObject({ question: z.string().max(200), answer: text('回答', maxAnswer) }))
        .max(maxQuestions)
        .default([]),
    }),
    output: z.object({ laStatus: z.enum(codesOf(applyStatus)), waitNo: z.number().nullable() }),
  }),
  cancel: call('POST', '/student/cancelActivity', {
    summary: '取消我的报名',
    permit: 'student:self',
    input: z.strictObject({ liId }),
    output: done,
  }),
  leave: call('POST', '/student/leaveActivity', {
    summary: '活动请假',
    permit: 'student:self',
    input: z.strictObject({ liId, reason: reason('请假原因') }),
    output: done,
  }),
  rate: call('POST', '/student/rateActivity', {
    summary: '评价活动',
    permit: 'student:self',
    input: z.strictObject({ liId, laStars: integer('评价', 1, 5) }),
    output: done,
  }),
  handIn: call('POST', '/student/handInWork', {
    summary: '提交成果',
    permit: 'student:self',
    input: z.strictObject({
      liId,
      workText: optionalText('成果说明', maxWorkText).default(''),
      workFiles: fileIds('成果文件', maxWorkFiles),
    }),
    output: done,
  }),
  workFile: call('GET', '/student/workFile', {
    summary: '查看我的成果',
    permit: 'student:self',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('成果文件') }),
    output: fileOutput,
  }),
  /** A scanned code says of which activity it is; of typed digits the activity is told. */
  sign: call('POST', '/student/signActivity', {
    summary: '活动签到',
    permit: 'student:self',
    input: z.strictObject({
      liId: liId.optional(),
      code: signingApi.scan.input.shape.code,
      lng: signingApi.scan.input.shape.lng,
      lat: signingApi.scan.input.shape.lat,
      /** When it was scanned, where there was no network then: a moving code is taken for ten minutes more. */
      scannedAt: dateTime('扫码时间').optional(),
      /** A random id that the browser keeps. */
      device: z.uuid('设备编号不正确').optional(),
    }),
    output: z.object({ liId: z.string(), liName: z.string(), text: z.string() }),
  }),
}
