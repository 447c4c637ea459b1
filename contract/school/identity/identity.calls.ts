import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, flag, id, integer, nothing, pick, text, version } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'
import { secondFactor, tokens } from '../session/session.calls.ts'

/** Who may sign in by a provider; whoever has the role of the school's administrator is an administrator alone. */
export const audiences = ['student', 'teacher', 'administrator'] as const
export type Audience = (typeof audiences)[number]

/** By which protocol a provider is asked. */
export const providerKinds = ['cas', 'oidc', 'saml', 'ldap', 'wecom', 'dingtalk'] as const
export type ProviderKind = (typeof providerKinds)[number]
/**
 * The published addresses of 企业微信 and 钉钉, which hold where none of its own is set, such as of a private installation.
 */
export const publishedAddresses = {
  wecom: {
    address: 'https://qyapi.weixin.qq.com',
    pageAddress: 'https://login.work.weixin.qq.com',
    insideAddress: 'https://open.weixin.qq.com',
    apiAddress: '',
  },
  dingtalk: {
    address: 'https://oapi.dingtalk.com',
    pageAddress: 'https://login.dingtalk.com',
    insideAddress: '',
    apiAddress: 'https://api.dingtalk.com',
  },
} as const

/** The place of what somebody types, in the filter by which a directory is searched. */
export const usernamePlace = '{username}'

/** From which sign-in page somebody left, and to which they come back: that of the console or that under `/m`. */
export const signInPages = { console: '/', student: '/m/login' } as const
export type SignInPage = keyof typeof signInPages

/** The pages on which people bind what a provider calls them, and to which they come back for it. */
export const bindingPages = { console: '/personalCenter/account', student: '/m/me/devices' } as const

/** Where a provider sends people back, and tells of those it has signed out; the id of the provider follows. */
export const callbackPath = '/api/schoolbase/identity/callback/'
/** Where a provider of SAML reads what this program is; the id of the provider follows. */
export const metadataPath = '/api/schoolbase/identity/metadata/'

const provider = z.object({
  providerId: z.string(),
  kind: z.enum(providerKinds),
  /** What the button says. */
  name: z.string(),
  settings: z.object({
    address: z.string(),
    attribute: z.string(),
    clientId: z.string(),
    scope: z.string(),
    signsOutThere: z.boolean(),
    baseDn: z.string(),
    bindDn: z.string(),
    filter: z.string(),
    ca: z.string(),
    agentId: z.string(),
    corpId: z.string(),
    pageAddress: z.string(),
    insideAddress: z.string(),
    apiAddress: z.string(),
    matchesNumber: z.boolean(),
    metadata: z.string(),
  }),
  /** Whether a client secret is kept; it is never told. */
  hasSecret: z.boolean(),
  audience: z.array(z.enum(audiences)),
  enabled: z.boolean(),
  sort: z.number(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'test', 'delete'])),
})
export type IdentityProvider = z.output<typeof provider>

export const identityApi = {
  buttons: call('GET', '/identity/buttons', {
    summary: '登录方式',
    permit: 'public',
    input: z.object({ schoolId: text('学校代码', 32) }),
    /** `asksHere`: name and password are typed on our own page, and no other is gone to. */
    output: z.array(z.object({ providerId: z.string(), name: z.string(), asksHere: z.boolean() })),
  }),
  /** Signs in by the name and the password of a directory of the campus. */
  enter: call('POST', '/identity/enter', {
    summary: '用校园账号的口令登录',
    permit: 'public',
    gives: 'raw',
    input: z.strictObject({
      providerId: id('登录方式'),
      username: text('账号', 64),
      /** Itself and not a hash of it, for the directory has to be shown it. */
      password: z.string('请输入密码').min(1, '请输入密码').max(256, '密码过长'),
      ...secondFactor,
    }),
    output: tokens,
  }),
  /** What the browser brings back from the provider becomes a session; the verifier shows that it began there. */
  exchange: call('POST', '/identity/exchange', {
    summary: '统一身份认证登录',
    permit: 'public',
    gives: 'raw',
    input: z.strictObject({
      code: text('登录凭据', 64),
      verifier: text('登录凭据', 128),
      ...secondFactor,
    }),
    output: tokens,
  }),
  list: call('GET', '/identity/providers', {
    summary: '统一身份认证列表',
    permit: 'identity:manage',
    input: paging,
    output: paged(provider),
  }),
  /** Who may sign in by what: the password and the providers that are switched on. */
  ways: call('GET', '/identity/ways', {
    summary: '各类人员的登录方式',
    permit: 'identity:manage',
    input: nothing,
    output: z.object({
      kinds: z.array(
        z.object({
          kind: z.enum(audiences),
          /** `fallback`: switched off, but nothing else would be left. */
          password: z.enum(['on', 'off', 'fallback']),
          providers: z.array(z.string()),
        }),
      ),
      /** The administrator who always has the password; null where nobody has one. */
      emergency: z.object({ suId: z.string(), suLoginName: z.string(), suNickname: z.string() }).nullable(),
    }),
  }),
  save: call('POST', '/identity/save', {
    summary: '保存统一身份认证',
    permit: 'identity:manage',
    needsFreshCode: true,
    input: z.strictObject({
      providerId: id('登录方式').optional(),
      version: version.optional(),
      kind: pick('协议', providerKinds),
      name: text('按钮名称', 20),
      settings: z.strictObject({
        /** Where the service of the campus begins, such as `https://cas.example.edu.cn/cas`; of OIDC the issuer. */
        /** Of SAML that of the metadata, empty where those were pasted. */
        address: text('服务地址', 300).or(z.literal('')).meta({ label: '服务地址', max: 300 }).default(''),
        /** The attribute or claim that holds 学号 or 工号; empty: the user's name itself, of OIDC `sub`, of SAML NameID. */
        attribute: z.string().trim().max(64).meta({ label: '学工号所在属性' }).default(''),
        /** By which a provider knows this program; of SAML the entityID, empty: the address of our metadata. */
        clientId: z.string().trim().max(200).meta({ label: '客户端编号' }).default(''),
        /** What an OIDC provider is asked for. */
        scope: z
          .string()
          .trim()
          .max(200)
          .regex(/^openid( [!-~]+)*$/, '授权范围须以 openid 开头，以空格分隔')
          .meta({ label: '授权范围' })
          .default('openid profile'),
        /** Whether whoever leaves the console is led to the provider's page of signing out. */
        signsOutThere: flag('退出时一并退出统一身份认证').default(false),
        /** Where a directory is searched. */
        baseDn: z.string().trim().max(300).meta({ label: '查询起点' }).default(''),
        /** Who searches it; nobody: without a name. */
        bindDn: z.string().trim().max(300).meta({ label: '查询账号' }).default(''),
        filter: z
          .string()
          .trim()
          .max(300)
          .refine((filter) => /^\(.+\)$/.test(filter) && filter.includes(usernamePlace), {
            message: '查询条件须用括号括起并含 {username}，如 (uid={username})',
          })
          .meta({ label: '查询条件' })
          .default(`(uid=${usernamePlace})`),
        /** Whose certificates are trusted instead of those of the internet. */
        ca: z
          .string()
          .trim()
          .max(20_000)
          .regex(/^(-----BEGIN CERTIFICATE-----[\s\S]+-----END CERTIFICATE-----)?$/, 'CA 证书须为 PEM 格式的文本')
          .meta({ label: 'CA 证书' })
          .default(''),
        /** Whether whoever has bound nothing is known by their number. */
        matchesNumber: flag('按学工号对应到人').default(true),
        /** The application of 企业微信 that people sign in to. */
        agentId: z
          .string()
          .trim()
          .regex(/^\d{0,20}$/, '应用编号（AgentId）是一串数字')
          .meta({ label: '应用编号' })
          .default(''),
        /** The organisation of 钉钉 whose people may come. */
        corpId: z.string().trim().max(100).meta({ label: '组织编号' }).default(''),
        /** Where people scan; empty: as published, like the addresses that follow. */
        pageAddress: z.string().trim().max(300).meta({ label: '扫码页地址' }).default(''),
        /** The page for those who are in the client of 企业微信 already. */
        insideAddress: z.string().trim().max(300).meta({ label: '客户端内授权页地址' }).default(''),
        /** The newer interface of 钉钉. */
        apiAddress: z.string().trim().max(300).meta({ label: '新版接口地址' }).default(''),
        /** What a provider of SAML says of itself, where it has no address for that. */
        metadata: z.string().trim().max(200_000, '元数据不能超过 200000 个字').meta({ label: '元数据' }).default(''),
      }),
      /** Kept encrypted; what is not given stays, unless the address names another host. */
      clientSecret: z.string().trim().min(1).max(500).meta({ label: '客户端密钥' }).optional(),
      audience: z.array(z.enum(audiences)).min(1, '请选择谁可以使用').max(3).meta({ label: '谁可以使用' }),
      enabled: flag('启用').default(false),
      sort: integer('排序', 0, 999).default(0),
    }),
    output: z.object({ providerId: z.string() }),
  }),
  /** Asks the provider as a sign-in would, with a ticket or code that nobody has; changes nothing. */
  test: call('POST', '/identity/test', {
    summary: '测试统一身份认证',
    permit: 'identity:manage',
    writes: false,
    input: z.strictObject({ providerId: id('登录方式') }),
    output: z.object({ steps: z.array(z.object({ name: z.string(), isGood: z.boolean(), text: z.string() })) }),
  }),
  remove: call('POST', '/identity/remove', {
    summary: '删除统一身份认证',
    permit: 'identity:manage',
    needsFreshCode: true,
    input: z.strictObject({ providerId: id('登录方式') }),
    output: done,
  }),
}
