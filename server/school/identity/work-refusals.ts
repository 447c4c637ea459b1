import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import { OutboundFault } from '../../core/base/outbound.ts'
import type { PublicContext } from '../../core/request/context.ts'
import type { Provider } from './protocol.ts'
import { WorkApiError } from './work-app.ts'

/** What a code of the other side means, for the administrator. */
type FaultTexts = Readonly<Record<string, string>>

/** The texts of 企业微信: https://developer.work.weixin.qq.com/document/path/90313 */
export const wecomFaults: FaultTexts = {
  [-1]: '企业微信繁忙，请稍后再试',
  40001: '应用的 Secret 不正确，请在企业微信管理后台的应用详情中重新查看',
  40013: '企业编号（CorpId）不正确，请在企业微信管理后台的“我的企业”中核对',
  40056: '应用编号（AgentId）不正确，请在应用详情中核对',
  40091: '应用的 Secret 不正确，请在企业微信管理后台的应用详情中重新查看',
  41004: '没有填写应用的 Secret',
  45009: '调用超过企业微信的频率限制，请稍后再试',
  48002: '应用没有调用该接口的权限，请在企业微信管理后台开通',
  50001: '回调地址的域名不是应用的可信域名，请在应用的“网页授权及 JS-SDK”与“企业微信授权登录”中设置',
  60011: '应用无权查看该成员，请核对应用的可见范围',
  60020: '本系统的出口地址不在应用的“企业可信 IP”中，请在应用详情中添加',
  60111: '通讯录中没有该成员，或不在应用的可见范围',
  301002: '应用编号（AgentId）与 Secret 不属于同一个应用，请在应用详情中核对',
}

/** The texts of 钉钉: https://open.dingtalk.com/document/orgapp/server-api-error-codes-1 */
export const dingtalkFaults: FaultTexts = {
  [-1]: '钉钉繁忙，请稍后再试',
  40035: '客户端编号或密钥的格式不正确，请在钉钉开放平台的应用“凭证与基础信息”中核对',
  40078: '授权码不正确或已经用过',
  40089: '应用的 AppKey 或 AppSecret 不正确，请在钉钉开放平台的应用“凭证与基础信息”中核对',
  40096: '应用的 AppKey 或 AppSecret 不正确，请在钉钉开放平台的应用“凭证与基础信息”中核对',
  60011: '应用没有读取通讯录的权限，请在“权限管理”中开通“成员信息读权限”',
  60020: '本系统的出口地址不在应用的“服务器出口 IP”中，请在“安全设置”中添加',
  60121: '组织的通讯录中没有此人',
  90002: '调用超过钉钉的频率限制，请稍后再试',
  90018: '调用超过钉钉的频率限制，请稍后再试',
  invalidClientIdOrSecret: '应用的 AppKey 或 AppSecret 不正确，请在钉钉开放平台的应用“凭证与基础信息”中核对',
  'Forbidden.AccessDenied.AccessTokenPermissionDenied':
    '应用没有读取个人信息的权限，请在“权限管理”中开通“通讯录个人信息读权限”',
  'Forbidden.AccessDenied.IpNotInWhiteList': '本系统的出口地址不在应用的“服务器出口 IP”中，请在“安全设置”中添加',
}

/**
 * What went wrong, in a sentence for the administrator; where the other side named our address, that is told as well.
 */
export function workApiErrorText(error: unknown, texts: FaultTexts): string {
  if (error instanceof OutboundFault) return error.message
  if (!(error instanceof WorkApiError)) throw error
  const ours = /\bip:? *(\d{1,3}(?:\.\d{1,3}){3})\b/i.exec(error.message)?.[1]
  const known = Object.hasOwn(texts, error.code) ? texts[error.code]! : `对方没有接受：${error.message || '没有说明'}`
  return `${known}（${error.code}${ours ? `，本系统的出口地址是 ${ours}` : ''}）`
}

/**
 * Asks, and makes of what goes wrong a failure for the person; what the other side said goes to the log.
 * @param meant what single codes mean for the person; any other: the service cannot be used just now
 */
export async function withWorkApiFaults<R>(
  ctx: PublicContext,
  { providerId }: Provider,
  { texts, meant }: { texts: FaultTexts; meant: Readonly<Record<string, FailureName>> },
  work: () => Promise<R>,
): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    const why = workApiErrorText(error, texts)
    ctx.log.warn({ why, providerId }, 'a sign-in by a provider came to nothing')
    const code = error instanceof WorkApiError ? error.code : ''
    throw new Failure(Object.hasOwn(meant, code) ? meant[code]! : 'identity-unavailable')
  }
}
