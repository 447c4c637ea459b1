import { z } from 'zod'
import { questionOutcome, resultStatus } from '../../core/codes/programme.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { batchResult } from '../../core/batch-result.ts'
import {
  choice,
  done,
  fileIds,
  id,
  ids,
  optionalText,
  pick,
  rangeEnd,
  rangeStart,
  reason,
  search,
  version,
  integer,
} from '../../core/fields.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { caseTask } from '../approvals/approvals.calls.ts'
import { correctedFacts, sound } from '../supplements/supplements.schema.ts'
import { outcomes, qId, qType, disputeDetail, disputedLesson, disputeKinds, disputeRow } from './disputes.schema.ts'

const subject = {
  kind: pick('质疑对象', disputeKinds).optional(),
  liName: search('课程名称').optional(),
  lisName: search('补录名称').optional(),
}
/** The courses and records that disputes are about. */
const subjects = {
  ...subject,
  state: pick('处理情况', ['waiting', 'approving', 'done']).optional(),
  collegeId: id('学院').optional(),
  /** The principal of a course, or the student of a record. */
  personName: search('负责人或学生').optional(),
  /** The time of their latest dispute. */
  createStartDate: rangeStart('登记时间').optional(),
  createEndDate: rangeEnd('登记时间').optional(),
  ...sortedBy('lastTime', 'liName', 'liPublictyEdate', 'waiting', 'approving', 'upheld', 'refused', 'total'),
}
const filters = {
  liId: id('课程').optional(),
  lisId: id('补录记录').optional(),
  ...subject,
  targetName: search('被质疑人').optional(),
  qType: z.string().max(10).optional(),
  qStatus: z.string().max(20).optional(),
  createStartDate: rangeStart('登记时间').optional(),
  createEndDate: rangeEnd('登记时间').optional(),
  ...sortedBy('createTime', 'targetName', 'qStatus', 'qType', 'deadline'),
}
const content = z
  .string('请填写质疑内容')
  .trim()
  .min(5, '质疑内容不能少于 5 个字')
  .max(1000, '质疑内容不能超过 1000 个字')
  .meta({ label: '质疑内容', max: 1000, area: true })
const one = z.object({ qId })

/** All disputes that the list finds, each by itself. */
const ofList: ForAll[] = [
  { list: '/api/schoolbase/lessonsQuestion/list', row: 'qId', name: ['liName', 'targetName'], ids: 'qIds' },
]

/**
 * Disputes and reports about what is, or was, in public notice: results of courses and supplement records. Who asked is
 * known to the handlers alone: only `reporter` tells it, to whoever holds its right, and every time it is told stands
 * in the trail.
 */
export const disputeApi = {
  lessons: call('GET', '/lessonsQuestion/lessons', {
    summary: '质疑举报课程',
    permit: 'question:list',
    input: paging.extend(subjects),
    output: paged(disputedLesson),
  }),
  exportLessons: fileCall('POST', '/lessonsQuestion/lessonsExport', {
    summary: '导出质疑举报课程',
    permit: 'question:export',
    input: paging.extend({ ...subjects, reason: exportReason }),
  }),
  list: call('GET', '/lessonsQuestion/list', {
    summary: '质疑人员',
    permit: 'question:list',
    input: paging.extend(filters),
    output: paged(disputeRow),
  }),
  detail: call('GET', '/lessonsQuestion/detail', {
    summary: '质疑详情',
    permit: 'question:list',
    input: one,
    output: disputeDetail,
  }),
  export: call('GET', '/lessonsQuestion/export', {
    summary: '导出质疑名单',
    permit: 'question:export',
    gives: 'file',
    input: z.object({ ...filters, order: paging.shape.order, reason: exportReason }),
    output: fileOutput,
  }),
  file: call('GET', '/lessonsQuestion/fileDownload', {
    summary: '查看质疑证明',
    permit: 'signed-in',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('证明材料') }),
    output: fileOutput,
  }),
  add: call('POST', '/lessonsQuestion/add', {
    summary: '登记质疑',
    permit: 'question:add',
    input: z
      .strictObject({
        /** Either a course or a supplement record. */
        liId: id('课程').optional().meta({ label: '课程', pick: true }),
        lisId: id('补录记录').optional().meta({ label: '补录记录', pick: true }),
        qType,
        reporterSuId: choice('质疑人'),
        /**
         * Whose record is meant; when left out the reporter themselves for what was left out or is wrong, the course as
         * a whole otherwise. Of a supplement record always its student.
         */
        targetSuId: id('被质疑人').optional().meta({ label: '被质疑人', pick: true }),
        qContent: content,
        qAward: optionalText('申请奖项', 50),
        qProofs: fileIds('证明材料', 9),
      })
      .check((ctx) => {
        const { liId, lisId } = ctx.value
        if ((liId === undefined) === (lisId === undefined))
          ctx.issues.push({
            code: 'custom',
            input: ctx.value,
            path: ['liId'],
            message: liId === undefined ? '请选择课程或补录记录' : '课程与补录记录只能选择一项',
          })
      }),
    output: z.object({ qId: z.string(), qStatus: z.string() }),
  }),
  accept: call('POST', '/lessonsQuestion/accept', {
    summary: '受理质疑',
    permit: 'question:handle',
    input: z.strictObject({ qIds: ids, opinion: optionalText('受理说明', 500) }),
    output: batchResult,
    forAll: ofList,
  }),
  decline: call('POST', '/lessonsQuestion/decline', {
    summary: '不予受理',
    permit: 'question:handle',
    input: z.strictObject({ qIds: ids, opinion: reason('不予受理的原因') }),
    output: batchResult,
    forAll: ofList,
  }),
  /** Where no approval runs: the course leaves it to its principal, or the flow asks nobody. */
  decide: call('POST', '/lessonsQuestion/decide', {
    summary: '认定质疑',
    permit: 'question:handle',
    input: z.strictObject({
      qId,
      verdict: pick('认定结果', ['pass', 'refuse']),
      opinion: reason('认定意见'),
      version: version.optional(),
    }),
    output: done,
  }),
  withdraw: call('POST', '/lessonsQuestion/withdraw', {
    summary: '撤回质疑',
    permit: 'question:add',
    input: z.strictObject({ qId, opinion: reason('撤回原因') }),
    output: done,
  }),
  abnormal: call('POST', '/lessonsQuestion/abnormal', {
    summary: '按异常结项处理',
    permit: 'question:abnormal',
    input: z.strictObject({ qId, opinion: reason('异常结项的原因') }),
    output: z.object({ affected: z.number(), people: z.number() }),
  }),
  setQAward: call('POST', '/lessonsApplyInfo/setQAward', {
    summary: '按质疑结果处理',
    permit: 'question:handle',
    input: z
      .strictObject({
        qId,
        version: version.optional(),
        qOutcome: pick('处理结果', outcomes),
        laResult: pick('更正为', [resultStatus.passed, resultStatus.failed, resultStatus.awarded]).optional(),
        adId: id('奖项').optional().meta({ label: '奖项', pick: true }),
        partakeMode: pick('参与方式', valuesOf('partake_mode')).optional(),
        /** What a supplement record is corrected to, all of it together. */
        lisLevel: correctedFacts.lisLevel.optional(),
        lisPartakeMode: correctedFacts.lisPartakeMode.optional(),
        lisAward: correctedFacts.lisAward,
        lisTeamSize: correctedFacts.lisTeamSize,
        lisRank: correctedFacts.lisRank,
        lisHoursDeclared: correctedFacts.lisHoursDeclared,
        /** Points taken from the disputed person's credibility. */
        credibility: integer('扣除诚信分', 0, 100).default(0),
        opinion: reason('处理说明'),
      })
      .refine(
        (value) =>
          value.qOutcome !== questionOutcome.correct || value.laResult !== undefined || value.lisLevel !== undefined,
        { message: '请选择更正后的结果', path: ['laResult'] },
      )
      .refine((value) => value.laResult !== resultStatus.awarded || value.adId !== undefined, {
        message: '请选择奖项',
        path: ['adId'],
      })
      .check(sound),
    output: z.object({ affected: z.number(), before: z.string(), after: z.string(), creditDelta: z.string() }),
  }),
  reporter: call('POST', '/lessonsQuestion/reporter', {
    summary: '查看质疑人',
    permit: 'question:identity',
    input: z.strictObject({ qId, reason: reason('查看原因') }),
    output: z.object({ suiName: z.string(), suiNumber: z.string(), collegeName: z.string(), className: z.string() }),
  }),
  /** The same as `detail` for those whom its approval asks, with their task. */
  case: call('GET', '/lessonsApplyInfo/queryQuestionCase', {
    summary: '审批中的质疑',
    permit: 'signed-in',
    input: one,
    output: z.object({
      question: disputeDetail,
      hints: z.array(z.object({ level: z.enum(['info', 'warning']), text: z.string() })),
      task: caseTask.nullable(),
    }),
  }),
}
