import { z } from 'zod'
import { call } from '../../core/call.ts'
import { day, id, reason } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'

/** A one-time password, told this once: it must be changed at the first sign-in and runs out. */
const initialPassword = z.object({
  suId: z.string(),
  suiName: z.string(),
  suLoginName: z.string(),
  password: z.string(),
  validUntil: z.string(),
})
export type InitialPassword = z.output<typeof initialPassword>

/** So many passwords are made at a time: each takes a slow hash. */
export const maxResets = 200

/** The day of birth may be written with or without dashes. */
const birth = z
  .string('请输入出生日期')
  .transform((value) => (/^\d{8}$/.test(value) ? `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` : value))
  .pipe(day('出生日期'))

export const passwordApi = {
  resetByLink: call('GET', '/sysUserInfo/resetPasswords/{suId}/{birth}', {
    summary: '重置学生密码',
    permit: 'student:resetPwd',
    needsFreshCode: true,
    writes: true,
    input: z.object({ suId: id('学生'), birth }),
    output: initialPassword,
  }),
  reset: call('POST', '/sysUserInfo/resetPasswords', {
    summary: '重置学生密码',
    permit: 'student:resetPwd',
    needsFreshCode: true,
    input: z.strictObject({
      suId: id('学生'),
      birth,
      reason: z.string().trim().max(200).optional().meta({ label: '原因' }),
    }),
    output: initialPassword,
  }),
  resetMany: call('POST', '/sysUserInfo/resetPasswordsBatch', {
    summary: '批量重置学生密码',
    permit: 'student:resetPwd',
    needsFreshCode: true,
    gives: 'file',
    /** The passwords stand in the workbook that is answered, this once; they are kept nowhere. */
    input: z.strictObject({
      suIds: z
        .array(id('学生'))
        .min(1, '请至少选择一名学生')
        .max(maxResets, `一次最多重置 ${maxResets} 名学生的密码`)
        .transform((list) => [...new Set(list)]),
      reason: reason('重置原因'),
    }),
    output: fileOutput,
  }),
  resetTeacher: call('POST', '/sysUserInfo/resetTeacherPasswords', {
    summary: '重置教师密码',
    permit: 'teacher:edit',
    needsFreshCode: true,
    input: z.strictObject({ suId: id('教师'), reason: z.string().trim().max(200).optional().meta({ label: '原因' }) }),
    output: initialPassword,
  }),
}
