import { deliveryStatus, messageKind, yesNo, type MessageKind } from '../../../contract/core/codes/platform.ts'
import { fillPlaces, messageTexts, type MessageText } from '../../../contract/school/channels/message-texts.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import type { Attempt, Sending } from '../../platform/outbox/deliver.service.ts'

/** Days after which a message that could not go out is no news any more. */
const freshDays = 3

/** A message as it goes outside, and what is filled into it for channels that have words of their own. */
export interface Outgoing extends MessageText {
  values: Readonly<Record<string, string>>
}

/** Ends a delivery without sending it. */
export const dropped = (text: string): Attempt => ({
  isDelivered: false,
  code: null,
  text,
  endsAs: deliveryStatus.dropped,
  isAboutPerson: true,
})

/** What a delivery says, as things are now; or why it is no longer worth sending. */
export async function contentOf(
  ctx: Context,
  sending: Pick<Sending, 'eventKind' | 'iurId' | 'queueTime' | 'sealedContent'>,
  suiName: string,
): Promise<Outgoing | Attempt> {
  const kind = sending.eventKind as MessageKind
  const school = await from(ctx, 'school').select('schName').executeTakeFirstOrThrow()
  const people = { 姓名: suiName, 学校: school.schName }
  if (kind === messageKind.test) return filled(kind, people)
  if (kind === messageKind.recovery) {
    const sealed = unseal(sending.sealedContent, ctx.secrets)
    if (sealed === null) return dropped('验证码已不再保留，请本人重新申请')
    const { code, expireTime } = JSON.parse(sealed) as { code: string; expireTime: string }
    if (expireTime <= ctx.clock.now()) return dropped('验证码已过期')
    return filled(kind, { ...people, 验证码: code, 有效期至: expireTime.slice(0, 16) })
  }
  const message = await from(ctx, 'informationReceiver as r')
    .innerJoin('information as i', withinSchool('i.iiId', 'r.iiId'))
    .select(['i.iiTitle', 'i.iiContent', 'i.link', 'i.sendTime', 'i.recalled', 'r.isRead', 'r.inboxDeleted'])
    .where('r.iurId', '=', sending.iurId)
    .executeTakeFirst()
  if (!message || message.recalled === yesNo.yes) return dropped('消息已撤回')
  if (message.isRead === yesNo.yes) return dropped('已在平台内阅读')
  if (message.inboxDeleted === yesNo.yes) return dropped('本人已删除')
  if (sending.queueTime < addSeconds(ctx.clock.now(), -freshDays * 86_400)) return dropped('积压超过 3 天，不再有意义')
  return filled(kind, {
    ...people,
    标题: message.iiTitle,
    正文: message.iiContent,
    时间: message.sendTime.slice(0, 16),
    链接: linkTo(ctx, message.link),
  })
}

function filled(kind: MessageKind, values: Record<string, string>): Outgoing {
  const { subject, content } = messageTexts[kind]
  return { subject: fillPlaces(subject, values).replace(/\s+/g, ' '), content: fillPlaces(content, values), values }
}

/** Where to read on; '' where the operator has told no address of the console. */
const linkTo = ({ config }: Context, link: string): string =>
  config.publicOrigins[0] ? `${config.publicOrigins[0]}${link || '/personalCenter/message'}` : ''
