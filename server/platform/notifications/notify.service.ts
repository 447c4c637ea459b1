import { sql } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { messageChannel } from './signal.ts'

/** What people are told, what it is about and where it leads. Plain text. */
interface Notification {
  suIds: readonly string[]
  title: string
  content: string
  /** A value of the dictionary `msg_type`. */
  type: '1' | '2' | '3' | '4'
  bizType?: string
  bizId?: string
  /** A path of the console, beginning with one slash. */
  link?: string
  /** Whoever did it is told as well, for it is about something that they cannot see from what they did. */
  evenWhoDidIt?: boolean
}

/**
 * Most characters of a title; a longer one is cut, so that a long course name never stops what the message tells of.
 */
const maxTitleLength = 100

/**
 * Tells people of something, in the caller's transaction and in the system's name. Not the person who did it
 * themselves, unless `evenWhoDidIt`.
 */
export async function notify(
  ctx: Context,
  { suIds, title, content, type, bizType = '', bizId = '', link = '', evenWhoDidIt = false }: Notification,
): Promise<void> {
  const told = evenWhoDidIt ? suIds : suIds.filter((suId) => suId !== ctx.actor.suId)
  const iiTitle = title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title
  await deliver(ctx, told, {
    iiTitle,
    iiContent: content,
    iiType: type,
    bizType,
    bizId,
    link,
    createBy: null,
    createName: '系统消息',
  })
}

/** A message of its own for each of many people. */
interface PersonalNotice {
  suId: string
  title: string
  content: string
  link?: string
}

/**
 * Tells each person their own words, in the caller's transaction and in the system's name: one statement for a
 * thousand.
 * @returns the ids of the messages, in their order
 */
export async function notifyEach(
  { db, clock, actor }: Context,
  notices: readonly PersonalNotice[],
  type: Notification['type'] = messageType.warning,
  bizType = '',
): Promise<string[]> {
  const rows = notices.map(({ suId, title, content, link = '' }) => ({
    iiId: newId(),
    iurId: newId(),
    suId,
    title: title.length > maxTitleLength ? `${title.slice(0, maxTitleLength - 1)}…` : title,
    content,
    link,
  }))
  for await (const chunk of chunksOf(rows, 1000)) {
    const columns = { iiId: 'uuid', iurId: 'uuid', suId: 'uuid', title: 'text', content: 'text', link: 'text' }
    await sql`
      with letters as (select * from ${recordset(chunk, columns)}),
        sent as (
          insert into "information" (
            "schoolId", "iiId", "iiTitle", "iiContent", "iiType", "bizType", "bizId", "link", "createBy",
            "createName", "sendTime"
          )
          select ${actor.schoolId}, l."iiId", l."title", l."content", ${type}, ${bizType}, '', l."link", null, '系统消息',
            ${clock.now()}::timestamptz
          from letters l
          returning "iiId"
        )
      insert into "informationReceiver" ("schoolId", "iurId", "iiId", "suId")
      select ${actor.schoolId}, l."iurId", l."iiId", l."suId"
      from letters l
      join sent on sent."iiId" = l."iiId"`.execute(db)
  }
  return rows.map(({ iiId }) => iiId)
}

/** A message to be stored. `createBy` null: nobody's outbox shows it. */
interface Letter {
  iiTitle: string
  iiContent: string
  iiType: string
  bizType: string
  bizId: string
  link: string
  createBy: string | null
  createName: string
}

/**
 * Stores a message and a copy for each receiver with one statement, and says so to those who show unread messages.
 * @returns its id; null where there is nobody to receive it.
 */
export async function deliver(
  { db, actor, clock }: Context,
  suIds: readonly string[],
  letter: Letter,
): Promise<string | null> {
  const receivers = [...new Set(suIds)]
  if (receivers.length === 0) return null
  const iiId = newId()
  const { iiTitle, iiContent, iiType, bizType, bizId, link, createBy, createName } = letter
  await sql`
    with sent as (
      insert into "information" (
        "schoolId", "iiId", "iiTitle", "iiContent", "iiType", "bizType", "bizId", "link", "createBy", "createName",
        "sendTime"
      )
      values (
        ${actor.schoolId}, ${iiId}, ${iiTitle}, ${iiContent}, ${iiType}, ${bizType}, ${bizId}, ${link}, ${createBy},
        ${createName}, ${clock.now()}
      )
      returning "schoolId", "iiId"
    ) ,
      copies as (
        insert into "informationReceiver" ("schoolId", "iurId", "iiId", "suId")
        select sent."schoolId", r."iurId", sent."iiId", r."suId"
        from sent, unnest(${receivers.map(() => newId())}::uuid[], ${receivers}::uuid[]) as r("iurId", "suId")
      )
    select pg_notify(${messageChannel}, ${actor.schoolId})`.execute(db)
  return iiId
}
