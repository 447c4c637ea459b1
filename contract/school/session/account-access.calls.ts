import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, reason } from '../../core/fields.ts'

/** Where a person is signed in, and until when their account is locked after wrong passwords. */
const access = z.object({
  sessions: z.array(z.object({ agent: z.string(), ip: z.string(), createTime: z.string(), lastSeen: z.string() })),
  /** Wall-clock time; null where it is not locked. */
  lockedUntil: z.string().nullable(),
  /** Since when they have a second factor; null where they have none. */
  factorSince: z.string().nullable(),
})
export type AccountAccess = z.output<typeof access>

const one = (who: string) => z.object({ suId: id(who) })
const withReason = (who: string) => z.strictObject({ suId: id(who), reason: reason('原因') })

/** The sessions and locks of other people's accounts, for those who may switch these accounts off. */
export const accountAccessApi = {
  student: call('GET', '/sysUserInfo/studentAccess', {
    summary: '学生的登录设备与锁定',
    permit: 'student:edit',
    input: one('学生'),
    output: access,
  }),
  teacher: call('GET', '/sysUserInfo/teacherAccess', {
    summary: '教师的登录设备与锁定',
    permit: 'teacher:edit',
    input: one('教师'),
    output: access,
  }),
  signOutStudent: call('POST', '/sysUserInfo/studentSignOut', {
    summary: '退出学生的全部设备',
    permit: 'student:edit',
    input: withReason('学生'),
    output: done,
  }),
  signOutTeacher: call('POST', '/sysUserInfo/teacherSignOut', {
    summary: '退出教师的全部设备',
    permit: 'teacher:edit',
    input: withReason('教师'),
    output: done,
  }),
  unlockStudent: call('POST', '/sysUserInfo/studentUnlock', {
    summary: '解除学生账号锁定',
    permit: 'student:edit',
    input: z.strictObject(one('学生').shape),
    output: done,
  }),
  unlockTeacher: call('POST', '/sysUserInfo/teacherUnlock', {
    summary: '解除教师账号锁定',
    permit: 'teacher:edit',
    input: z.strictObject(one('教师').shape),
    output: done,
  }),
  /** For whoever has lost authenticator and recovery codes; they set it up anew. */
  resetStudentFactor: call('POST', '/sysUserInfo/studentFactorReset', {
    summary: '重置学生的动态口令',
    permit: 'student:edit',
    needsFreshCode: true,
    input: withReason('学生'),
    output: done,
  }),
  resetTeacherFactor: call('POST', '/sysUserInfo/teacherFactorReset', {
    summary: '重置教师的动态口令',
    permit: 'teacher:edit',
    needsFreshCode: true,
    input: withReason('教师'),
    output: done,
  }),
  /** For an emergency: everybody of the school but the one who asks has to sign in again. */
  signOutEverybody: call('POST', '/sysUserInfo/signOutEverybody', {
    summary: '退出全校登录',
    permit: 'school:edit',
    needsFreshCode: true,
    input: z.strictObject({ reason: reason('原因') }),
    output: done,
  }),
}
