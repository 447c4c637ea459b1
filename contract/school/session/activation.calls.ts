import { z } from 'zod'
import { call } from '../../core/call.ts'
import { ids, integer, reason, text } from '../../core/fields.ts'
import { fileOutput } from '../../core/file.ts'
import { paging } from '../../core/paging.ts'
import { passwordProfiles } from '../../core/password-rule.ts'
import { studentFilters } from '../people/students.calls.ts'
import { tokens } from './session.calls.ts'

/** So many slips are printed at a time: about a college's freshmen. */
export const maxSlips = 1000

/** By what a student may prove who they are before they have a password. */
const activationProofs = ['slip', 'identity'] as const
export type ActivationProof = (typeof activationProofs)[number]

/** What proves it: the code of a slip, or name and the last six characters of the identity document. */
const proof = {
  schoolId: text('学校代码', 32),
  suiNumber: text('学号', 64),
  code: z.string().trim().max(30, '激活码不正确').optional().meta({ label: '激活码', max: 30 }),
  suiName: z.string().trim().max(50, '姓名不能超过 50 个字').optional().meta({ label: '姓名', max: 50 }),
  idTail: z
    .string()
    .trim()
    .regex(/^[0-9A-Za-z]{6}$/, '请输入证件号码的后六位')
    .optional()
    .meta({ label: '证件号码后六位', max: 6 }),
}

/** How students whose accounts came from a list get their first password (decision 109). */
export const activationApi = {
  /** What the school allows; it says nothing about people. */
  ways: call('GET', '/sysUser/activationWays', {
    summary: '账号激活方式',
    permit: 'public',
    input: z.object({ schoolId: text('学校代码', 32) }),
    output: z.object({ ways: z.array(z.enum(activationProofs)), passwordProfile: z.enum(passwordProfiles) }),
  }),
  /** Whether the proof is right, before a password is chosen; it changes nothing and tells nothing of the person. */
  prove: call('POST', '/sysUser/activationProof', {
    summary: '核对激活信息',
    permit: 'public',
    writes: false,
    input: z.strictObject(proof),
    output: z.object({ isRight: z.literal(true) }),
  }),
  activate: call('POST', '/sysUser/activate', {
    summary: '激活账号',
    permit: 'public',
    input: z.strictObject({
      ...proof,
      newPassword: z.string('请输入密码').min(1, '请输入密码').max(256, '密码过长').meta({ label: '新密码' }),
      /** The version of the privacy notice that was read and agreed to. */
      noticeVersion: integer('隐私告知的版本', 1, 1_000_000),
    }),
    output: tokens,
  }),
  slips: call('POST', '/sysUserInfo/activationSlips', {
    summary: '打印账号激活单',
    permit: 'student:resetPwd',
    needsFreshCode: true,
    gives: 'file',
    /**
     * Those of the chosen students, or of all that the filters find, whose accounts wait for activation. The codes
     * stand in the file that is answered, this once; those printed before are void.
     */
    input: paging.extend({ ...studentFilters, suIds: ids.optional(), reason: reason('打印原因') }),
    output: fileOutput,
  }),
}
