import { accountStatus } from '../../../contract/core/codes/school.ts'
import { deliveryStatus, messageChannel, messageKind, userBy } from '../../../contract/core/codes/platform.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { maskedContact, maskedEmail, maskedNumber } from '../../core/secrets/masks.ts'
import type { Attempt, Sender, Senders, Sending } from '../../platform/outbox/deliver.service.ts'
import { accountOf } from '../people/accounts.service.ts'
import { appChannel, dingtalk, sendAppMessage, shortened, wecom, type AppService } from './app-messages.ts'
import { contentOf, dropped, type Outgoing } from './message-content.ts'
import { sendTextMessage } from './text-message.ts'

/** Bytes of the text that a text message carries at most. */
const maxTextBytes = 900

type Account = NonNullable<Awaited<ReturnType<typeof accountOf>>>

/** One way outside: the address that it has of a person, how that looks in a list, and how a message gets there. */
interface Way {
  addressOf(account: Account, settings: ChannelSettings, ctx: Context): string | null
  /** Why there is none. */
  without: string
  masked(address: string): string
  send(ctx: Context, sending: Sending, address: string, message: Outgoing): Promise<Attempt>
}

const ways: Readonly<Record<string, Way>> = {
  [messageChannel.mail]: {
    addressOf: ({ suiEmail }) => suiEmail,
    without: '该人员没有邮箱，请在人员资料中补充后重新发送',
    masked: maskedEmail,
    async send(ctx, { dlId, settings, sealedSecret }, to, { subject, content }) {
      const { sendMail } = await import('./mail.ts')
      return sendMail(
        settings as ChannelSettings,
        unseal(sealedSecret, ctx.secrets),
        { id: dlId, to, subject, text: content },
        ctx.config.outboundPrivate,
      )
    },
  },
  [messageChannel.wecom]: appWay(wecom),
  [messageChannel.dingtalk]: appWay(dingtalk),
  [messageChannel.sms]: {
    addressOf: ({ suiPhone }, _settings, ctx) => unseal(suiPhone, ctx.secrets),
    without: '该人员没有手机号，请在人员资料中补充后重新发送',
    masked: maskedContact,
    send: (ctx, { dlId, settings, sealedSecret }, phone, { subject, content, values }) =>
      sendTextMessage(
        settings as ChannelSettings,
        {
          ...values,
          手机号: phone,
          标题: subject,
          内容: shortened(content.replace(/\s+/g, ' '), maxTextBytes),
          密钥: unseal(sealedSecret, ctx.secrets) ?? '',
          编号: dlId,
        },
        ctx.config.outboundPrivate,
      ),
  },
}

/** 企业微信 or 钉钉, which know people by their number or by the name they sign in with. */
function appWay(service: AppService): Way {
  return {
    addressOf: ({ suiNumber, suLoginName }, settings) => (settings.userBy === userBy.account ? suLoginName : suiNumber),
    without: '该人员没有账号',
    masked: maskedNumber,
    send: (ctx, sending, user, { subject, content }) =>
      sendAppMessage(service, appChannel(ctx, sending), { user, text: `${subject}\n\n${content}` }),
  }
}

/** Sends a message to its person: where to and in which words is looked up now, as things are. */
const senderBy =
  (way: Way): Sender =>
  async (ctx, sending) => {
    const account = sending.suId ? await accountOf(ctx.db, ctx.actor.schoolId, sending.suId) : undefined
    const given = sending.eventKind === messageKind.test ? (sending.eventData as { to?: string }).to : undefined
    if (!account || account.suStatus !== accountStatus.active) return dropped('账号已停用')
    const address = given ?? way.addressOf(account, sending.settings as ChannelSettings, ctx)
    if (!address)
      return { isDelivered: false, code: null, text: way.without, endsAs: deliveryStatus.dead, isAboutPerson: true }
    const target = way.masked(address)
    const message = await contentOf(ctx, sending, account.suiName)
    const result = 'isDelivered' in message ? message : await way.send(ctx, sending, address, message)
    return { ...result, target }
  }

/** How messages reach people, by channel. */
export const messageSenders: Senders = Object.fromEntries(
  Object.entries(ways).map(([channel, way]) => [channel, senderBy(way)]),
)

/** Where a channel would reach a person, masked; '' where it would not. */
export function addressBy(ctx: Context, channel: string, settings: ChannelSettings, account: Account): string {
  const way = ways[channel]
  const address = way?.addressOf(account, settings, ctx)
  return address ? way!.masked(address) : ''
}
