import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { codesOf } from '../../../contract/core/codes/code-list.ts'
import { deliveryStatus, enableStatus, messageChannel, messageKind } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import type { channelApi, ChannelRow } from '../../../contract/school/channels/channels.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import { destinationsOf } from '../../platform/outbox/destinations.service.ts'
import { messageSenders } from './message-senders.ts'

type CallInput<K extends keyof typeof channelApi> = Checked<(typeof channelApi)[K]>

/** Channels a school may have: each message is written once for every one. */
const maxChannels = 10

const channels = destinationsOf({ channels: codesOf(messageChannel), bizType: 'messageChannel', what: '消息通道' })

/** The message channels of a school; switched on and off, and removed with the list of what went out by them. */
export const { visible: visibleChannels, enable: enableChannels, remove: removeChannels } = channels

/** All channels, with how they do. */
export async function listChannels(ctx: Context, input: CallInput<'list'>) {
  const query = visibleChannels(ctx)
  const [rows, total] = await Promise.all([
    query
      .select([
        'odId',
        'odChannel',
        'odName',
        'settings',
        'messageKinds',
        'digestKinds',
        'digestAt',
        'quietFrom',
        'quietTo',
        'enable',
        'failedSince',
        'version',
        'updateTime',
      ])
      .select([
        sql<boolean>`"sealedSecret" is not null`.as('hasSecret'),
        countIn(deliveryStatus.waiting, deliveryStatus.sending, deliveryStatus.gathering).as('waiting'),
        countIn(deliveryStatus.dead, deliveryStatus.unknown).as('dead'),
        sql<Latest | null>`(
          select jsonb_build_object('text', d."answerText", 'dlStatus', d."dlStatus", 'kind', d."eventKind")
          from "outboxDelivery" d
          where d."schoolId" = "outboxDestination"."schoolId" and d."odId" = "outboxDestination"."odId"
            and d."lastTime" is not null and d."dlStatus" <> ${sql.lit(deliveryStatus.dropped)}
          order by d."lastTime" desc
          limit 1
        )`.as('latest'),
      ])
      .orderBy('odName')
      .orderBy('odId')
      .offset(offsetOf(input))
      .limit(input.pageSize)
      .execute(),
    countOf(query),
  ])
  const records = rows.map(({ latest, failedSince, settings, ...row }) => ({
    ...row,
    ...stateOf(latest, failedSince),
    settings: settings as ChannelSettings,
    can: ['edit', 'test', 'enable', 'delete'],
  })) as ChannelRow[]
  return asPage(records, total, input)
}

/** How many deliveries of a channel are in one of these states. */
const countIn = (...states: string[]) => sql<number>`(
  select count(*)::int
  from "outboxDelivery" d
  where d."schoolId" = "outboxDestination"."schoolId" and d."odId" = "outboxDestination"."odId"
    and d."dlStatus" = any(${states}::text[])
)`

interface Latest {
  text: string
  dlStatus: string
  kind: string
}

/** How a channel does; of a message that one person cannot get it says nothing, of a test that failed it does. */
function stateOf(latest: Latest | null, failedSince: string | null) {
  if (failedSince)
    return { state: 'failing' as const, stateText: `自 ${failedSince} 起发不出去：${latest?.text ?? ''}` }
  if (latest?.kind === messageKind.test && latest.dlStatus !== deliveryStatus.delivered)
    return { state: 'failing' as const, stateText: `最近一次测试没有发出：${latest.text}` }
  return { state: latest ? ('good' as const) : ('idle' as const), stateText: '' }
}

/** Where a channel leads, as it is told in the trail and compared to see whether it has moved. */
const addressOf = ({ odChannel, settings: { host = '', port = 0, address = '' } }: CallInput<'save'>): string =>
  odChannel === messageChannel.mail ? `smtp://${host}:${port}` : new URL(address).origin

/** Adds a channel, which is off until it is switched on, or changes one. */
export const saveChannel = (ctx: Context, { odId, version, secret, ...input }: CallInput<'save'>) =>
  channels.inNaming(ctx, async (tx) => {
    const address = addressOf(input)
    const values = { ...input, settings: JSON.stringify(input.settings), address }
    // of a secret the trail tells that it was set, and nothing else
    const { settings, ...told } = { ...input, ...input.settings, ...(secret && { secretSet: true }) }
    const named = { bizType: 'messageChannel', bizName: input.odName } as const
    await channels.checkName(tx, input.odName, odId)
    if (!odId) {
      if ((await countOf(visibleChannels(tx))) >= maxChannels)
        throw new Failure('too-many-channels', { n: maxChannels })
      const id = newId()
      const row = { ...createdColumns(tx), ...values, odId: id, enable: enableStatus.disabled }
      await tx.db
        .insertInto('outboxDestination')
        .values({ ...row, sealedSecret: seal(secret, tx.secrets) })
        .execute()
      await audit(tx, { action: '新增消息通道', ...named, bizId: id, after: told })
      return { odId: id }
    }
    const before = await visibleChannels(tx).selectAll().where('odId', '=', odId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    if (before.odChannel !== input.odChannel) throw new Failure('channel-kind-fixed')
    // another place must not learn what was meant for the former one
    const hasMoved = before.address !== address
    await tx.db
      .updateTable('outboxDestination')
      .set({
        ...values,
        ...(secret ? { sealedSecret: seal(secret, tx.secrets) } : hasMoved && { sealedSecret: null }),
        ...updatedColumns(tx),
        pausedUntil: null,
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('odId', '=', odId)
      .execute()
    const { settings: former, sealedSecret: _secret, ...rest } = before
    const changes = changedFields<object>({ ...rest, ...(former as object) }, told)
    await audit(tx, { action: '编辑消息通道', ...named, bizId: odId, ...changes })
    return { odId }
  })

/**
 * Sends a test now, whatever waits, to whoever asks or to the address they typed in. It is in the list of what went out
 * and is not repeated; how the channel counts does not change by it.
 */
export async function testChannel(ctx: Context, { odId, target }: CallInput<'test'>) {
  const { schoolId, suId } = ctx.actor
  const row = await visibleChannels(ctx)
    .select(['odId', 'odName', 'odChannel', 'address', 'settings', 'sealedSecret', 'version'])
    .where('odId', '=', odId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const now = ctx.clock.now()
  const event = { dlId: newId(), eventId: newId(), eventKind: messageKind.test, isUrgent: true, suId, iurId: null }
  const eventData = target ? { to: target } : {}
  const times = { createTime: now, queueTime: now }
  const send = messageSenders[row.odChannel]!
  const result = await send(ctx, { ...row, ...event, ...times, eventData, sealedContent: null, attempts: 1 })
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insertInto('outboxDelivery')
      .values({
        ...event,
        ...times,
        // the address typed in stays with whoever typed it
        eventData: '{}',
        schoolId,
        odId,
        dlStatus: result.isDelivered ? deliveryStatus.delivered : (result.endsAs ?? deliveryStatus.dead),
        target: result.target ?? '',
        attempts: 1,
        answerCode: result.code,
        answerText: result.text,
        lastTime: now,
        endTime: tx.clock.now(),
      })
      .execute()
    const after = { 接收地址: result.target ?? '', 结果: result.isDelivered ? '已发出' : result.text }
    await audit(tx, { action: '发送测试消息', bizType: 'messageChannel', bizId: odId, bizName: row.odName, after })
  })
  return result.isDelivered
    ? { isDelivered: true, text: `已发往 ${result.target}，请查收` }
    : { isDelivered: false, text: `没有发出：${result.text}` }
}
