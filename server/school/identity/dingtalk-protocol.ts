import { publishedAddresses } from '../../../contract/school/identity/identity.calls.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { dingtalkTokens } from '../integration/app-tokens.ts'
import type { Provider, SignInProtocol, TestStep } from './protocol.ts'
import { requestAsApp, requestWorkApi, forgetToken, secretOf, textIn, trimmed, WorkApiError } from './work-app.ts'
import { withWorkApiFaults, dingtalkFaults, workApiErrorText } from './work-refusals.ts'

/** A code that nobody was given, and somebody who is not there. */
const noCode = 'test-of-the-console'
/** By which 钉钉 says that a code is none or was used, and that somebody is not in the organisation. */
const invalidCode = 'invalidParameter.authCode.notFound'
const notInCorp = 60121
/** What `contact_type` says of those who are no members. */
const externalContact = '1'

/**
 * Sign-in by 钉钉: the person's own token says who they are among all of 钉钉, the application's who that is in the
 * school's organisation.
 */
export const dingtalkProtocol: SignInProtocol = {
  // https://open.dingtalk.com/document/orgapp/tutorial-obtaining-user-personal-information
  async loginPage(_ctx, { settings: { clientId, corpId, pageAddress } }, { callback, state }) {
    const query = new URLSearchParams({
      redirect_uri: callback,
      response_type: 'code',
      client_id: clientId,
      scope: 'openid corpid',
      state,
      prompt: 'consent',
      corpId,
    })
    return `${trimmed(pageAddress || publishedAddresses.dingtalk.pageAddress)}/oauth2/auth?${query.toString()}`
  },

  async resolveCallback(ctx, provider, _authRequest, { authCode = '', code = authCode }) {
    if (!code) throw new Failure('identity-refused')
    const meant = { [invalidCode]: 'identity-refused', [notInCorp]: 'identity-outsider' } as const
    return withWorkApiFaults(ctx, provider, { texts: dingtalkFaults, meant }, async () => {
      const given = await exchange(ctx, provider, code)
      if (textIn(given, 'corpId') !== provider.settings.corpId) throw new Failure('identity-wrong-corp')
      const me = await requestWorkApi(ctx, `${apiOf(provider)}/v1.0/contact/users/me`, {
        headers: { 'x-acs-dingtalk-access-token': textIn(given, 'accessToken') ?? '' },
      })
      const unionid = textIn(me, 'unionId')
      if (!unionid) throw new Failure('identity-refused')
      const found = await requestAsApp(ctx, dingtalkTokens, provider, '/topapi/user/getbyunionid', {
        body: { unionid },
      })
      const userid = textIn(found['result'], 'userid')
      if (!userid || textIn(found['result'], 'contact_type') === externalContact) throw new Failure('identity-outsider')
      return { number: await numberOf(ctx, provider, userid), ticket: null, subject: userid }
    })
  },

  signedOut: async () => undefined,
  logoutPage: async () => undefined,
  test,
}

const apiOf = ({ settings: { apiAddress } }: Provider): string =>
  trimmed(apiAddress || publishedAddresses.dingtalk.apiAddress)

/** https://open.dingtalk.com/document/orgapp/obtain-user-token */
const exchange = (ctx: PublicContext, provider: Provider, code: string) =>
  requestWorkApi(ctx, `${apiOf(provider)}/v1.0/oauth2/userAccessToken`, {
    body: {
      clientId: provider.settings.clientId,
      clientSecret: secretOf(provider, ctx),
      code,
      grantType: 'authorization_code',
    },
  })

/**
 * The number of a member: their userid, or a field of theirs such as `job_number`, or one that the school has added.
 */
async function numberOf(ctx: PublicContext, provider: Provider, userid: string): Promise<string | null> {
  const { attribute } = provider.settings
  if (!attribute || attribute === 'userid') return userid
  const { result } = await requestAsApp(ctx, dingtalkTokens, provider, '/topapi/v2/user/get', { body: { userid } })
  return textIn(result, attribute) ?? textIn(added(result), attribute) ?? null
}

/** Fields that an organisation has added, which come as a text of JSON. */
function added(member: unknown): unknown {
  try {
    return JSON.parse(textIn(member, 'extension') ?? '{}')
  } catch {
    return undefined
  }
}

/** Whether the secret is right at both interfaces, the address is trusted, and members can be looked up. */
async function test(ctx: PublicContext, provider: Provider): Promise<TestStep[]> {
  const steps: TestStep[] = []
  const step = async (name: string, refusal: number | string, good: string, work: () => Promise<unknown>) => {
    try {
      await work()
      steps.push({ name, isGood: false, text: '对方接受了不存在的人员或授权码，不能用于登录，请核对接口地址' })
    } catch (error) {
      const isGood = error instanceof WorkApiError && error.code === refusal
      steps.push({ name, isGood, text: isGood ? good : workApiErrorText(error, dingtalkFaults) })
    }
  }
  forgetToken(provider)
  await step('通讯录', notInCorp, '应用的凭证正确，可以查询成员', () =>
    requestAsApp(ctx, dingtalkTokens, provider, '/topapi/user/getbyunionid', { body: { unionid: noCode } }),
  )
  await step(
    '登录',
    invalidCode,
    '认可应用的凭证（按协议拒绝了测试授权码）；还须在“安全设置”中登记回调地址，组织编号在首次登录时核对',
    () => exchange(ctx, provider, noCode),
  )
  return steps
}
