import { z } from 'zod'
import { call } from '../core/call.ts'
import { day, id } from '../core/fields.ts'

/** A one-time password, told this once: it must be changed at the first sign-in and runs out. */
const initialPassword = z.object({ suId: z.string(), suiName: z.string(), suLoginName: z.string(), password: z.string(), validUntil: z.string() })
export type InitialPassword = z.output<typeof initialPassword>

/** The day of birth may be written with or without dashes. */
const birth = z
  .string('请输入出生日期')
  .transform((value) => (/^\d{8}$/.test(value) ? `${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}` : value))
  .pipe(day('出生日期'))

export const passwordApi = {
  resetByLink: call('GET', '/sysUserInfo/resetPasswords/{suId}/{birth}', {
    summary: '重置学生密码',
    permit: 'student:resetPwd',
    writes: true,
    input: z.object({ suId: id('学生'), birth }),
    output: initialPassword,
  }),
  reset: call('POST', '/sysUserInfo/resetPasswords', {
    summary: '重置学生密码',
    permit: 'student:resetPwd',
    input: z.strictObject({ suId: id('学生'), birth, reason: z.string().trim().max(200).optional().meta({ label: '原因' }) }),
    output: initialPassword,
  }),
  resetTeacher: call('POST', '/sysUserInfo/resetTeacherPasswords', {
    summary: '重置教师密码',
    permit: 'teacher:edit',
    input: z.strictObject({ suId: id('教师'), reason: z.string().trim().max(200).optional().meta({ label: '原因' }) }),
    output: initialPassword,
  }),
}
