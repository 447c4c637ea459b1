import { z } from 'zod'
import { call } from '../../core/call.ts'
import { fileCall } from '../../core/file.ts'
import { done, id, reason, version, integer } from '../../core/fields.ts'

const liId = id('课程')
const laId = id('报名记录')
const option = z.object({ id: z.string(), name: z.string() })

/** Degrees with six places: about a tenth of a metre. */
const degrees = (label: string, max: number) =>
  z.coerce.number(`${label}不正确`).min(-max, `${label}不正确`).max(max, `${label}不正确`).meta({ label })

/**
 * Who may register beyond college and grade, how the places are shared out among colleges, and where people sign in.
 */
const rulesForm = z
  .strictObject({
    liId,
    version: version.optional(),
    rangeMajors: z.array(id('专业')).max(200, '专业最多 200 个').default([]),
    rangeClasses: z.array(id('班级')).max(500, '班级最多 500 个').default([]),
    quotaByCollege: z
      .array(z.strictObject({ scId: id('学院'), quota: integer('学院名额', 0, 100_000) }))
      .max(200, '学院最多 200 个')
      .default([]),
    signLng: degrees('经度', 180).optional(),
    signLat: degrees('纬度', 90).optional(),
    signRadius: integer('签到距离', 10, 10_000).optional(),
  })
  .check((ctx) => {
    const { quotaByCollege, signLng, signLat } = ctx.value
    const fault = (field: string, message: string) =>
      ctx.issues.push({ code: 'custom', message, path: [field], input: ctx.value })
    if (new Set(quotaByCollege.map(({ scId }) => scId)).size < quotaByCollege.length)
      fault('quotaByCollege', '同一学院只能出现一次')
    if ((signLng === undefined) !== (signLat === undefined))
      fault(signLng === undefined ? 'signLng' : 'signLat', '经度与纬度须同时填写')
  })

export const admissionApi = {
  rules: call('GET', '/lessonsApplyInfo/registerRules', {
    summary: '报名与签到设置',
    permit: 'lesson:list',
    input: z.object({ liId }),
    output: z.object({
      quota: z.number(),
      passCount: z.number(),
      version: z.number(),
      signType: z.array(z.string()),
      rangeMajors: z.array(option),
      rangeClasses: z.array(option),
      /** `admitted`: how many of the college have a place. */
      quotaByCollege: z.array(
        z.object({ scId: z.string(), scName: z.string(), quota: z.number(), admitted: z.number() }),
      ),
      signLng: z.number().nullable(),
      signLat: z.number().nullable(),
      signRadius: z.number().nullable(),
      /** The range is open to change: before the course was approved. */
      rangeOpen: z.boolean(),
      can: z.array(z.enum(['save'])),
    }),
  }),
  saveRules: call('POST', '/lessonsApplyInfo/saveRegisterRules', {
    summary: '保存报名与签到设置',
    permit: 'lesson:register',
    input: rulesForm,
    output: done,
  }),
  cancel: call('POST', '/lessonsApplyInfo/registerCancel', {
    summary: '代学生取消报名',
    permit: 'lesson:register',
    input: z.strictObject({ laId }),
    output: done,
  }),
  leave: call('POST', '/lessonsApplyInfo/registerLeave', {
    summary: '登记请假',
    permit: 'lesson:register',
    input: z.strictObject({ laId, reason: reason('请假原因') }),
    output: done,
  }),
  drawInfo: call('GET', '/lessonsApplyInfo/drawInfo', {
    summary: '抽签情况',
    permit: 'lesson:list',
    input: z.object({ liId }),
    /** Null: the course does not draw lots. */
    output: z
      .object({
        /** SHA-256 of the seed, promised before; empty until the course is published. */
        digest: z.string(),
        committedTime: z.string().nullable(),
        /** Shown after the draw. */
        seed: z.string().nullable(),
        drawnTime: z.string().nullable(),
        drawnBy: z.string(),
        places: z.number().nullable(),
        entrants: z.number(),
        /**
         * Everybody who took part, in the order of the draw; the first 200. Where teams register, `laId` is the team's
         * id, `suiName` its name and `suiNumber` how many it has.
         */
        ranked: z.array(
          z.object({
            drawNo: z.number(),
            laId: z.string(),
            suiName: z.string(),
            suiNumber: z.string(),
            ticket: z.string(),
            laStatus: z.string(),
          }),
        ),
        /** From when on lots may be drawn, and when the system does it by itself. */
        opens: z.string().nullable(),
        due: z.string().nullable(),
        can: z.array(z.enum(['draw'])),
      })
      .nullable(),
  }),
  draw: call('POST', '/lessonsApplyInfo/draw', {
    summary: '抽签录取',
    permit: 'lesson:register',
    input: z.strictObject({ liId }),
    output: z.object({ affected: z.number(), waiting: z.number(), refused: z.number(), seed: z.string() }),
  }),
  drawSheet: fileCall('GET', '/lessonsApplyInfo/drawSheet', {
    summary: '下载抽签记录',
    permit: 'lesson:list',
    input: z.object({ liId }),
  }),
}
