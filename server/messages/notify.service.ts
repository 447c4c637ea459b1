import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { Telling } from '../core/tell.ts'
import { messageChannel } from './signal.ts'

/** Most characters of a title; a longer one is cut, so that a long course name never stops what the message tells of. */
const titleMax = 100

/** Tells people of something, in the caller's transaction and in the system's name. Never to the person who did it himself. */
export async function notify(ctx: Context, { suIds, title, content, type, bizType = '', bizId = '', link = '' }: Telling): Promise<void> {
  const others = suIds.filter((suId) => suId !== ctx.actor.suId)
  const iiTitle = title.length > titleMax ? `${title.slice(0, titleMax - 1)}…` : title
  await deliver(ctx, others, { iiTitle, iiContent: content, iiType: type, bizType, bizId, link, createBy: null, createName: '系统消息' })
}

/** A message to be stored. `createBy` null: nobody's outbox shows it. */
export interface Letter {
  iiTitle: string
  iiContent: string
  iiType: string
  bizType: string
  bizId: string
  link: string
  createBy: string | null
  createName: string
}

/** Stores a message and a copy for each receiver with one statement, and says so to those who show unread messages. @returns its id; null where there is nobody to receive it. */
export async function deliver({ db, actor, clock }: Context, suIds: readonly string[], letter: Letter): Promise<string | null> {
  const receivers = [...new Set(suIds)]
  if (receivers.length === 0) return null
  const iiId = newId()
  const { iiTitle, iiContent, iiType, bizType, bizId, link, createBy, createName } = letter
  await sql`with sent as (
      insert into "information" ("schoolId", "iiId", "iiTitle", "iiContent", "iiType", "bizType", "bizId", "link", "createBy", "createName", "sendTime")
      values (${actor.schoolId}, ${iiId}, ${iiTitle}, ${iiContent}, ${iiType}, ${bizType}, ${bizId}, ${link}, ${createBy}, ${createName}, ${clock.now()}) returning "schoolId", "iiId")
    , copies as (insert into "informationReceiver" ("schoolId", "iurId", "iiId", "suId")
      select sent."schoolId", r."iurId", sent."iiId", r."suId" from sent, unnest(${receivers.map(() => newId())}::uuid[], ${receivers}::uuid[]) as r("iurId", "suId"))
    select pg_notify(${messageChannel}, ${actor.schoolId})`.execute(db)
  return iiId
}
