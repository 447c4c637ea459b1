import { z } from 'zod'
import { partakeMode, resultStatus, signStatus } from '../../core/codes/programme.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { batchResult } from '../../core/batch-result.ts'
import { done, flag, id, ids, pick, reason, search } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { paged, sortedPaging, wholeList } from '../../core/paging.ts'
import { applyAnswer } from './apply-questions.ts'
import { work } from './works.ts'
import { creditTrace } from './credit-trace.ts'

const liId = id('课程')
const laId = id('报名记录')

/** A participant as the list shows them. `can` holds pass, refuse, del, cancel, leave, sign, award. */
const registrationRow = z.object({
  laId: z.string(),
  liId: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  className: z.string(),
  suiGrade: z.string().nullable(),
  laStatus: z.string(),
  applyTime: z.string(),
  applyFrom: z.string(),
  refuseReason: z.string(),
  waitNo: z.number().nullable(),
  /** Place in the draw, where lots were drawn. */
  drawNo: z.number().nullable(),
  /** Sessions they signed in to with a code. */
  attended: z.number(),
  /** Their team, and what they are in it; of whoever came alone null and empty. */
  teamId: z.string().nullable(),
  teamName: z.string(),
  teamRole: z.string().nullable(),
  partakeMode: z.string(),
  laSignStatus: z.string(),
  signInTime: z.string().nullable(),
  signOutTime: z.string().nullable(),
  signMethod: z.string().nullable(),
  laResult: z.string(),
  adId: z.string().nullable(),
  awardName: z.string(),
  laHours: z.string(),
  laCredit: z.string(),
  laPoints: z.string(),
  remark: z.string(),
  /** What they answered when they registered themselves. */
  applyAnswers: z.array(applyAnswer),
  /** What they have handed in; null where nothing. */
  work: work.nullable(),
  can: z.array(z.string()),
})
export type RegistrationRow = z.infer<typeof registrationRow>

const filters = {
  liId,
  suiName: search('姓名').optional(),
  suiNumber: search('学号').optional(),
  laStatus: z.string().max(10).optional(),
  laSignStatus: z.string().max(10).optional(),
  laResult: z.string().max(10).optional(),
  collegeId: id('学院').optional(),
  grade: z.string().max(10).optional(),
  adId: id('奖项').optional(),
  teamId: id('队伍').optional(),
  teamName: search('队伍').optional(),
  hasWork: flag('已提交成果').optional(),
}

/** All participants that the list finds; a team is never parted. */
const ofList = (ids: string): ForAll[] => [
  {
    list: '/api/schoolbase/lessonsApplyInfo/view',
    row: 'laId',
    name: ['suiName', 'suiNumber'],
    ids,
    atOnce: 200,
    together: 'teamId',
  },
]

export const registrationApi = {
  view: call('GET', '/lessonsApplyInfo/view', {
    summary: '参与人员',
    permit: 'lesson:list',
    whenLeftOut: wholeList,
    input: sortedPaging.extend(filters),
    output: paged(registrationRow),
  }),
  add: call('POST', '/lessonsApplyInfo/registerAdd', {
    summary: '添加参与人员',
    permit: 'lesson:register',
    input: z.strictObject({
      liId,
      suIds: ids,
      partakeMode: pick('参与方式', valuesOf('partake_mode')).default(partakeMode.participant),
    }),
    output: batchResult,
  }),
  pass: call('POST', '/lessonsApplyInfo/registerPass', {
    summary: '通过报名',
    permit: 'lesson:register',
    input: z.strictObject({ laId }),
    output: done,
  }),
  refuse: call('POST', '/lessonsApplyInfo/registerRefuse', {
    summary: '拒绝报名',
    permit: 'lesson:register',
    input: z.strictObject({ laId, reason: reason('拒绝原因') }),
    output: done,
  }),
  remove: call('POST', '/lessonsApplyInfo/registerDel', {
    summary: '移除参与人员',
    permit: 'lesson:register',
    input: z.strictObject({ laId: ids, reason: reason('移除原因').optional() }),
    output: done,
    forAll: ofList('laId'),
  }),
  batchPass: call('POST', '/lessonsApplyInfo/registerBatchPass', {
    summary: '批量通过报名',
    permit: 'lesson:register',
    input: z.strictObject({ laIds: ids }),
    output: batchResult,
    forAll: ofList('laIds'),
  }),
  batchRefuse: call('POST', '/lessonsApplyInfo/registerBatchRefuse', {
    summary: '批量拒绝报名',
    permit: 'lesson:register',
    input: z.strictObject({ laIds: ids, reason: reason('拒绝原因') }),
    output: batchResult,
    forAll: ofList('laIds'),
  }),
  delJoin: call('POST', '/lessonsInfo/delLessonJoin', {
    summary: '删除参与记录',
    permit: 'lesson:register',
    input: z.strictObject({ ids }),
    output: done,
  }),
  sign: call('POST', '/lessonsApplyInfo/sign', {
    summary: '登记签到',
    permit: 'lesson:sign',
    input: z.strictObject({
      laIds: ids,
      laSignStatus: pick('签到状态', [
        signStatus.notSigned,
        signStatus.signedIn,
        signStatus.late,
        signStatus.signedOut,
        signStatus.leftEarly,
        signStatus.exempt,
        signStatus.madeUp,
      ]),
      reason: z.string().trim().max(200).optional(),
    }),
    output: done,
    forAll: ofList('laIds'),
  }),
  setAward: call('POST', '/lessonsApplyInfo/setAward', {
    summary: '评定结果',
    permit: 'lesson:award',
    /** Whoever gets an award has won one. */
    whenLeftOut: ({ adId }) => (adId === undefined ? {} : { laResult: resultStatus.awarded }),
    input: z.strictObject({
      laIds: ids,
      laResult: pick('结果', [resultStatus.passed, resultStatus.failed, resultStatus.awarded]),
      adId: id('奖项').optional(),
      partakeMode: pick('参与方式', valuesOf('partake_mode')).optional(),
    }),
    output: done,
    forAll: ofList('laIds'),
  }),
  loadAward: call('GET', '/lessonsApplyInfo/loadAward', {
    summary: '课程可授奖项',
    permit: 'lesson:list',
    input: z.object({ liId }),
    output: z.array(
      z.object({
        adId: z.string(),
        adName: z.string(),
        hours: z.string(),
        credit: z.string(),
        points: z.string(),
        quota: z.number().nullable(),
        used: z.number(),
      }),
    ),
  }),
  /** Of those that the list finds; the quota and the awards are those of the whole course. */
  counts: call('GET', '/lessonsApplyInfo/queryApplyAndAwardCount', {
    summary: '报名与获奖人数',
    permit: 'lesson:list',
    input: z.object(filters),
    output: z.object({
      quota: z.number(),
      applyTotal: z.number(),
      pending: z.number(),
      passed: z.number(),
      refused: z.number(),
      waiting: z.number(),
      cancelled: z.number(),
      leave: z.number(),
      signed: z.number(),
      late: z.number(),
      absent: z.number(),
      unrated: z.number(),
      /** Admitted people who have not signed in, and who have not handed in what the course asks for. */
      notSigned: z.number(),
      withoutWork: z.number(),
      awardCounts: z.array(z.object({ awardName: z.string(), count: z.number(), quota: z.number().nullable() })),
    }),
  }),
  workFile: call('GET', '/lessonsApplyInfo/workFile', {
    summary: '查看参与人员的成果',
    permit: 'lesson:list',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('成果文件') }),
    output: fileOutput,
  }),
  export: fileCall('GET', '/lessonsApplyInfo/lessonsApplyInfoExport', {
    summary: '导出参与人员',
    permit: 'lesson:export',
    needsFreshCode: true,
    input: z.object({ ...filters, reason: exportReason }),
  }),
  exportTemplate: fileCall('GET', '/lessonsApplyInfo/exportTemplate', {
    summary: '下载参与人员导入模板',
    permit: 'lesson:register',
    input: z.object({ liId }),
  }),
  errorExcel: fileCall('GET', '/lessonsApplyInfo/downloadErrorExcel', {
    summary: '下载参与人员错误表',
    permit: 'lesson:register',
    input: z.object({ errorId: z.string().min(20).max(64) }),
  }),
  explain: call('GET', '/lessonsApplyInfo/creditTrace', {
    summary: '学时去哪了',
    permit: 'lesson:list',
    input: z.object({ laId }),
    output: creditTrace,
  }),
  rateRemaining: call('POST', '/lessonsApplyInfo/rateRemaining', {
    summary: '其余按出勤评定合格',
    permit: 'lesson:award',
    input: z.strictObject({ liId, onlySigned: flag('仅已签到').default(true) }),
    output: done,
  }),
}
