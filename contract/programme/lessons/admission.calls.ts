import { z } from 'zod'
import { call } from '../../core/call.ts'
import { fileCall } from '../../core/file.ts'
import { done, id, reason, version } from '../../core/fields.ts'
import { admissionFaults, admissionFields } from './admission-fields.ts'

const liId = id('课程')
const laId = id('报名记录')
const option = z.object({ id: z.string(), name: z.string() })

/**
 * Who may register beyond college and grade, how the places are shared out among colleges, and where people sign in.
 */
const rulesForm = z
  .strictObject({
    liId,
    version: version.optional(),
    rangeMajors: admissionFields.rangeMajors.schema,
    rangeClasses: admissionFields.rangeClasses.schema,
    quotaByCollege: admissionFields.quotaByCollege.schema,
    signLng: admissionFields.signLng.schema,
    signLat: admissionFields.signLat.schema,
    signRadius: admissionFields.signRadius.schema,
  })
  .check((ctx) => {
    for (const [field, message] of admissionFaults(ctx.value))
      ctx.issues.push({ code: 'custom', message, path: [field], input: ctx.value })
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
