import { z } from 'zod'
import { call, type ForAll } from '../../core/call.ts'
import { applyWay } from '../../core/codes/programme.ts'
import { batchResult } from '../../core/batch-result.ts'
import { dateTime, done, id, ids, rangeEnd, rangeStart, reason, search, version } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall, fileOutput } from '../../core/file.ts'
import { paged, paging, wholeList } from '../../core/paging.ts'
import { flowPreviewFields } from '../../rules/workflow/flow-preview.ts'
import { lessonFilters, lessonSorting } from './lessons.filters.ts'
import { lessonDetail, lessonForm, lessonRow } from './lessons.schema.ts'
import { plan, planHint } from './plan.schema.ts'

const liId = id('课程')
const one = z.object({ liId })
/** An action on one course; `version` is checked when sent. */
const action = z.strictObject({ liId, version: version.optional() })
const actionWithReason = (label: string) => action.extend({ reason: reason(label) })
/** Ways to take part for which there is no period of registration. */
const withoutPeriod: ReadonlySet<unknown> = new Set([applyWay.importedList, applyWay.noRegistration])
/** The same action on several courses, each by itself. */
const many = { liIds: z.array(id('课程')).min(1, '请至少选择一门课程').max(200, '一次最多处理 200 门课程') }
const actionOnMany = z.strictObject(many)
const actionOnManyWithReason = (label: string) => z.strictObject({ ...many, reason: reason(label) })
/** All courses that the list finds, each by itself. */
const ofList = (ids: string): ForAll[] => [
  { list: '/api/schoolbase/lessonsInfoAC/view', row: 'liId', name: ['liName', 'liNo'], ids },
]
const personOption = z.object({ suId: z.string(), suiName: z.string(), suiNumber: z.string(), collegeName: z.string() })

export const lessonApi = {
  view: call('GET', '/lessonsInfoAC/view', {
    summary: '课程列表',
    permit: 'lesson:list',
    input: paging.extend({ ...lessonSorting, ...lessonFilters }),
    output: paged(lessonRow),
  }),
  selectList: call('GET', '/lessonsInfo/selectList', {
    summary: '按创建时间查询课程',
    permit: 'lesson:list',
    input: paging.extend({ ...lessonSorting, ...lessonFilters }),
    output: paged(lessonRow),
  }),
  details: call('GET', '/lessonsInfoAC/queryLessonsDetails', {
    summary: '课程详情',
    permit: 'lesson:list',
    input: one,
    output: lessonDetail,
  }),
  edit: call('GET', '/lessonsInfo/edit', {
    summary: '取课程编辑内容',
    permit: 'lesson:edit',
    input: one,
    output: lessonDetail,
  }),
  save: call('POST', '/lessonsInfoAC/save', {
    summary: '保存课程',
    permit: 'lesson:edit',
    /** A new course is its maker's own, and registration for it is open from now until it begins. */
    whenLeftOut: ({ liId, applyWay: way, applyStart, applyEnd, startTime }, { suId, now }) =>
      liId !== undefined
        ? {}
        : {
            liPrincipalId: suId,
            // a plain caller may send the code as a number
            ...(!withoutPeriod.has(typeof way === 'number' ? String(way) : way) &&
              applyStart === undefined &&
              applyEnd === undefined && { applyStart: now, applyEnd: startTime }),
          },
    input: lessonForm,
    /** `isChanging`: the course is published and stays as it is until the change has been approved. */
    output: z.object({
      liId: z.string(),
      liNo: z.string(),
      liStatus: z.string(),
      version: z.number(),
      isChanging: z.boolean(),
    }),
  }),
  /**
   * Makes a draft the first of a series, and one numbered draft more for each period; everything else is taken over,
   * sign-up moved along.
   */
  series: call('POST', '/lessonsInfoAC/series', {
    summary: '生成系列课程',
    permit: 'lesson:edit',
    input: action
      .extend({
        children: z
          .array(z.strictObject({ startTime: dateTime('开始时间'), endTime: dateTime('结束时间') }))
          .min(1, '请至少添加一期')
          .max(30, '一次最多添加 30 期'),
      })
      .check(({ value, issues }) => {
        value.children.forEach(({ startTime, endTime }, at) => {
          if (endTime <= startTime)
            issues.push({
              code: 'custom',
              message: '结束时间必须晚于开始时间',
              path: [`children.${at}.endTime`],
              input: value,
            })
        })
      }),
    output: z.object({ affected: z.number(), liIds: z.array(z.string()) }),
  }),
  /**
   * What stands in the way of a plan: the place is taken, people are busy, the name is in use; and what is risky about
   * it, without courses. Hints; nothing of it is refused.
   */
  conflicts: call('POST', '/lessonsInfoAC/conflicts', {
    summary: '检查课程冲突',
    permit: 'lesson:edit',
    writes: false,
    input: plan,
    output: z.array(planHint),
  }),
  submit: call('POST', '/lessonsInfoAC/submit', {
    summary: '提交发布审批',
    permit: 'lesson:edit',
    input: action,
    output: done,
  }),
  withdraw: call('POST', '/lessonsInfoAC/withdraw', {
    summary: '撤回审批',
    permit: 'lesson:edit',
    input: action,
    output: done,
  }),
  flowPreview: call('POST', '/lessonsInfoAC/flowPreview', {
    summary: '预览审批人',
    permit: 'lesson:edit',
    writes: false,
    input: z.object({
      lsId: id('课程体系'),
      liLevel: z.string().max(10),
      liPrincipalId: id('负责人').optional(),
      liCollegeId: id('学院').optional(),
      liDepartmentId: id('部门').optional(),
      liCircleId: id('圈子').optional(),
      teacherIds: z.array(id('指导老师')).max(20).default([]),
    }),
    output: z.object({
      ...flowPreviewFields,
      /** What the rule of this module and level gives; null where there is none. Amounts are decimal text. */
      worth: z.object({ hours: z.string(), credit: z.string(), points: z.string() }).nullable(),
    }),
  }),
  del: call('POST', '/lessonsInfoAC/del', {
    summary: '删除课程',
    permit: 'lesson:delete',
    input: z.strictObject({ liId: ids }),
    output: done,
    forAll: ofList('liId'),
  }),
  /** Courses that are over; drafts and refused ones are deleted without a reason. */
  purge: call('POST', '/lessonsInfoAC/purge', {
    summary: '删除已结束的课程',
    permit: 'lesson:purge',
    input: actionWithReason('删除原因'),
    output: done,
  }),
  publish: call('POST', '/lessonsInfoAC/publish', {
    summary: '发布课程',
    permit: 'lesson:publish',
    input: action,
    output: done,
  }),
  unpublish: call('POST', '/lessonsInfoAC/unpublish', {
    summary: '取消发布',
    permit: 'lesson:publish',
    input: actionWithReason('取消发布原因'),
    output: done,
  }),
  cancel: call('POST', '/lessonsInfoAC/cancel', {
    summary: '取消课程',
    permit: 'lesson:publish',
    input: actionWithReason('取消原因'),
    output: done,
  }),
  abnormal: call('POST', '/lessonsInfoAC/abnormal', {
    summary: '异常结项',
    permit: 'lesson:publish',
    input: actionWithReason('异常结项原因'),
    output: done,
  }),
  archive: call('POST', '/lessonsInfoAC/archive', {
    summary: '归档课程',
    permit: 'lesson:publish',
    input: action,
    output: done,
  }),
  submitMany: call('POST', '/lessonsInfoAC/batchSubmit', {
    summary: '批量提交发布审批',
    permit: 'lesson:edit',
    input: actionOnMany,
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  publishMany: call('POST', '/lessonsInfoAC/batchPublish', {
    summary: '批量发布课程',
    permit: 'lesson:publish',
    input: actionOnMany,
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  unpublishMany: call('POST', '/lessonsInfoAC/batchUnpublish', {
    summary: '批量取消发布',
    permit: 'lesson:publish',
    input: actionOnManyWithReason('取消发布原因'),
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  cancelMany: call('POST', '/lessonsInfoAC/batchCancel', {
    summary: '批量取消课程',
    permit: 'lesson:publish',
    input: actionOnManyWithReason('取消原因'),
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  /** Each from today, for the working days that it promises. */
  publictyMany: call('POST', '/lessonsInfoAC/batchPublicty', {
    summary: '批量公示课程结果',
    permit: 'lesson:publicity',
    input: actionOnMany,
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  archiveMany: call('POST', '/lessonsInfoAC/batchArchive', {
    summary: '批量归档课程',
    permit: 'lesson:publish',
    input: actionOnMany,
    output: batchResult,
    forAll: ofList('liIds'),
  }),
  resultAudit: call('POST', '/lessonsInfoAC/resultAudit', {
    summary: '提交结果审批',
    permit: 'lesson:result',
    input: action.extend({ resultSummary: z.string().trim().max(5000, '总结不能超过 5000 个字').optional() }),
    output: done,
  }),
  /** What submitting the result would do to its people; nothing is written. */
  resultPreview: call('GET', '/lessonsInfoAC/resultPreview', {
    summary: '预览提交结果的影响',
    permit: 'lesson:result',
    input: one,
    /**
     * `unrated`: came and must be rated first, or the result is refused. `absent`: never signed in; `early`: left
     * early; neither passes. `passed` (with `awarded`) get `hours` and `credit` together; `failed` came and get
     * nothing.
     */
    output: z.object({
      admitted: z.number(),
      signed: z.number(),
      unrated: z.number(),
      absent: z.number(),
      early: z.number(),
      failed: z.number(),
      passed: z.number(),
      awarded: z.number(),
      hours: z.string(),
      credit: z.string(),
    }),
  }),
  publicty: call('POST', '/lessonsInfoAC/publicty', {
    summary: '公示课程结果',
    permit: 'lesson:publicity',
    /** Without a first day from today, without a last one for the working days that the course promises. */
    input: z
      .strictObject({
        liId,
        version: version.optional(),
        liPublictySdate: rangeStart('公示开始时间').optional(),
        liPublictyEdate: rangeEnd('公示结束时间').optional(),
      })
      .refine(({ liPublictySdate: start, liPublictyEdate: end }) => !start || !end || end > start, {
        message: '公示结束时间必须晚于开始时间',
        path: ['liPublictyEdate'],
      }),
    output: done,
  }),
  unpublicty: call('POST', '/lessonsInfoAC/unpublicty', {
    summary: '取消公示',
    permit: 'lesson:publicity',
    input: actionWithReason('取消公示原因'),
    output: done,
  }),
  publictyRounds: call('GET', '/lessonsInfoAC/publictyRounds', {
    summary: '历次公示',
    permit: 'lesson:list',
    input: one,
    output: z.array(
      z.object({
        roundNo: z.number(),
        liPublictySdate: z.string(),
        liPublictyEdate: z.string(),
        /** `dictionary.publicty_status`. */ publictyStatus: z.string(),
        startName: z.string(),
        startTime: z.string(),
        endName: z.string(),
        endTime: z.string().nullable(),
        endReason: z.string(),
      }),
    ),
  }),
  publictyList: call('GET', '/lessonsInfoAC/publictyList', {
    summary: '公示名单',
    permit: 'lesson:list',
    input: paging.extend({ liId, suiNumber: search('学号').optional() }),
    output: paged(
      z.object({
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        /** `dictionary.result_status`. */ laResult: z.string(),
        awardName: z.string(),
        hours: z.string(),
      }),
    ),
  }),
  signPrincipalAdd: call('POST', '/lessonsInfoAC/signPrincipalAdd', {
    summary: '设置签到负责人',
    permit: 'lesson:sign',
    input: z.strictObject({ liId, suIds: z.array(id('签到负责人')).max(50, '签到负责人最多 50 人') }),
    output: done,
  }),
  signManagers: call('GET', '/lessonsInfoAC/queryLessonsSigninManager', {
    summary: '签到负责人',
    permit: 'lesson:list',
    input: one,
    output: z.array(personOption),
  }),
  codePackage: fileCall('GET', '/lessonsInfoAC/codePakgDownload', {
    summary: '下载签到码',
    permit: 'lesson:sign',
    input: one,
  }),
  fileDownload: call('GET', '/lessonsInfoAC/fileDownload', {
    summary: '下载课程附件',
    permit: 'lesson:list',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('附件'), type: z.string().max(20).optional() }),
    output: fileOutput,
  }),
  exportTemplate: fileCall('GET', '/lessonsInfo/exportTemplate', {
    summary: '下载课程导入模板',
    permit: 'lesson:edit',
    input: z.object({}),
  }),
  errorExcel: fileCall('GET', '/lessonsInfo/downloadErrorExcel', {
    summary: '下载课程导入错误表',
    permit: 'lesson:edit',
    input: z.object({ errorId: z.string().min(20).max(64) }),
  }),
  list: call('POST', '/lessonsInfo/list', {
    summary: '可选课程',
    permit: 'lesson:list',
    writes: false,
    whenLeftOut: wholeList,
    input: paging.extend({ ...lessonSorting, liName: search('课程名称').optional() }),
    output: paged(lessonRow),
  }),
  count: call('GET', '/lessonsInfo/count', {
    summary: '各状态课程数',
    permit: 'lesson:list',
    /** The filters of the list but for the status, which is what is counted by. */
    input: z.object(lessonFilters).omit({ liStatus: true }),
    output: z.array(z.object({ liStatus: z.string(), count: z.number() })),
  }),
  listUser: call('GET', '/lessonsInfo/listuser', {
    summary: '课程相关人员',
    permit: 'lesson:list',
    input: one,
    output: z.array(personOption.extend({ lpRole: z.string() })),
  }),
  exit: call('POST', '/lessonsInfo/exit', { summary: '退出课程', permit: 'lesson:list', input: action, output: done }),
  export: fileCall('POST', '/lessonsInfo/kcylExport', {
    summary: '导出课程一览',
    permit: 'lesson:export',
    input: z.object({ ...lessonFilters, reason: exportReason }),
  }),
}
