import { z } from 'zod'
import { credibilityReason } from '../../core/codes/programme.ts'
import { call } from '../../core/call.ts'
import { batchResult } from '../../core/batch-result.ts'
import { done, id, ids, pick, reason, integer } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'

/**
 * Values of `dictionary.credibility_reason` that a person may give; absences, good conduct and restorations are counted
 * by the system.
 */
export const reasonsByHand = [
  credibilityReason.manual,
  credibilityReason.leftOrRemoved,
  credibilityReason.falseAttendance,
  credibilityReason.highLevelActivity,
] as const

/** A change of a student's credibility. `after` is where they stood then. */
const credibilityEntry = z.object({
  cgId: z.string(),
  createTime: z.string(),
  change: z.number(),
  before: z.number(),
  after: z.number(),
  reasonCode: z.string(),
  reason: z.string(),
  liId: z.string().nullable(),
  /** The course that caused it; empty where none did. */
  liName: z.string(),
  /** Whether the asking person may open that course. */
  opens: z.boolean(),
  operatorName: z.string(),
  /** The entry that this one makes good. */
  restoreOf: z.string().nullable(),
  restored: z.boolean(),
  can: z.array(z.enum(['restore'])),
})
export type CredibilityEntry = z.output<typeof credibilityEntry>

export const credibilityApi = {
  update: call('POST', '/sysUserInfo/updateCredibility', {
    summary: '调整诚信分',
    permit: 'student:credibility',
    /** Of one student (`suId`) or several, by so many points (`change`) or to so many (`value`). */
    input: z
      .strictObject({
        suId: id('学生').optional(),
        suIds: ids.optional(),
        change: integer('增减分值', -1000, 1000).optional(),
        value: integer('诚信分', 0, 1000).optional(),
        reasonCode: pick('原因类别', reasonsByHand).default(credibilityReason.manual),
        reason: reason('原因'),
        liId: id('相关课程').optional(),
      })
      .superRefine(({ suId, suIds, change, value }, issue) => {
        const fault = (path: string, message: string) => issue.addIssue({ code: 'custom', path: [path], message })
        if ((suId === undefined) === (suIds === undefined)) fault('suIds', '请选择学生')
        if ((change === undefined) === (value === undefined)) fault('change', '请填写增减分值，或调整后的诚信分')
        if (change === 0) fault('change', '增减分值不能为 0')
      }),
    output: batchResult,
    forAll: [
      {
        list: '/api/schoolbase/sysUserInfo/studentUserInfoList',
        row: 'suId',
        name: ['suiName', 'suiNumber'],
        ids: 'suIds',
      },
    ],
  }),
  log: call('GET', '/sysUserInfo/credibilityLog', {
    summary: '诚信分记录',
    permit: 'student:list',
    input: paging.extend({ suId: id('学生') }),
    output: paged(credibilityEntry),
  }),
  standing: call('GET', '/sysUserInfo/credibilityStanding', {
    summary: '诚信分概况',
    permit: 'student:list',
    input: z.object({ suId: id('学生') }),
    /**
     * `blackUntil` only while registration is closed; `absences` (removals included) without those made good; `can`:
     * adjust, lift.
     */
    output: z.object({
      suiCredibility: z.number(),
      min: z.number(),
      max: z.number(),
      absences: z.number(),
      absencesPerBan: z.number(),
      blackUntil: z.string().nullable(),
      can: z.array(z.enum(['adjust', 'lift'])),
    }),
  }),
  restore: call('POST', '/sysUserInfo/restoreCredibility', {
    summary: '恢复诚信分',
    permit: 'student:credibility',
    input: z.strictObject({ cgIds: ids, reason: reason('恢复原因') }),
    output: batchResult.extend({ points: z.number() }),
  }),
  lessonLosses: call('POST', '/sysUserInfo/credibilityLossesByLesson', {
    summary: '课程造成的诚信分扣减',
    permit: 'student:credibility',
    writes: false,
    input: paging.extend({ liId: id('课程') }),
    /** One student a row with what the course took from them and was not restored yet; the totals are of all pages. */
    output: paged(
      z.object({
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        className: z.string(),
        points: z.number(),
        suiCredibility: z.number(),
      }),
    ).extend({
      liName: z.string(),
      people: z.number(),
      entries: z.number(),
      points: z.number(),
      restored: z.number(),
    }),
  }),
  restoreByLesson: call('POST', '/sysUserInfo/restoreCredibilityByLesson', {
    summary: '按课程恢复诚信分',
    permit: 'student:credibility',
    /** `entries`: how many the preview counted; another number now is refused. */
    input: z.strictObject({
      liId: id('课程'),
      entries: integer('扣分记录数', 0, 1_000_000),
      reason: reason('恢复原因'),
    }),
    output: z.object({ affected: z.number(), people: z.number(), points: z.number(), opened: z.number() }),
  }),
  lift: call('POST', '/sysUserInfo/liftBlacklist', {
    summary: '解除报名限制',
    permit: 'student:credibility',
    input: z.strictObject({ suIds: ids, reason: reason('解除原因') }),
    output: done,
  }),
}
