import { randomBytes } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { calendarFeedApi } from '../../../contract/programme/personal/calendar-feeds.calls.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { audit } from '../../core/audit/audit.ts'
import { addDays, secondsBetween } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { publicOrigin } from '../../core/base/public-origin.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Actor, Context, PublicContext } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { courseSessions, isGone, ownSessions, stateOfRegistration } from './calendar.queries.ts'
import { calendarFile, type CalendarEntry } from './calendar-file.ts'

/** What a feed is of: a person's own activities, or the courses they may see. */
type FeedKind = 'own' | 'courses'

/** The path of the addresses below the service's root; the token and `.ics` follow. */
export const feedPath = '/api/schoolbase/calendar/'
/** The right without which a feed answers nothing. */
const permitOf = { own: 'student:self', courses: calendarFeedApi.list.permit } as const
/** What the trail calls them. */
const contents: Record<FeedKind, string> = { own: '本人的活动', courses: '可见的课程' }
/** How far back and ahead a feed reaches, in days. */
const daysBack = 180
const daysAhead = 400
/** Sessions of a feed at most, the earliest first. */
const maxSessions = 3000

const feedsOf = (ctx: Context, kind: FeedKind) =>
  from(ctx, 'calendarFeed').where('calendarFeed.suId', '=', ctx.actor.suId).where('feedKind', '=', kind)

/** The person's own feed; null where they have none. */
export const ownFeed = async (ctx: Context) =>
  (await feedsOf(ctx, 'own').select(['createTime', 'lastTime']).executeTakeFirst()) ?? null

/** The person's feeds of courses, and the colleges of which they may have one. */
export async function listFeeds(ctx: Context) {
  const [feeds, colleges] = await Promise.all([
    feedsOf(ctx, 'courses')
      .leftJoin('college', withinSchool('college.scId', 'calendarFeed.scId'))
      .select(['feedId', 'calendarFeed.createTime', 'lastTime', 'calendarFeed.scId', 'scName'])
      .orderBy('calendarFeed.createTime')
      .orderBy('feedId')
      .execute(),
    openColleges(ctx)
      .select(['college.scId as id', 'scName as name'])
      .orderBy('scSort')
      .orderBy('college.scId')
      .execute(),
  ])
  return { feeds: feeds.map((row) => ({ ...row, scName: row.scName ?? '' })), colleges }
}

const openColleges = (ctx: Context) => from(ctx, 'college').where(inScope(ctx.scope, { college: 'college.scId' }))

/** Makes a feed of courses, of one college or of all that the person may see. */
export async function makeFeed(ctx: Context, { scId }: Checked<typeof calendarFeedApi.make>) {
  if (scId && !(await openColleges(ctx).select('college.scId').where('college.scId', '=', scId).executeTakeFirst()))
    throw new Failure('not-found')
  return openFeed(ctx, 'courses', scId ?? null)
}

/**
 * Makes the address of a feed. It is told this once, for only its hash is kept; the one there was before ends.
 * @returns the address, or its path where the service does not know where it is reached
 */
export function openFeed(ctx: Context, kind: FeedKind, scId: string | null): Promise<{ address: string }> {
  // a calendar answers by the rights of a person, whose account it ends with
  if (ctx.actor.program) throw new Failure('not-for-programs')
  const token = randomBytes(32).toString('base64url')
  return inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const fresh = { tokenHash: sha256(token), createTime: tx.clock.now(), lastTime: null }
    await tx.db
      .insertInto('calendarFeed')
      .values({ schoolId, feedId: newId(), suId, feedKind: kind, scId, ...fresh })
      .onConflict((conflict) => conflict.columns(['schoolId', 'suId', 'feedKind', 'scId']).doUpdateSet(fresh))
      .execute()
    await audit(tx, { action: calendarFeedApi.make.summary, bizType: 'session', after: { 内容: contents[kind] } })
    return { address: `${publicOrigin(tx.config) ?? ''}${feedPath}${token}.ics` }
  })
}

/** Ends a feed of the person: one of courses by its id, or their own. */
export function closeFeed(ctx: Context, kind: FeedKind, feedId?: string) {
  return inTransaction(ctx, async (tx) => {
    let query = tx.db
      .deleteFrom('calendarFeed')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('suId', '=', tx.actor.suId)
      .where('feedKind', '=', kind)
    if (feedId) query = query.where('feedId', '=', feedId)
    const affected = Number((await query.executeTakeFirstOrThrow()).numDeletedRows)
    if (affected === 0) throw new Failure('not-found')
    await audit(tx, { action: calendarFeedApi.revoke.summary, bizType: 'session', before: { 内容: contents[kind] } })
    return { affected }
  })
}

/**
 * The calendar at an address, as its maker may see it now: an account that is switched off, a right that was taken away
 * and a suspended school end it like an address that never was.
 * @param actorFor who a person is now
 * @throws Failure `not-found`
 */
export async function readFeed(
  ctx: PublicContext,
  token: string,
  actorFor: (ctx: PublicContext, schoolId: string, suId: string) => Promise<Actor | undefined>,
): Promise<string> {
  const feed = await ctx.db
    .selectFrom('calendarFeed')
    .innerJoin('school', 'school.schoolId', 'calendarFeed.schoolId')
    .select(['calendarFeed.schoolId', 'feedId', 'suId', 'feedKind', 'scId', 'lastTime', 'schName'])
    .where('tokenHash', '=', sha256(token))
    .where('suspendedTime', 'is', null)
    .executeTakeFirst()
  const kind = feed?.feedKind as FeedKind
  const actor = feed && (await actorFor(ctx, feed.schoolId, feed.suId))
  if (!actor?.permits.has(permitOf[kind])) throw new Failure('not-found')
  const { schoolId, feedId, scId, lastTime, schName } = feed!
  const now = ctx.clock.now()
  if (!lastTime || secondsBetween(lastTime, now) >= 3600)
    await ctx.db
      .updateTable('calendarFeed')
      .set({ lastTime: now })
      .where('schoolId', '=', schoolId)
      .where('feedId', '=', feedId)
      .execute()
  const asked: Context = { ...ctx, actor, scope: actor.scopeFor(permitOf[kind]) }
  const entries =
    kind === 'own'
      ? await ownEntries(asked, now)
      : (
          await courseSessions(asked, scId, addDays(now, -daysBack), addDays(now, daysAhead))
            .limit(maxSessions)
            .execute()
        ).map((row) => ({
          ...entryOf(schoolId, row),
          state: isGone(row.liStatus) ? ('cancelled' as const) : ('confirmed' as const),
        }))
  return calendarFile(kind === 'own' ? `${schName}：我的活动` : `${schName}：第二课堂活动`, entries)
}

/** Of what a student has registered for, they read more at its page. */
async function ownEntries(ctx: Context, now: string): Promise<CalendarEntry[]> {
  const origin = publicOrigin(ctx.config)
  const rows = await ownSessions(ctx, addDays(now, -daysBack), addDays(now, daysAhead)).limit(maxSessions).execute()
  return rows.map((row) => ({
    ...entryOf(ctx.actor.schoolId, row),
    state: isGone(row.liStatus) ? 'cancelled' : stateOfRegistration(row.laStatus),
    sequence: row.version + row.registrationVersion,
    updateTime: row.updateTime > row.registrationTime ? row.updateTime : row.registrationTime,
    url: origin && `${origin}/m/activities/${row.liId}`,
  }))
}

type Session = Awaited<ReturnType<ReturnType<typeof courseSessions>['execute']>>[number]

const entryOf = (schoolId: string, row: Session) => ({
  schoolId,
  liId: row.liId,
  lseNo: row.lseNo,
  liName: row.liName,
  startTime: row.startTime,
  endTime: row.endTime,
  placeText: row.placeText,
  sequence: row.version,
  updateTime: row.updateTime,
})
