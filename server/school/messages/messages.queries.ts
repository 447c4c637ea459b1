import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { recallMinutes, type messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { compiledByShape } from '../../core/database/compiled-once.ts'
import type { Db } from '../../core/database/pool.ts'
import { secondsBetween } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { asPage, counting, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder, sortOf } from '../../core/database/sorting.ts'
import { isNamed } from '../organisation/person-columns.ts'
import { maxNamed, namesOf } from '../../../contract/core/few-names.ts'

type CallInput<K extends keyof typeof messageApi> = Checked<(typeof messageApi)[K]>

/** The copies in the inbox of whoever asks. */
const inboxOf = ({ db, actor }: { db: Db; actor: Pick<Context['actor'], 'schoolId' | 'suId'> }) =>
  from({ db, actor }, 'informationReceiver as r')
    .innerJoin('information as i', withinSchool('i.iiId', 'r.iiId'))
    .where('r.suId', '=', actor.suId)
    .where('r.inboxDeleted', '=', sql.lit(yesNo.no))

/** Whose inbox is read, and what its messages are found by. */
interface InboxFilters {
  schoolId: string
  suId: string
  sender: string | undefined
  title: string | undefined
  iiType: string | undefined
  isRead: string | undefined
}

function fittingInbox(db: Db, { schoolId, suId, sender, title, iiType, isRead }: InboxFilters) {
  let query = inboxOf({ db, actor: { schoolId, suId } })
  if (sender) query = query.where('i.createName', 'like', sender)
  if (title) query = query.where('i.iiTitle', 'like', title)
  if (iiType) query = query.where('i.iiType', '=', iiType)
  if (isRead) query = query.where('r.isRead', '=', isRead)
  return query
}

/** What the inbox may be sorted by. */
const inboxOrders = {
  sendTime: 'i.sendTime',
  iiTitle: 'i.iiTitle',
  createName: 'i.createName',
  iiType: 'i.iiType',
  isRead: 'r.isRead',
}

/** A page with the number of all in each row: those of one person are few, and a second statement costs more. */
const inboxPage = compiledByShape(
  (
    db,
    { limit, offset, ...filters }: InboxFilters & { limit: number; offset: number },
    { column, direction }: { column: string; direction: 'asc' | 'desc' },
  ) =>
    fittingInbox(db, filters)
      .select([
        'r.iurId',
        'r.iiId',
        'r.isRead',
        'r.readTime',
        'i.iiTitle',
        'i.iiContent',
        'i.iiType',
        'i.link',
        'i.createName',
        'i.sendTime',
        'i.recalled',
      ])
      .select(counting(fittingInbox(db, filters)).as('total'))
      .orderBy(sql.ref(column), direction)
      .orderBy('r.iurId', 'desc')
      .limit(limit)
      .offset(offset),
)
const inboxTotal = compiledByShape((db, filters: InboxFilters) => counting(fittingInbox(db, filters)))

/** The inbox, newest first unless another order is asked for. */
export async function listInbox({ db, actor }: Context, input: CallInput<'inbox'>) {
  const { createName, iiTitle, iiType, isRead } = input
  const filters = {
    schoolId: actor.schoolId,
    suId: actor.suId,
    sender: createName ? likeText(createName) : undefined,
    title: iiTitle ? likeText(iiTitle) : undefined,
    iiType,
    isRead,
  }
  const offset = offsetOf(input)
  const order = sortOf(input, inboxOrders, 'desc')
  const rows = await inboxPage(db, { ...filters, limit: input.pageSize, offset }, order)
  // behind the last page no row tells it
  const [counted] = rows.length === 0 && offset > 0 ? await inboxTotal(db, filters) : rows
  return asPage(
    rows.map(({ total: _, ...row }) => asReceived(row)),
    counted?.total ?? 0,
    input,
  )
}

/** What was taken back after it had been read no longer says what it said. */
function asReceived<R extends { isRead: string; recalled: string; iiContent: string; link: string }>(row: R) {
  const can: ('read' | 'delete')[] = row.isRead === yesNo.no ? ['read', 'delete'] : ['delete']
  return row.recalled === yesNo.yes ? { ...row, iiContent: '发送人已撤回此消息。', link: '', can } : { ...row, can }
}

/**
 * How many messages the inbox holds and how many of each type are unread: counted from the rows, so that they cannot
 * disagree.
 */
export async function countInbox(ctx: Context) {
  const { db, actor } = ctx
  const [{ total }, byType] = await Promise.all([
    from({ db, actor }, 'informationReceiver')
      .select(sql<number>`count(*)::int`.as('total'))
      .where('suId', '=', actor.suId)
      .where('inboxDeleted', '=', sql.lit(yesNo.no))
      .executeTakeFirstOrThrow(),
    inboxOf(ctx)
      .where('r.isRead', '=', yesNo.no)
      .select(['i.iiType', sql<number>`count(*)::int`.as('unread')])
      .groupBy('i.iiType')
      .orderBy('i.iiType')
      .execute(),
  ])
  return { unread: byType.reduce((sum, { unread }) => sum + unread, 0), total, byType }
}

/** Whether a sent message may still be taken back. */
export const mayRecall = ({ recalled, sendTime }: { recalled: string; sendTime: string }, now: string): boolean =>
  recalled === yesNo.no && secondsBetween(sendTime, now) <= recallMinutes * 60

/** What the outbox may be sorted by. */
const outboxOrders = { sendTime: 'i.sendTime', iiTitle: 'i.iiTitle', recalled: 'i.recalled' }

/**
 * What the person themselves sent, newest first unless another order is asked for, with how many of the receivers have
 * read it.
 */
export async function listOutbox({ db, actor, clock }: Context, input: CallInput<'outbox'>) {
  let query = from({ db, actor }, 'information as i')
    .where('i.createBy', '=', actor.suId)
    .where('i.outboxDeleted', '=', sql.lit(yesNo.no))
  if (input.iiTitle) query = query.where('i.iiTitle', 'like', likeText(input.iiTitle))
  if (input.suName) {
    const pattern = likeText(input.suName)
    query = query.where(
      sql<boolean>`exists (
          select 1
          from "informationReceiver" r
          join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
          where r."schoolId" = i."schoolId" and r."iiId" = i."iiId" and p."suiName" like ${pattern}
        )`,
    )
  }
  const [rows, total] = await Promise.all([
    query
      .select(['i.iiId', 'i.iiTitle', 'i.iiContent', 'i.iiType', 'i.sendTime', 'i.recalled'])
      .orderBy(listOrder(input, outboxOrders, 'desc'))
      .orderBy('i.iiId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const receivers = await from({ db, actor }, 'informationReceiver as r')
    .innerJoin('person as p', withinSchool('p.suId', 'r.suId'))
    .select([
      'r.iiId',
      sql<number>`count(*)::int`.as('receiverCount'),
      sql<number>`(count(*) filter (where r."isRead" = '1'))::int`.as('readCount'),
    ])
    .select(sql<string[]>`(array_agg(p."suiName" order by r."iurId"))[1:${sql.lit(maxNamed)}]`.as('names'))
    .where(
      anyOf(
        'r.iiId',
        rows.map(({ iiId }) => iiId),
      ),
    )
    .groupBy('r.iiId')
    .execute()
  const of = new Map(receivers.map((row) => [row.iiId, row]))
  const records = rows.map((row) => {
    const { receiverCount = 0, readCount = 0, names = [] } = of.get(row.iiId) ?? {}
    return {
      ...row,
      iurId: row.iiId,
      receiverCount,
      readCount,
      suName: namesOf(names, receiverCount),
      can: mayRecall(row, clock.now()) ? (['recall', 'delete'] as ('recall' | 'delete')[]) : ['delete' as const],
    }
  })
  return asPage(records, total, input)
}

/** Who received a message that the caller sent, unread first. What is not their own is not there. */
export async function listReaders(ctx: Context, input: CallInput<'readers'>) {
  const { db, actor } = ctx
  const own = await from({ db, actor }, 'information')
    .select('iiId')
    .where('iiId', '=', input.iiId)
    .where('createBy', '=', actor.suId)
    .where('outboxDeleted', '=', sql.lit(yesNo.no))
    .executeTakeFirst()
  if (!own) throw new Failure('not-found')
  let query = from({ db, actor }, 'informationReceiver as r')
    .innerJoin('person', withinSchool('person.suId', 'r.suId'))
    .where('r.iiId', '=', input.iiId)
  if (input.isRead) query = query.where('r.isRead', '=', input.isRead)
  if (input.suName) query = query.where(isNamed(input.suName))
  const [rows, total] = await Promise.all([
    query
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select([
        'person.suId',
        'person.suiName',
        'person.suiNumber',
        'college.scName as collegeName',
        'schoolClass.scClassName as className',
        'r.isRead',
        'r.readTime',
      ])
      .orderBy('r.isRead')
      .orderBy('person.suiNumber')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows, total, input)
}
