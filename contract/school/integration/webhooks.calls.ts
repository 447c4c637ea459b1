import { z } from 'zod'
import { call } from '../../core/call.ts'
import { deliveryStatus, enableStatus } from '../../core/codes/platform.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, id, ids, pick, search, text, version } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { eventKinds, pingKind } from '../../platform/outbox/events.ts'

const fields = {
  odName: text('名称', 50),
  address: z
    .string('请输入接收地址')
    .trim()
    .max(500, '接收地址不能超过 500 个字')
    .refine(isAddress, '接收地址须为 https:// 开头的完整网址，不含账号、口令')
    .meta({ label: '接收地址', max: 500 }),
  eventKinds: z.array(z.enum(eventKinds)).min(1, '请至少选择一种事件').max(100).meta({ label: '事件', pick: true }),
}

function isAddress(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return /^https?:$/.test(protocol) && !username && !password
}

/** One delivery in a list. */
const delivery = z.object({
  dlId: z.string(),
  odId: z.string(),
  odName: z.string(),
  eventId: z.string(),
  eventKind: z.string(),
  kindName: z.string(),
  dlStatus: z.enum(valuesOf('delivery_status')),
  attempts: z.number(),
  nextTime: z.string().nullable(),
  answerCode: z.number().nullable(),
  answerText: z.string(),
  lastTime: z.string().nullable(),
  createTime: z.string(),
  can: z.array(z.enum(['redeliver'])),
})

const one = z.strictObject({ odId: id('事件推送') })
/** The secret is told once. */
const secret = z.object({ odId: z.string(), secret: z.string() })

/** What deliveries are found and ordered by. */
const deliveryFilters = {
  odId: id('事件推送').optional(),
  odName: search('名称').optional(),
  dlStatus: pick('状态', valuesOf('delivery_status')).optional(),
  eventKind: z
    .enum([...eventKinds, pingKind], '请选择事件')
    .optional()
    .meta({ label: '事件', pick: true }),
  ...sortedBy('createTime', 'odName', 'dlStatus', 'attempts'),
}

/** Other systems are told of events (decision 080). */
export const webhookApi = {
  list: call('GET', '/integration/webhooks', {
    summary: '事件推送列表',
    permit: 'integration:manage',
    input: paging.extend({
      odName: search('名称').optional(),
      enable: pick('状态', valuesOf('enable_status')).optional(),
    }),
    output: paged(
      z.object({
        odId: z.string(),
        odName: z.string(),
        address: z.string(),
        eventKinds: z.array(z.string()),
        enable: z.string(),
        /** How deliveries go: `failing` since then, with the last answer; `idle` where none was made yet. */
        state: z.enum(['idle', 'good', 'failing']),
        stateText: z.string(),
        waiting: z.number(),
        dead: z.number(),
        version: z.number(),
        updateTime: z.string(),
      }),
    ),
  }),
  add: call('POST', '/integration/webhooks/add', {
    summary: '新增事件推送',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: z.strictObject(fields),
    output: secret,
  }),
  edit: call('POST', '/integration/webhooks/edit', {
    summary: '编辑事件推送',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: z.strictObject({ odId: id('事件推送'), version, ...fields }),
    output: done,
  }),
  enable: call('POST', '/integration/webhooks/enable', {
    summary: '启用或停用事件推送',
    permit: 'integration:manage',
    input: z.strictObject({ odIds: ids, enable: pick('状态', [enableStatus.enabled, enableStatus.disabled]) }),
    output: done,
  }),
  renew: call('POST', '/integration/webhooks/renew', {
    summary: '更换签名密钥',
    permit: 'integration:manage',
    needsFreshCode: true,
    input: one,
    output: secret,
  }),
  remove: call('POST', '/integration/webhooks/remove', {
    summary: '删除事件推送',
    permit: 'integration:manage',
    input: z.strictObject({ odIds: ids }),
    output: done,
  }),
  test: call('POST', '/integration/webhooks/test', {
    summary: '发送测试事件',
    permit: 'integration:manage',
    input: one,
    output: z.object({ isDelivered: z.boolean(), text: z.string() }),
  }),
  deliveries: call('GET', '/integration/deliveries', {
    summary: '投递记录',
    permit: 'integration:manage',
    input: paging.extend(deliveryFilters),
    output: paged(delivery),
  }),
  /** Leaves with the right that manages subscriptions: nobody holds it who only looks (decision 133). */
  exportDeliveries: fileCall('POST', '/integration/deliveries/export', {
    summary: '导出投递记录',
    permit: 'integration:manage',
    input: paging.extend({ ...deliveryFilters, reason: exportReason }),
  }),
  delivery: call('GET', '/integration/deliveries/detail', {
    summary: '投递详情',
    permit: 'integration:manage',
    input: z.object({ dlId: id('投递') }),
    /** `body`: what was or will be sent, as text. */
    output: delivery.extend({ address: z.string(), body: z.string() }),
  }),
  redeliver: call('POST', '/integration/deliveries/redeliver', {
    summary: '重新投递',
    permit: 'integration:manage',
    input: z.strictObject({ dlIds: ids }),
    output: done,
    forAll: [
      {
        list: '/api/schoolbase/integration/deliveries',
        row: 'dlId',
        name: ['odName', 'kindName'],
        ids: 'dlIds',
        atOnce: 200,
      },
    ],
  }),
}

export const redeliverable: readonly string[] = [deliveryStatus.delivered, deliveryStatus.dead]
