import { z } from 'zod'
import { call } from '../core/call.ts'
import { valuesOf } from '../core/dictionary.ts'
import { done, flag, id, ids, nothing, pick, search, text } from '../core/fields.ts'
import { paged, paging } from '../core/paging.ts'

/** Most people one message goes to at once. */
export const mostReceivers = 999

const receivers = z
  .union([z.array(id('收件人')), z.string().transform((list) => list.split(','))], '请选择收件人')
  .pipe(z.array(id('收件人')).min(1, '请选择收件人').max(mostReceivers, `一次最多发给 ${mostReceivers} 人`))
  .transform((list) => [...new Set(list)])
  .meta({ label: '收件人' })

/** What a person writes; title and content are plain text and never read as markup. */
export const messageForm = z.strictObject({ suIds: receivers, iiTitle: text('标题', 100), iiContent: text('内容', 2000) })

const message = z.object({
  iiId: z.string(),
  iiTitle: z.string(),
  iiContent: z.string(),
  iiType: z.string(),
  sendTime: z.string(),
})
/** A message as its receiver has it: `iurId` names his copy, `link` the screen it is about (a path of the console, or empty). */
const received = message.extend({ iurId: z.string(), link: z.string(), createName: z.string(), isRead: z.string(), readTime: z.string().nullable(), can: z.array(z.enum(['read', 'delete'])) })
/** A message as its sender has it; `suName` holds the first receivers' names. */
const sent = message.extend({ suName: z.string(), receiverCount: z.number(), readCount: z.number(), can: z.array(z.enum(['delete'])) })
export type ReceivedMessage = z.output<typeof received>

/** Messages within the console. Everybody reads his own; sending needs a right and reaches staff and the students of one's area. */
export const messageApi = {
  inbox: call('GET', '/informationInfo/selectAll', {
    summary: '我的消息',
    permit: 'signed-in',
    input: paging.extend({ createName: search('发送人').optional(), iiTitle: search('标题').optional(), iiType: pick('类型', valuesOf('msg_type')).optional(), isRead: pick('是否已读', ['0', '1']).optional() }),
    output: paged(received),
  }),
  count: call('GET', '/informationInfo/getInformationInfoCount', {
    summary: '未读消息数',
    permit: 'signed-in',
    input: nothing,
    output: z.object({ unread: z.number(), total: z.number(), byType: z.array(z.object({ iiType: z.string(), unread: z.number() })) }),
  }),
  read: call('POST', '/informationInfo/isRead', { summary: '标为已读', permit: 'signed-in', input: z.strictObject({ iiIds: ids }), output: done }),
  /** Deletes the caller's own copies: by `iurId` from the inbox, with `outbox` by `iiId` from what he sent. Nobody else's copy goes. */
  remove: call('POST', '/informationInfo/delete', { summary: '删除消息', permit: 'signed-in', input: z.strictObject({ iurIds: ids, outbox: flag('发件箱').default(false) }), output: done }),
  outbox: call('GET', '/informationInfo/queryInformationInfoList', {
    summary: '我发送的消息',
    permit: 'signed-in',
    input: paging.extend({ iiTitle: search('标题').optional(), suName: search('收件人').optional() }),
    output: paged(sent),
  }),
  /** The first 20 people that may be written to and fit by name or number. */
  receivers: call('GET', '/informationInfo/selectAllGet', {
    summary: '查找收件人',
    permit: 'message:send',
    input: z.object({ suName: search('姓名或学工号').optional() }),
    output: z.array(z.object({ suId: z.string(), suName: z.string(), suiNumber: z.string(), collegeName: z.string().nullable(), className: z.string().nullable() })),
  }),
  send: call('POST', '/informationInfo/sendMessage', { summary: '发送消息', permit: 'message:send', input: messageForm, output: z.object({ iiId: z.string(), affected: z.number() }) }),
}
