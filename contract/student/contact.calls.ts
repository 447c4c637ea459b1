import { z } from 'zod'
import { call } from '../core/call.ts'
import { done, nothing, optionalText, version } from '../core/fields.ts'
import { studentApi } from '../school/people/students.calls.ts'

const { suiPhone, suiEmail } = studentApi.save.input.shape

/** How the student is reached; what recovers a password is shown masked, and sent back like that it stays. */
export const ownContactApi = {
  read: call('GET', '/student/contact', {
    summary: '我的联系方式',
    permit: 'student:self',
    input: nothing,
    output: z.object({
      suiPhone: z.string().nullable(),
      suiEmail: z.string().nullable(),
      suiDorm: z.string().nullable(),
      version: z.number(),
      can: z.array(z.enum(['edit'])),
    }),
  }),
  /** The password is asked for, since phone and mail recover it. What is left out is removed. */
  save: call('POST', '/student/saveContact', {
    summary: '修改我的联系方式',
    permit: 'student:self',
    input: z.strictObject({
      password: z.string('请输入密码').min(1, '请输入密码').max(256, '密码过长').meta({ label: '密码' }),
      suiPhone,
      suiEmail,
      suiDorm: optionalText('宿舍', 50),
      version,
    }),
    output: done,
  }),
}
