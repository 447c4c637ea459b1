import { z } from 'zod'
import { call } from '../../core/call.ts'
import { deliveryStatus, enableStatus, messageChannel, messageType } from '../../core/codes/platform.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, optionalText, pick, search } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { channelForm, settingsOf } from './channel-form.ts'

/** The messages of which a school decides whether they go out at all; a recovery code always may. */
export const outgoingKinds = [...codesOf(messageType), 'recovery'] as const

const channel = z.object({
  odId: z.string(),
  odChannel: z.enum(codesOf(messageChannel)),
  odName: z.string(),
  settings: settingsOf,
  hasSecret: z.boolean(),
  messageKinds: z.array(z.enum(outgoingKinds)),
  digestKinds: z.array(z.enum(codesOf(messageType))),
  digestAt: z.string(),
  quietFrom: z.string(),
  quietTo: z.string(),
  enable: z.enum(valuesOf('enable_status')),
  /** How deliveries go: `failing` since then, with the last answer; `idle` where none was made yet. */
  state: z.enum(['idle', 'good', 'failing']),
  stateText: z.string(),
  waiting: z.number(),
  dead: z.number(),
  version: z.number(),
  updateTime: z.string(),
  can: z.array(z.enum(['edit', 'test', 'enable', 'delete'])),
})
export type ChannelRow = z.output<typeof channel>

const delivery = z.object({
  dlId: z.string(),
  odId: z.string(),
  odName: z.string(),
  odChannel: z.enum(codesOf(messageChannel)),
  messageKind: z.enum(valuesOf('message_kind')),
  /** Title of the message inside; '' where there is none. */
  title: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  /** Where it went, masked; '' where it went nowhere. */
  target: z.string(),
  dlStatus: z.enum(valuesOf('delivery_status')),
  attempts: z.number(),
  /** Why it has not arrived, or what the other side said. */
  answerText: z.string(),
  createTime: z.string(),
  lastTime: z.string().nullable(),
  nextTime: z.string().nullable(),
  can: z.array(z.enum(['resend'])),
})
export type MessageDelivery = z.output<typeof delivery>

const deliveryFilters = {
  odId: id('消息通道').optional(),
  suiName: search('姓名').optional(),
  odChannel: pick('通道', codesOf(messageChannel)).optional(),
  messageKind: pick('类型', valuesOf('message_kind')).optional(),
  dlStatus: pick('状态', valuesOf('delivery_status')).optional(),
  ...sortedBy('createTime', 'suiNumber', 'odName', 'dlStatus', 'messageKind'),
}

/** The ways by which messages reach people outside of the product (decisions 092 and 093). */
export const channelApi = {
  list: call('GET', '/integration/channels', {
    summary: '消息通道列表',
    permit: 'integration:manage',
    input: paging,
    output: paged(channel),
  }),
  /** A new channel is off until it is switched on. The secret is written and never read: left out, it stays. */
  save: call('POST', '/integration/channels/save', {
    summary: '保存消息通道',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: channelForm,
    output: z.object({ odId: z.string() }),
  }),
  enable: call('POST', '/integration/channels/enable', {
    summary: '启用或停用消息通道',
    permit: 'integration:manage',
    input: z.strictObject({ odIds: ids, enable: pick('状态', [enableStatus.enabled, enableStatus.disabled]) }),
    output: done,
  }),
  remove: call('POST', '/integration/channels/remove', {
    summary: '删除消息通道',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: z.strictObject({ odIds: ids }),
    output: done,
  }),
  /** Sends one message now, to whoever asks or to an address that they type in, and says how it went. */
  test: call('POST', '/integration/channels/test', {
    summary: '发送测试消息',
    permit: 'integration:manage',
    input: z.strictObject({ odId: id('消息通道'), target: optionalText('接收地址', 100) }),
    output: z.object({ isDelivered: z.boolean(), text: z.string() }),
  }),
  deliveries: call('GET', '/integration/messages', {
    summary: '消息发送记录',
    permit: 'integration:manage',
    input: paging.extend(deliveryFilters),
    output: paged(delivery),
  }),
  /** Leaves with the right that manages channels: nobody holds it who only looks (decision 133). */
  exportDeliveries: fileCall('POST', '/integration/messages/export', {
    summary: '导出消息发送记录',
    permit: 'integration:manage',
    input: paging.extend({ ...deliveryFilters, reason: exportReason }),
  }),
  resend: call('POST', '/integration/messages/resend', {
    summary: '重新发送消息',
    permit: 'integration:manage',
    input: z.strictObject({ dlIds: ids }),
    output: done,
    forAll: [
      {
        list: '/api/schoolbase/integration/messages',
        row: 'dlId',
        name: ['suiName', 'title'],
        ids: 'dlIds',
        atOnce: 200,
      },
    ],
  }),
}

/** What may be sent again: what has ended without arriving. */
export const resendable: readonly string[] = [deliveryStatus.dead, deliveryStatus.unknown, deliveryStatus.dropped]
