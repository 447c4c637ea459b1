import { z } from 'zod'
import { call } from '../../core/call.ts'
import { erasureKind, graduationStatus } from '../../core/codes/outcomes.ts'
import { exportReason } from '../../core/exports.ts'
import { batchResult } from '../../core/batch-result.ts'
import { done, flag, id, ids, pick, reason, search, textOfList } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging } from '../../core/paging.ts'
import { grade } from '../../school/organisation/classes.calls.ts'

/** What a person types to graduate those below the requirement as well. */
export const graduateAllWord = '全部毕业'
/** Minutes a preview can be acted upon, and days a graduation can be taken back. */
export const previewMinutes = 30
export const undoDays = 30
/** Days between the announcement of an erasure and the night in which it is carried out. */
export const noticeDays = 14

/** Minutes within which the same call without a preview, made again, carries out what it told (decision 034). */
export const repeatMinutes = 10

/** Years of entry, as a list or separated by commas. */
const gradeList = z
  .union([z.array(grade), textOfList], '请选择年级')
  .pipe(z.array(grade).min(1, '请选择年级').max(20, '一次最多选择 20 个年级'))
  .transform((list) => [...new Set(list)].toSorted())
  .meta({ label: '年级' })

const isHeld = flag('保留').default(true)

/** Hours are decimal text. */
const gap = z.object({ lsId: z.string(), lsName: z.string(), required: z.string(), have: z.string() })

/** A student of a preview or of a graduation. */
export const graduationRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  className: z.string(),
  suiGrade: z.string().nullable(),
  met: z.boolean(),
  hours: z.string(),
  requiredHours: z.string(),
  gaps: z.array(gap),
  statusBefore: z.string(),
  /** Null in a preview. */
  statusAfter: z.string().nullable(),
  /** Why taking the graduation back left them as they are; empty where it did not. */
  keptWhy: z.string(),
})
export type GraduationRow = z.output<typeof graduationRow>

const batch = z.object({
  gbId: z.string(),
  gbNo: z.string(),
  gbStatus: z.enum([graduationStatus.done, graduationStatus.undone]),
  grades: z.array(z.string()),
  colleges: z.array(z.string()),
  total: z.number(),
  graduateCount: z.number(),
  delayCount: z.number(),
  /** Graduated although below the requirement. */
  unmetGraduated: z.number(),
  reason: z.string(),
  createName: z.string(),
  doneTime: z.string(),
  undoUntil: z.string(),
  undoTime: z.string().nullable(),
  undoName: z.string(),
  undoCount: z.number(),
  can: z.array(z.enum(['undo'])),
})
export type GraduationBatch = z.output<typeof batch>

/** What of graduates is erased, how many it concerns today and why some are left alone (decision 042). */
const erasure = z.object({
  erKind: z.enum([erasureKind.contacts, erasureKind.identity]),
  /** Years after graduation; 0 never, then nobody is counted. */
  years: z.number(),
  due: z.number(),
  running: z.number(),
  held: z.number(),
  undated: z.number(),
  /** When the years of the next of all others are over, a day. */
  nextDay: z.string().nullable(),
  /** The erasure that was announced: for when, and of how many. */
  announced: z.object({ announceTime: z.string(), dueTime: z.string(), count: z.number() }).nullable(),
})
export type Erasure = z.output<typeof erasure>

/** A graduate of whom nothing is erased. */
const heldGraduate = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  holdReason: z.string(),
})
export type HeldGraduate = z.output<typeof heldGraduate>

const rowFilters = { gbId: id('毕业批次'), met: flag('达标').optional(), search: search('姓名或学号').optional() }

export const graduationApi = {
  preview: call('POST', '/sysUserInfo/graduationPreview', {
    summary: '预览毕业名单',
    permit: 'student:graduate',
    input: z.strictObject({ gradeList, collegeIds: z.array(id('学院')).max(100).default([]).meta({ label: '学院' }) }),
    /**
     * `previewToken` is also the `gbId` by which the rows are read. `shortModules`: in which modules how many miss
     * hours. `skipped`: who is not considered, by standing.
     */
    output: z.object({
      previewToken: z.string(),
      expireTime: z.string(),
      gradeList: z.array(z.string()),
      total: z.number(),
      met: z.number(),
      unmet: z.number(),
      requiredHours: z.string(),
      shortModules: z.array(z.object({ lsName: z.string(), required: z.string(), count: z.number() })),
      skipped: z.array(z.object({ suiStatus: z.string(), count: z.number() })),
    }),
  }),
  rows: call('POST', '/sysUserInfo/graduationRows', {
    summary: '毕业名单',
    permit: 'student:graduate',
    writes: false,
    input: paging.extend(rowFilters),
    output: paged(graduationRow),
  }),
  exportRows: fileCall('POST', '/sysUserInfo/graduationRowsExport', {
    summary: '导出毕业名单',
    permit: 'student:graduate',
    needsFreshCode: true,
    input: z.object({ ...rowFilters, reason: exportReason }),
  }),
  graduate: call('POST', '/sysUserInfo/graduationByGrade', {
    summary: '按年级毕业',
    permit: 'student:graduate',
    /**
     * `unmet`: those below the requirement are delayed (`delay`) or graduate too (`graduate`), which `confirmText` must
     * confirm.
     */
    input: z.strictObject({
      gradeList,
      previewToken: id('预览凭证').optional(),
      unmet: pick('未达标学生', ['delay', 'graduate']).default('delay'),
      confirmText: z.string().trim().max(20).optional().meta({ label: '确认文字' }),
      reason: z
        .string()
        .trim()
        .max(200, '说明不能超过 200 个字')
        .optional()
        .meta({ label: '说明', max: 200, area: true }),
    }),
    output: z.object({
      gbId: z.string(),
      gbNo: z.string(),
      graduated: z.number(),
      delayed: z.number(),
      undoUntil: z.string(),
    }),
  }),
  batches: call('POST', '/sysUserInfo/graduationBatchList', {
    summary: '毕业批次',
    permit: 'student:graduate',
    writes: false,
    input: paging,
    output: paged(batch),
  }),
  undo: call('POST', '/sysUserInfo/graduationUndo', {
    summary: '撤销毕业',
    permit: 'student:graduate',
    input: z.strictObject({ gbId: id('毕业批次'), reason: reason('撤销原因') }),
    /** `failed`: who stays as they are because they were changed since; at most 200 of them, `kept` counts all. */
    output: batchResult.extend({ kept: z.number() }),
  }),
  erasures: call('POST', '/sysUserInfo/graduateErasures', {
    summary: '毕业生信息保留',
    permit: 'student:graduate',
    writes: false,
    input: z.strictObject({}),
    /** `held`: at most 200 of them. */
    output: z.object({ kinds: z.array(erasure), held: z.array(heldGraduate) }),
  }),
  hold: call('POST', '/sysUserInfo/graduateHold', {
    summary: '保留毕业生信息',
    permit: 'student:graduate',
    /**
     * `hold` 0 lifts it, with `heldFor` only where it was for that reason. Who is held already keeps the reason, and is
     * not counted.
     */
    input: z.strictObject({ ids, hold: isHeld, heldFor: reason('保留原因').optional(), reason: reason('原因') }),
    output: done,
    forAll: [
      {
        list: '/api/schoolbase/sysUserInfo/studentUserInfoList',
        row: 'suId',
        name: ['suiName', 'suiNumber'],
        ids: 'ids',
        undo: {
          path: '/api/schoolbase/sysUserInfo/graduateHold',
          // who was let go had reasons of their own, which nobody can give back
          given: ({ hold, reason: heldFor }) =>
            isHeld.parse(hold) ? { hold: false, heldFor, reason: heldFor } : undefined,
        },
      },
    ],
  }),
}
