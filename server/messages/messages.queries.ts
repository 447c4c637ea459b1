import { sql } from 'kysely'
import type { Checked } from '../../contract/core/call.ts'
import type { messageApi } from '../../contract/messages/messages.calls.ts'
import { among } from '../core/among.ts'
import type { Context } from '../core/context.ts'
import { asPage, contains, countOf, likeText, offsetOf } from '../core/pages.ts'
import { inScope } from '../core/scope-sql.ts'
import { studentPlace } from '../people/students.service.ts'

type Asked<K extends keyof typeof messageApi> = Checked<(typeof messageApi)[K]>

/** The copies in the inbox of whoever asks. */
const inboxOf = ({ db, actor }: Context) =>
  db
    .selectFrom('informationReceiver as r')
    .innerJoin('information as i', (join) => join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'))
    .where('r.schoolId', '=', actor.schoolId).where('r.suId', '=', actor.suId).where('r.inboxDeleted', '=', '0')

/** The inbox, newest first. */
export async function listInbox(ctx: Context, input: Asked<'inbox'>) {
  let query = inboxOf(ctx)
  if (input.createName) query = query.where('i.createName', 'like', likeText(input.createName))
  if (input.iiTitle) query = query.where('i.iiTitle', 'like', likeText(input.iiTitle))
  if (input.iiType) query = query.where('i.iiType', '=', input.iiType)
  if (input.isRead) query = query.where('r.isRead', '=', input.isRead)
  const [rows, total] = await Promise.all([
    query
      .select(['r.iurId', 'r.iiId', 'r.isRead', 'r.readTime', 'i.iiTitle', 'i.iiContent', 'i.iiType', 'i.link', 'i.createName', 'i.sendTime'])
      .orderBy('i.sendTime', 'desc').orderBy('r.iurId', 'desc').limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  return asPage(rows.map((row) => ({ ...row, can: row.isRead === '0' ? (['read', 'delete'] as const).slice() : (['delete'] as const).slice() })), total, input)
}

/** How many messages the inbox holds and how many of each type are unread: counted from the rows, so that they cannot disagree. */
export async function countInbox(ctx: Context) {
  const { db, actor } = ctx
  const [{ total }, byType] = await Promise.all([
    db.selectFrom('informationReceiver').select(sql<number>`count(*)::int`.as('total')).where('schoolId', '=', actor.schoolId).where('suId', '=', actor.suId).where('inboxDeleted', '=', '0').executeTakeFirstOrThrow(),
    inboxOf(ctx).where('r.isRead', '=', '0').select(['i.iiType', sql<number>`count(*)::int`.as('unread')]).groupBy('i.iiType').orderBy('i.iiType').execute(),
  ])
  return { unread: byType.reduce((sum, { unread }) => sum + unread, 0), total, byType }
}

const shownNames = 3

/** What the person himself sent, newest first, with how many of the receivers have read it. */
export async function listOutbox({ db, actor }: Context, input: Asked<'outbox'>) {
  let query = db.selectFrom('information as i').where('i.schoolId', '=', actor.schoolId).where('i.createBy', '=', actor.suId).where('i.outboxDeleted', '=', '0')
  if (input.iiTitle) query = query.where('i.iiTitle', 'like', likeText(input.iiTitle))
  if (input.suName) {
    const pattern = likeText(input.suName)
    query = query.where(sql<boolean>`exists (select 1 from "informationReceiver" r join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId" where r."schoolId" = i."schoolId" and r."iiId" = i."iiId" and p."suiName" like ${pattern})`)
  }
  const [rows, total] = await Promise.all([
    query.select(['i.iiId', 'i.iiTitle', 'i.iiContent', 'i.iiType', 'i.sendTime']).orderBy('i.sendTime', 'desc').orderBy('i.iiId', 'desc').limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  const receivers = await db
    .selectFrom('informationReceiver as r')
    .innerJoin('person as p', (join) => join.onRef('p.schoolId', '=', 'r.schoolId').onRef('p.suId', '=', 'r.suId'))
    .select(['r.iiId', sql<number>`count(*)::int`.as('receiverCount'), sql<number>`(count(*) filter (where r."isRead" = '1'))::int`.as('readCount')])
    .select(sql<string[]>`(array_agg(p."suiName" order by r."iurId"))[1:${sql.lit(shownNames)}]`.as('names'))
    .where('r.schoolId', '=', actor.schoolId)
    .where(among('r.iiId', rows.map(({ iiId }) => iiId)))
    .groupBy('r.iiId')
    .execute()
  const of = new Map(receivers.map((row) => [row.iiId, row]))
  const records = rows.map((row) => {
    const { receiverCount = 0, readCount = 0, names = [] } = of.get(row.iiId) ?? {}
    return { ...row, receiverCount, readCount, suName: names.join('、') + (receiverCount > shownNames ? ` 等 ${receiverCount} 人` : ''), can: ['delete' as const] }
  })
  return asPage(records, total, input)
}

/** The people the person may write to: all staff, and the students of his area. */
export const visibleReceivers = ({ db, actor, scope }: Context) =>
  db
    .selectFrom('person')
    .where('person.schoolId', '=', actor.schoolId)
    .where('person.delFlag', '=', '0')
    .where('person.suId', '<>', actor.suId)
    .where((or) => or.or([or('person.suiType', '<>', '1'), inScope(scope, studentPlace)]))

/** The first twenty of them that fit by name or number, exact numbers first. */
export const findReceivers = (ctx: Context, { suName }: Asked<'receivers'>) => {
  let query = visibleReceivers(ctx)
  if (suName) query = query.where((or) => or.or([contains('person.suiName', suName), contains('person.suiNumber', suName)]))
  return query
    .leftJoin('college', (join) => join.onRef('college.schoolId', '=', 'person.schoolId').onRef('college.scId', '=', 'person.suiCollegeId'))
    .leftJoin('schoolClass', (join) => join.onRef('schoolClass.schoolId', '=', 'person.schoolId').onRef('schoolClass.scClassId', '=', 'person.scClassId'))
    .select(['person.suId', 'person.suiName as suName', 'person.suiNumber', 'college.scName as collegeName', 'schoolClass.scClassName as className'])
    .orderBy(sql`"person"."suiNumber" = ${suName ?? ''}`, 'desc')
    .orderBy('person.suiNumber')
    .limit(20)
    .execute()
}
