import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { call, type ForAll } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { done, flag, id, ids, nothing, pick, search, text, textOfList } from '../../core/fields.ts'
import { eventsOutput } from '../../core/events.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy, wholeList } from '../../core/paging.ts'

/** Most people one message goes to at once. */
export const maxReceivers = 999
/** Most classes, and most roles, that a search for receivers gives. */
export const maxReceiverChoices = 50
/** Minutes after sending within which a message may be taken back. */
export const recallMinutes = 10
/** Most people one message reaches when it goes to classes and roles. */
export const maxReached = 5000

const list = (label: string, max: number, limit: string) =>
  z
    .union([z.array(id(label)), textOfList], `请选择${label}`)
    .pipe(z.array(id(label)).max(max, `一次最多${limit}`))
    .transform((all) => [...new Set(all)])
    .default([])
    .meta({ label })

/**
 * To whom: people, everybody of classes, everybody with roles, together; the service knows who that is and whom of them
 * the sender may reach.
 */
const targets = {
  suIds: list('收件人', maxReceivers, `发给 ${maxReceivers} 人`),
  classIds: list('班级', 100, '选择 100 个班级'),
  srIds: list('角色', 50, '选择 50 个角色'),
}
type Targets = { suIds: string[]; classIds: string[]; srIds: string[] }
const named = ({ value: { suIds, classIds, srIds }, issues }: { value: Targets; issues: unknown[] }) => {
  if (suIds.length + classIds.length + srIds.length === 0)
    issues.push({ code: 'custom', message: '请选择收件人、班级或角色', path: ['suIds'], input: suIds })
}

/** What a person writes; title and content are plain text and never read as markup. */
const messageForm = z
  .strictObject({ ...targets, iiTitle: text('标题', 100), iiContent: text('内容', 2000) })
  .check(named)

const message = z.object({
  iiId: z.string(),
  iiTitle: z.string(),
  iiContent: z.string(),
  iiType: z.string(),
  sendTime: z.string(),
  /** `'1'`: its sender took it back; receivers who had read it see that it was, and no longer what it said. */
  recalled: z.string(),
})
/**
 * A message as its receiver has it: `iurId` names their copy, `link` the screen it is about (a path of the console, or
 * empty).
 */
const received = message.extend({
  iurId: z.string(),
  link: z.string(),
  createName: z.string(),
  isRead: z.string(),
  readTime: z.string().nullable(),
  can: z.array(z.enum(['read', 'delete'])),
})
/**
 * A message as its sender has it; `suName` holds the first receivers' names. The sender's copy is the message itself:
 * its `iurId` is the `iiId`, and either names it where sent messages are deleted.
 */
const sent = message.extend({
  iurId: z.string(),
  suName: z.string(),
  receiverCount: z.number(),
  readCount: z.number(),
  can: z.array(z.enum(['recall', 'delete'])),
})
/** A receiver of a sent message, and whether they have read it. */
const receiver = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string().nullable(),
  className: z.string().nullable(),
  isRead: z.string(),
  readTime: z.string().nullable(),
})
export type ReceivedMessage = z.output<typeof received>
export type SentMessage = z.output<typeof sent>

const inboxFilters = {
  createName: search('发送人').optional(),
  iiTitle: search('标题').optional(),
  iiType: pick('类型', valuesOf('msg_type')).optional(),
  isRead: pick('是否已读', [yesNo.no, yesNo.yes]).optional(),
  ...sortedBy('sendTime', 'iiTitle', 'createName', 'iiType', 'isRead'),
}
const outboxFilters = {
  iiTitle: search('标题').optional(),
  suName: search('收件人').optional(),
  ...sortedBy('sendTime', 'iiTitle', 'recalled'),
}
const readerFilters = {
  iiId: id('消息'),
  isRead: pick('是否已读', [yesNo.no, yesNo.yes]).optional(),
  suName: search('姓名或学工号').optional(),
}

/** All messages that the inbox, or the outbox, finds. */
const ofBox = (box: 'selectAll' | 'queryInformationInfoList', row: string, ids: string): ForAll => ({
  list: `/api/schoolbase/informationInfo/${box}`,
  row,
  name: ['iiTitle'],
  ids,
  atOnce: 200,
})

/**
 * Messages within the console. Everybody reads their own; sending needs a right and reaches staff and the students of
 * one's area.
 */
export const messageApi = {
  inbox: call('GET', '/informationInfo/selectAll', {
    summary: '我的消息',
    permit: 'signed-in',
    input: paging.extend(inboxFilters),
    output: paged(received),
  }),
  exportInbox: fileCall('POST', '/informationInfo/exportInbox', {
    summary: '导出收件箱',
    permit: 'signed-in',
    input: paging.extend({ ...inboxFilters, reason: exportReason }),
  }),
  count: call('GET', '/informationInfo/getInformationInfoCount', {
    summary: '未读消息数',
    permit: 'signed-in',
    input: nothing,
    output: z.object({
      unread: z.number(),
      total: z.number(),
      byType: z.array(z.object({ iiType: z.string(), unread: z.number() })),
    }),
  }),
  read: call('POST', '/informationInfo/isRead', {
    summary: '标为已读',
    permit: 'signed-in',
    input: z.strictObject({ iiIds: ids }),
    output: done,
    forAll: [ofBox('selectAll', 'iiId', 'iiIds')],
  }),
  /**
   * Deletes the caller's own copies: by `iurId` from the inbox, with `outbox` by `iiId` from what they sent. Nobody
   * else's copy goes.
   */
  remove: call('POST', '/informationInfo/delete', {
    summary: '删除消息',
    permit: 'signed-in',
    input: z.strictObject({ iurIds: ids, outbox: flag('发件箱').default(false) }),
    output: done,
    forAll: [ofBox('selectAll', 'iurId', 'iurIds'), ofBox('queryInformationInfoList', 'iiId', 'iurIds')],
  }),
  outbox: call('GET', '/informationInfo/queryInformationInfoList', {
    summary: '我发送的消息',
    permit: 'signed-in',
    whenLeftOut: wholeList,
    input: paging.extend(outboxFilters),
    output: paged(sent),
  }),
  exportOutbox: fileCall('POST', '/informationInfo/exportOutbox', {
    summary: '导出发件箱',
    permit: 'signed-in',
    input: paging.extend({ ...outboxFilters, reason: exportReason }),
  }),
  /** The first 20 people that may be written to and fit by name or number. */
  receivers: call('GET', '/informationInfo/selectAllGet', {
    summary: '查找收件人',
    permit: 'message:send',
    cost: 'search',
    input: z.object({ suName: search('姓名或学工号').optional() }),
    output: z.array(
      z.object({
        suId: z.string(),
        suName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string().nullable(),
        className: z.string().nullable(),
      }),
    ),
  }),
  /** The first 50 classes and roles with people that may be written to, and how many those are. */
  receiverClasses: call('GET', '/informationInfo/receiverClasses', {
    summary: '查找收件班级',
    permit: 'message:send',
    input: z.object({ scClassName: search('班级名称').optional() }),
    output: z.array(
      z.object({
        scClassId: z.string(),
        scClassName: z.string(),
        collegeName: z.string().nullable(),
        count: z.number(),
      }),
    ),
  }),
  receiverRoles: call('GET', '/informationInfo/receiverRoles', {
    summary: '查找收件角色',
    permit: 'message:send',
    input: z.object({ srName: search('角色名称').optional() }),
    output: z.array(z.object({ srId: z.string(), srName: z.string(), count: z.number() })),
  }),
  /** How many people a message would reach, each counted once; refused as sending it would be. */
  reach: call('POST', '/informationInfo/receiverCount', {
    summary: '统计收件人数',
    permit: 'message:send',
    writes: false,
    input: z.strictObject(targets).check(named),
    output: z.object({ count: z.number() }),
  }),
  send: call('POST', '/informationInfo/sendMessage', {
    summary: '发送消息',
    permit: 'message:send',
    input: messageForm,
    output: z.object({ iiId: z.string(), affected: z.number() }),
  }),
  /** Takes a message back within {@link recallMinutes} minutes: unread copies vanish, read ones say so. */
  recall: call('POST', '/informationInfo/recall', {
    summary: '撤回消息',
    permit: 'signed-in',
    input: z.strictObject({ iiId: id('消息') }),
    output: z.object({ affected: z.number(), unread: z.number() }),
  }),
  /** Who received a message that the caller sent; unread first. */
  readers: call('GET', '/informationInfo/queryReaders', {
    summary: '消息的收件人',
    permit: 'signed-in',
    input: paging.extend(readerFilters),
    output: paged(receiver),
  }),
  exportReaders: fileCall('POST', '/informationInfo/exportReaders', {
    summary: '导出阅读情况',
    permit: 'signed-in',
    needsFreshCode: true,
    input: paging.extend({ ...readerFilters, reason: exportReason }),
  }),
  /**
   * The count of unread messages as it changes: an event `unread` with `{ unread }` at once and one after every change.
   * The stream ends with the session.
   */
  stream: call('GET', '/informationInfo/stream', {
    summary: '未读消息数的变化',
    permit: 'signed-in',
    gives: 'events',
    input: nothing,
    output: eventsOutput,
  }),
}
