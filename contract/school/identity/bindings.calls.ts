import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, nothing, reason, text } from '../../core/fields.ts'
import { providerKinds } from './identity.calls.ts'

/** Accounts at providers that a person may bind. */
export const maxBindings = 10

const binding = z.object({
  identityId: z.string(),
  providerId: z.string(),
  /** What the provider's button says. */
  name: z.string(),
  kind: z.enum(providerKinds),
  /** What the provider calls the person, masked. */
  subject: z.string(),
  /** Who bound it. */
  createName: z.string(),
  createTime: z.string(),
  /** When somebody last signed in by it; null: never. */
  lastTime: z.string().nullable(),
})
export type Binding = z.output<typeof binding>

/** The own password; only who never had one of their own leaves it out. */
const password = z.string().max(256, '密码过长').optional().meta({ label: '密码' })

/** Accounts at providers that people have bound to theirs, and sign in by whatever number the provider knows. */
export const bindingApi = {
  mine: call('GET', '/identity/bindings', {
    summary: '我绑定的登录方式',
    permit: 'signed-in',
    input: nothing,
    output: z.object({
      /** Whether a change asks for the password; else for a sign-in of the last minutes. */
      asksPassword: z.boolean(),
      /** What can be bound; `asksHere`: name and password of the directory are typed here. */
      providers: z.array(
        z.object({ providerId: z.string(), name: z.string(), kind: z.enum(providerKinds), asksHere: z.boolean() }),
      ),
      bindings: z.array(binding),
    }),
  }),
  /** Binds what the browser brought back from the provider. */
  bind: call('POST', '/identity/bind', {
    summary: '绑定登录方式',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.strictObject({ code: text('登录凭据', 64), verifier: text('登录凭据', 128), password }),
    output: done,
  }),
  /** Binds an account of a directory, whose name and password are typed here. */
  bindDirectory: call('POST', '/identity/bindDirectory', {
    summary: '绑定校园账号',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.strictObject({
      providerId: id('登录方式'),
      username: text('校园账号', 64),
      directoryPassword: z.string('请输入校园账号的密码').min(1, '请输入校园账号的密码').max(256, '密码过长'),
      password,
    }),
    output: done,
  }),
  unbind: call('POST', '/identity/unbind', {
    summary: '解除绑定登录方式',
    permit: 'signed-in',
    needsFreshCode: true,
    input: z.strictObject({ identityId: id('绑定'), password }),
    output: done,
  }),
  ofPerson: call('GET', '/identity/personBindings', {
    summary: '人员绑定的登录方式',
    permit: 'identity:manage',
    input: z.object({ suId: id('人员') }),
    output: z.array(binding),
  }),
  removeOf: call('POST', '/identity/removePersonBinding', {
    summary: '解除人员绑定的登录方式',
    permit: 'identity:manage',
    needsFreshCode: true,
    input: z.strictObject({ suId: id('人员'), identityId: id('绑定'), reason: reason('原因') }),
    output: done,
  }),
}
