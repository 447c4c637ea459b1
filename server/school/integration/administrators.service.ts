import { messageType, outboxChannel } from '../../../contract/core/codes/platform.ts'
import type { Context } from '../../core/request/context.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import type { DestinationNews } from '../../platform/outbox/deliver.service.ts'
import { holdersOf } from '../roles/holders.service.ts'

/** Tells those who look after other systems that one of them does not answer, or answers again: once each. */
export async function tellDestination(
  ctx: Context,
  { odId, odName, odChannel, kind, reason }: DestinationNews,
): Promise<void> {
  const isWebhook = odChannel === outboxChannel.webhook
  const what = isWebhook ? '事件推送' : '消息通道'
  const [title, content, type] = {
    failing: [
      `${what}未送达：${odName}`,
      `${isWebhook ? '接收方' : '对方'}连续多次没有成功应答（${reason}）。系统会继续重试，恢复后自动补发，其他推送不受影响。${
        isWebhook ? '请联系接收方，或在“事件推送”中核对地址后发送测试。' : '请在“消息通道”中核对设置后点“测试”。'
      }`,
      messageType.warning,
    ] as const,
    gone: [
      `事件推送已停用：${odName}`,
      '接收方答复不再接收（HTTP 410），系统已停用该推送。确认仍需推送时，请核对地址后重新启用。',
      messageType.warning,
    ] as const,
    recovered: [
      `已恢复：${what} ${odName}`,
      isWebhook ? '接收方已正常应答，积压的事件正在补发。' : '对方已正常应答，积压的消息正在补发。',
      messageType.system,
    ] as const,
  }[kind]
  const link = `/integration/${isWebhook ? 'deliveries' : 'messages'}?odId=${odId}`
  await notify(ctx, { suIds: await holdersOf(ctx, 'integration:manage'), title, content, type, link })
}
