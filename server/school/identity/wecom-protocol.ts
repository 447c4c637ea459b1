import { publishedAddresses } from '../../../contract/school/identity/identity.calls.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { wecomTokens } from '../integration/app-tokens.ts'
import type { Provider, SignInProtocol, TestStep } from './protocol.ts'
import { requestAsApp, forgetToken, textIn, trimmed, WorkApiError } from './work-app.ts'
import { withWorkApiFaults, wecomFaults, workApiErrorText } from './work-refusals.ts'

/** A code that nobody was given. */
const noCode = 'test-of-the-console'
/** By which 企业微信 says that a code is none, was used, or is another application's. */
const invalidCode = 40029

/**
 * Sign-in by 企业微信: whoever is in its client is led through without a question, others scan. Its members are known
 * by their userid, or by a field of their own that the school has added to its members.
 */
export const wecomProtocol: SignInProtocol = {
  async loginPage(ctx, { settings }, { callback, state }) {
    const { clientId: appid, agentId: agentid } = settings
    const published = publishedAddresses.wecom
    // https://developer.work.weixin.qq.com/document/path/91022
    if (/\bwxwork\//i.test(ctx.origin.agent)) {
      const query = { appid, redirect_uri: callback, response_type: 'code', scope: 'snsapi_base', state, agentid }
      return `${page(settings.insideAddress || published.insideAddress, '/connect/oauth2/authorize', query)}#wechat_redirect`
    }
    // https://developer.work.weixin.qq.com/document/path/98152
    const query = { login_type: 'CorpApp', appid, agentid, redirect_uri: callback, state }
    return page(settings.pageAddress || published.pageAddress, '/wwlogin/sso/login', query)
  },

  async resolveCallback(ctx, provider, _authRequest, { code = '' }) {
    if (!code) throw new Failure('identity-refused')
    return withWorkApiFaults(
      ctx,
      provider,
      { texts: wecomFaults, meant: { [invalidCode]: 'identity-refused' } },
      async () => {
        const who = await requestAsApp(ctx, wecomTokens, provider, '/cgi-bin/auth/getuserinfo', { params: { code } })
        // others than members are told by an openid alone
        const userid = textIn(who, 'userid')
        if (!userid) throw new Failure('identity-outsider')
        return { number: await numberOf(ctx, provider, userid), ticket: null, subject: userid }
      },
    )
  },

  signedOut: async () => undefined,
  logoutPage: async () => undefined,
  test,
}

const page = (address: string, path: string, query: Record<string, string>): string =>
  `${trimmed(address)}${path}?${new URLSearchParams(query).toString()}`

/** The number of a member: their userid, or the field of theirs that the setting names. */
async function numberOf(ctx: PublicContext, provider: Provider, userid: string): Promise<string | null> {
  const { attribute } = provider.settings
  if (!attribute || attribute === 'userid') return userid
  const member = await requestAsApp(ctx, wecomTokens, provider, '/cgi-bin/user/get', { params: { userid } })
  const { attrs } = (member['extattr'] ?? {}) as { attrs?: unknown }
  const found = Array.isArray(attrs) ? attrs.filter((each) => textIn(each, 'name') === attribute) : []
  if (found.length !== 1) return null
  const [field] = found as { value?: unknown; text?: unknown }[]
  return textIn(field!.text, 'value') ?? textIn(field, 'value') ?? null
}

/** Whether secret and application are right, the address is trusted, and people could come back. */
async function test(ctx: PublicContext, provider: Provider): Promise<TestStep[]> {
  const { agentId } = provider.settings
  const steps: TestStep[] = []
  const step = async (name: string, work: () => Promise<string>): Promise<boolean> => {
    try {
      steps.push({ name, isGood: true, text: await work() })
      return true
    } catch (error) {
      steps.push({ name, isGood: false, text: workApiErrorText(error, wecomFaults) })
      return false
    }
  }
  forgetToken(provider)
  const isKnown = await step('应用', async () => {
    const agent = await requestAsApp(ctx, wecomTokens, provider, '/cgi-bin/agent/get', { params: { agentid: agentId } })
    if (agent['close'] === 1) throw new WorkApiError('close', '应用已停用，请在企业微信管理后台启用')
    const domain = textIn(agent, 'redirect_domain')
    if (!domain) throw new WorkApiError('redirect_domain', '应用没有设置可信域名，请设为本系统的域名')
    return `${textIn(agent, 'name') ?? '应用'}：企业编号、Secret 与应用编号正确，可信域名是 ${domain}`
  })
  if (!isKnown) return steps
  await step('登录', async () => {
    try {
      await requestAsApp(ctx, wecomTokens, provider, '/cgi-bin/auth/getuserinfo', { params: { code: noCode } })
    } catch (error) {
      if (error instanceof WorkApiError && error.code === invalidCode)
        return '可以核对登录的人（按协议拒绝了测试授权码）；扫码还须在应用的“企业微信授权登录”中设置授权回调域'
      throw error
    }
    throw new WorkApiError(0, '对方接受了一个不存在的授权码，不能用于登录，请核对接口地址')
  })
  return steps
}
