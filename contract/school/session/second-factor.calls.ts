import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, nothing } from '../../core/fields.ts'

/** A code of the authenticator, or one of the recovery codes. */
const code = z
  .string('请输入动态口令')
  .trim()
  .min(1, '请输入动态口令')
  .max(20, '动态口令不正确')
  .meta({ label: '动态口令', max: 20 })
const password = z.string('请输入密码').min(1, '请输入密码').max(256, '密码过长')

const device = z.object({
  deviceId: z.string(),
  agent: z.string(),
  ip: z.string(),
  createTime: z.string(),
  lastUsed: z.string(),
  expireTime: z.string(),
})
export type TrustedDevice = z.output<typeof device>

const state = z.object({
  /** Since when it is on; null where it is off. */
  since: z.string().nullable(),
  /** Whether a role of theirs demands it. */
  isDemanded: z.boolean(),
  /** Recovery codes that have not been used. */
  codesLeft: z.number(),
  /** Devices that are not asked for a code. */
  devices: z.array(device),
})
export type SecondFactor = z.output<typeof state>

/** Told this once; only keyed hashes are kept. */
const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })

/** The person's own second factor (TOTP, RFC 6238). */
export const secondFactorApi = {
  state: call('GET', '/sysUser/mySecondFactor', {
    summary: '我的动态口令',
    permit: 'signed-in',
    input: nothing,
    output: state,
  }),
  /** A new secret, for the authenticator to scan; it counts once a code of it has been given. */
  begin: call('POST', '/sysUser/beginSecondFactor', {
    summary: '开始设置动态口令',
    permit: 'signed-in',
    /** `code` where one is on already, which the new one replaces. */
    input: z.strictObject({ password, code: code.optional() }),
    /** `picture`: the QR code as a data address; `secret`: the same to be typed. */
    output: z.object({ secret: z.string(), picture: z.string() }),
  }),
  enable: call('POST', '/sysUser/enableSecondFactor', {
    summary: '启用动态口令',
    permit: 'signed-in',
    input: z.strictObject({ code }),
    output: recoveryCodes,
  }),
  renewCodes: call('POST', '/sysUser/renewRecoveryCodes', {
    summary: '更换恢复码',
    permit: 'signed-in',
    input: z.strictObject({ code }),
    output: recoveryCodes,
  }),
  disable: call('POST', '/sysUser/disableSecondFactor', {
    summary: '关闭动态口令',
    permit: 'signed-in',
    input: z.strictObject({ password, code }),
    output: done,
  }),
  /** Opens for some minutes what asks for a fresh code, in this session. */
  confirm: call('POST', '/sysUser/confirmSecondFactor', {
    summary: '再次验证身份',
    permit: 'signed-in',
    input: z.strictObject({ code }),
    output: done,
  }),
  /** One of the remembered devices, or with no id all of them, is asked for a code again. */
  forget: call('POST', '/sysUser/forgetDevices', {
    summary: '取消记住的设备',
    permit: 'signed-in',
    input: z.strictObject({ deviceId: id('设备').optional() }),
    output: done,
  }),
}
