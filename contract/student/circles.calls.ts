import { z } from 'zod'
import { valuesOf } from '../core/dictionary.ts'
import { call } from '../core/call.ts'
import { done, flag, id, reason, search } from '../core/fields.ts'
import { paged, paging } from '../core/paging.ts'

const ciId = id('圈子')

/** A circle as students see it: what it is, and how they stand to it. */
const circle = z.object({
  ciId: z.string(),
  ciName: z.string(),
  ccName: z.string(),
  collegeName: z.string(),
  ciDesc: z.string(),
  leaderName: z.string(),
  memberCount: z.number(),
  memberMax: z.number().nullable(),
  joinMode: z.enum(valuesOf('circle_join_mode')),
  /** The duty of the student who asks; null: not a member. */
  cmRole: z.enum(valuesOf('circle_member_role')).nullable(),
  joinTime: z.string().nullable(),
  /** Their open application; null where none waits. */
  caId: z.string().nullable(),
  /** Why their last application was refused; '' where none was. */
  refusal: z.string(),
  can: z.array(z.enum(['join', 'withdraw', 'leave'])),
})
export type StudentsCircle = z.output<typeof circle>

/** Circles in service and the student's place in them. */
export const ownCircleApi = {
  list: call('GET', '/student/circles', {
    summary: '校内圈子',
    permit: 'student:self',
    input: paging.extend({ ciName: search('圈子名称').optional(), mine: flag('我的圈子').optional() }),
    output: paged(circle),
  }),
  join: call('POST', '/student/joinCircle', {
    summary: '申请加入圈子',
    permit: 'student:self',
    input: z.strictObject({ ciId, applyReason: reason('申请说明') }),
    output: z.object({ caId: z.string() }),
  }),
  withdraw: call('POST', '/student/withdrawCircleApply', {
    summary: '撤回入会申请',
    permit: 'student:self',
    input: z.strictObject({ caId: id('申请') }),
    output: done,
  }),
  leave: call('POST', '/student/leaveCircle', {
    summary: '退出我的圈子',
    permit: 'student:self',
    input: z.strictObject({ ciId }),
    output: done,
  }),
}
