import { sql } from 'kysely'
import { deliveryStatus, messageKind, yesNo, type MessageKind } from '../../../contract/core/codes/platform.ts'
import { fillMessage, messageTexts, type MessageText } from '../../../contract/school/channels/message-texts.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import type { Attempt, Sending } from '../../platform/outbox/deliver.service.ts'

/** Days after which a message that could not go out is no news any more. */
const freshDays = 3
/** Titles that a digest lists. */
const listed = 50

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
  sending: Pick<Sending, 'dlId' | 'eventKind' | 'iurId' | 'queueTime' | 'sealedContent'>,
  suiName: string,
): Promise<Outgoing | Attempt> {
  const kind = sending.eventKind as MessageKind
  const [school, own] = await Promise.all([
    from(ctx, 'school').select('schName').executeTakeFirstOrThrow(),
    from(ctx, 'messageTemplate').select(['subject', 'content']).where('messageKind', '=', kind).executeTakeFirst(),
  ])
  const people = { 姓名: suiName, 学校: school.schName }
  const filled = (values: Record<string, string>): Outgoing => {
    const { subject, content } = own ?? messageTexts[kind]
    return { subject: fillMessage(subject, values).replace(/\s+/g, ' '), content: fillMessage(content, values), values }
  }
  if (kind === messageKind.test) return filled(people)
  if (kind === messageKind.digest) {
    const titles = await gathered(ctx, sending.dlId)
    if (titles.length === 0) return dropped('都已在平台内阅读')
    const 列表 = titles.slice(0, listed).map(({ iiTitle, sendTime }) => `· ${iiTitle}（${sendTime.slice(5, 16)}）`)
    if (titles.length > listed) 列表.push(`· 还有 ${titles.length - listed} 条，请登录后查看`)
    return filled({ ...people, 条数: String(titles.length), 列表: 列表.join('\n'), 链接: linkTo(ctx, '') })
  }
  if (kind === messageKind.recovery) {
    const sealed = unseal(sending.sealedContent, ctx.secrets)
    if (sealed === null) return dropped('验证码已不再保留，请本人重新申请')
    const { code, expireTime } = JSON.parse(sealed) as { code: string; expireTime: string }
    if (expireTime <= ctx.clock.now()) return dropped('验证码已过期')
    return filled({ ...people, 验证码: code, 有效期至: expireTime.slice(0, 16) })
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
  return filled({
    ...people,
    标题: message.iiTitle,
    正文: message.iiContent,
    时间: message.sendTime.slice(0, 16),
    链接: linkTo(ctx, message.link),
  })
}

/** What of a digest has not been read, taken back or deleted meanwhile; the latest last. */
const gathered = (ctx: Context, digestId: string) =>
  from(ctx, 'outboxDelivery as d')
    .innerJoin('informationReceiver as r', withinSchool('r.iurId', 'd.iurId'))
    .innerJoin('information as i', withinSchool('i.iiId', 'r.iiId'))
    .select(['i.iiTitle', 'i.sendTime'])
    .where('d.digestId', '=', digestId)
    .where('r.isRead', '=', yesNo.no)
    .where('r.inboxDeleted', '=', sql.lit(yesNo.no))
    .where('i.recalled', '=', yesNo.no)
    .orderBy('i.sendTime')
    .orderBy('r.iurId')
    .execute()

/** Where to read on; '' where the operator has told no address of the console. */
const linkTo = ({ config }: Context, link: string): string =>
  config.publicOrigins[0] ? `${config.publicOrigins[0]}${link || '/personalCenter/message'}` : ''
