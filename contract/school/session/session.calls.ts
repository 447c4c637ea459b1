import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, flag, nothing, text } from '../../core/fields.ts'
import { dictionaries } from '../school/school.calls.ts'
import { passwordProfiles } from '../../core/password-rule.ts'

/** By which rule a new password is judged, for `passwordRule`. */
const passwordProfile = z.enum(passwordProfiles)
const password = z.string('请输入密码').min(1, '请输入密码').max(256, '密码过长')

/**
 * What goes with a password where the account has a second factor: a code of the authenticator or a recovery code, or
 * the token of a device that was remembered. A code is checked or refused, never passed over.
 */
export const secondFactor = {
  totp: z.string().trim().max(20, '动态口令不正确').meta({ label: '动态口令' }).optional(),
  device_token: z.string().max(128).optional(),
  /** Whether this device is not to be asked for a code for a while. */
  remember_device: flag('记住此设备').optional(),
}

/** The person who signed in, as the console keeps them. */
export const profile = z.object({
  id: z.string(),
  username: z.string(),
  suNickname: z.string(),
  suType: z.string(),
  schoolId: z.string(),
  schName: z.string(),
  roles: z.array(z.object({ srId: z.string(), srName: z.string(), srCode: z.string() })),
  permissions: z.array(z.string()),
  mustChangePwd: z.boolean(),
  /** Whether they have yet to agree to the school's privacy notice: until then nothing else works. */
  mustAcceptNotice: z.boolean(),
  /** Whether a role of theirs demands a second factor that they have not set up: until then nothing else works. */
  mustEnrol: z.boolean(),
  /** Whether they have graduated: their account reads, and roles give it nothing (decision 128). */
  isGraduate: z.boolean(),
  passwordProfile,
  lastLoginTime: z.string().nullable(),
  /** The sign-in before that, which is not this session's own. */
  previousLoginTime: z.string().nullable(),
  dictVersion: z.string(),
  /** The school's own mark as a data address; null where it has none. */
  logo: z.string().nullable(),
  /** The term of today, for what the console calls 本学期. */
  term: z.object({ tmName: z.string(), tmStart: z.string(), tmEnd: z.string() }),
})
export type Profile = z.infer<typeof profile>

const menuPage = z.object({
  path: z.string(),
  title: z.string(),
  hidden: z.boolean(),
  /** Rights usable on the page that the person holds; the console keeps them in session storage. */
  elements: z.array(z.string()),
})
const menuGroup = z.object({ title: z.string(), pages: z.array(menuPage) })
export type MenuGroup = z.infer<typeof menuGroup>

/** What whoever has signed in holds from now on. */
export const tokens = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.number(),
  refresh_token: z.string(),
  scope: z.string(),
  /** For `device_token` at the next sign-in; only where `remember_device` was asked for with a code. */
  device_token: z.string().optional(),
})

export const sessionApi = {
  token: call('POST', '/oauth/token', {
    summary: '获取令牌',
    base: '/api/auth2',
    permit: 'public',
    gives: 'raw',
    input: z.object({
      schoolId: z.string().trim().max(32).optional(),
      username: z.string().trim().max(64).optional(),
      password: password.optional(),
      refresh_token: z.string().max(128).optional(),
      grant_type: z.enum(['password', 'refresh_token'], 'grant_type 只支持 password 与 refresh_token'),
      ...secondFactor,
    }),
    output: tokens,
  }),
  login: call('POST', '/user/login', {
    summary: '登录并取得用户信息',
    permit: 'public',
    defaultsToOwnSchool: true,
    input: z.object({
      schoolId: z.string().trim().max(32).optional(),
      username: z.string().trim().max(64).optional(),
      password: password.optional(),
      ...secondFactor,
    }),
    output: profile.extend({ accessToken: z.string() }),
  }),
  logout: call('POST', '/user/logout', {
    summary: '退出登录',
    permit: 'signed-in',
    input: nothing,
    /** `leave`: the provider that is to be left as well, at its own page. */
    output: done.extend({ leave: z.string().optional() }),
  }),
  editPassword: call('POST', '/sysUser/editPassword', {
    summary: '修改密码',
    permit: 'signed-in',
    input: z.strictObject({ oldPassword: password, newPassword: password }),
    output: done,
  }),
  retrievePwd: call('POST', '/sysUserInfo/retrievePwd', {
    summary: '找回密码',
    permit: 'public',
    input: z.strictObject({
      schoolId: text('学校代码', 32),
      username: text('账号', 64),
      contact: z
        .string()
        .trim()
        .max(100)
        .regex(/^[^\p{Cc}\p{Cf}]*$/u, '联系方式中有看不见的字符，请删去后重试')
        .optional(),
      code: z.string().trim().max(16).optional(),
      newPassword: password.optional(),
    }),
    output: z.object({ message: z.string(), passwordProfile }),
  }),
  menuTree: call('GET', '/UserLoad/MenuTree', {
    summary: '我的菜单',
    permit: 'signed-in',
    input: nothing,
    output: z.array(menuGroup),
  }),
  menuAndResources: call('GET', '/UserLoad/ScMenuAndResourceTree', {
    summary: '菜单与按钮权限树',
    base: '/api/platformbase',
    permit: 'signed-in',
    input: nothing,
    output: z.array(menuGroup),
  }),
  landLoad: call('POST', '/sysUser/userLandLoad', {
    summary: '登录后的用户资料',
    base: '/api/platformbase',
    permit: 'signed-in',
    writes: false,
    /** Of which school and version the caller has dictionaries, as `S1:3.7`; `-` for none. */
    input: z.object({ dictOf: z.string().max(80).optional() }),
    /** With the dictionaries, where those of the caller are others: nobody waits for a second answer. */
    output: profile.extend({ dictionaries: dictionaries.optional() }),
  }),
}
