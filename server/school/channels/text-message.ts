import { deliveryStatus, smsBody } from '../../../contract/core/codes/platform.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import type { Attempt } from '../../platform/outbox/deliver.service.ts'
import { askService } from './http-channel.ts'

const contentTypes: Record<string, string> = {
  [smsBody.json]: 'application/json; charset=utf-8',
  [smsBody.form]: 'application/x-www-form-urlencoded; charset=utf-8',
  [smsBody.xml]: 'application/xml; charset=utf-8',
}

/** How a value stands in a body, so that it stays one value whatever it says. */
const escapes: Record<string, (value: string) => string> = {
  [smsBody.json]: (value) => JSON.stringify(value).slice(1, -1),
  [smsBody.form]: (value) =>
    encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`),
  [smsBody.xml]: (value) =>
    value.replace(/[^\P{Cc}\t\n\r]/gu, '').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
}

/** Fills `{手机号}` and the like into a part of the request. */
const fill = (template: string, values: Readonly<Record<string, string>>, escape: (value: string) => string): string =>
  template.replace(/\{([^{}\s":]{1,20})\}/g, (whole, place: string) =>
    values[place] === undefined ? whole : escape(values[place]),
  )

/** The request that a school's template makes of these values. */
export function textMessageRequest(settings: ChannelSettings, values: Readonly<Record<string, string>>) {
  const { address = '', method = 'POST', headers = '', bodyKind = smsBody.json, body = '' } = settings
  const lines = headers.split('\n').filter((line) => line.includes(':'))
  const given = lines.map((line) => {
    const at = line.indexOf(':')
    // what would end the line would be another header
    const value = fill(line.slice(at + 1).trim(), values, (text) => text.replace(/[^\x20-\x7e]/g, ''))
    return [line.slice(0, at).trim().toLowerCase(), value] as const
  })
  const inAddress = fill(address, values, encodeURIComponent)
  return method === 'GET'
    ? { address: inAddress, method: 'GET' as const, headers: Object.fromEntries(given) }
    : {
        address: inAddress,
        method: 'POST' as const,
        headers: { 'content-type': contentTypes[bodyKind]!, ...Object.fromEntries(given) },
        body: fill(body, values, escapes[bodyKind]!),
      }
}

/** Sends a text message by the interface that the school has described. */
export async function sendTextMessage(
  settings: ChannelSettings,
  values: Readonly<Record<string, string>>,
  allowed: readonly string[],
): Promise<Attempt> {
  const asked = await askService(textMessageRequest(settings, values), allowed, true)
  if ('failed' in asked) return asked.failed
  const { status, text } = asked.answer
  const isGood = status >= 200 && status < 300
  if (isGood && (!settings.okText || text.includes(settings.okText)))
    return { isDelivered: true, code: status, text: 'ok' }
  const said = hidden(text, values).replace(/\s+/g, ' ').slice(0, 120)
  // it has answered, so that it is known; a refusal of this message would be the same the next time
  return isGood
    ? { isDelivered: false, code: status, text: `短信平台没有接受：${said}`, endsAs: deliveryStatus.dead }
    : { isDelivered: false, code: status, text: `短信平台答复 HTTP ${status}：${said}` }
}

/** An answer may repeat what it was sent; none of it goes into a list. */
const hidden = (text: string, values: Readonly<Record<string, string>>): string =>
  ['手机号', '密钥', '验证码', '内容'].reduce(
    (said, place) => (values[place] ? said.replaceAll(values[place], '***') : said),
    text,
  )
