import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { firstNoticeVersion } from '../../../contract/school/session/notice-text.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { actorOf, forgetActors, wasGood } from '../../core/request/actor-cache.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import { addSeconds, secondsBetween } from '../../core/base/clock.ts'
import type { Actor, PublicContext } from '../../core/request/context.ts'
import { from, ofWorkingSchool, withinSchool } from '../../core/database/tenant.ts'
import { newId, noId } from '../../core/base/ids.ts'
import { together } from '../../core/base/together.ts'
import { quotaColumns, quotaOf } from '../../core/request/quotas.ts'
import { grantsOf, scopesUnder } from '../roles/grants.service.ts'
import { mayRead, unavailableReason } from '../school/school-status.ts'
import { operatorPermits } from './operators.ts'
import { hasGraduated } from '../people/may-act.ts'

/** Seconds a session lives without use, and altogether; and how many a person may have (docs/security.md S1). */
export const idleSeconds = 30 * 60
const absoluteSeconds = 12 * 3600
const sessionsPerPerson = 5
/** A refresh token used twice within these seconds is a lost answer, later it is a theft. */
const refreshGrace = 10

export interface Tokens {
  access: string
  refresh: string
}

/** The provider that vouched for somebody, and hashes of what it calls session and person when it signs them out. */
export interface CameBy {
  providerId: string
  ticketHash: Buffer | null
  subjectHash: Buffer | null
}

const newToken = (): string => randomBytes(32).toString('base64url')
/**
 * Opens a session; the oldest ones beyond the allowed number end.
 * @param isProven whether a code of the second factor has been given for it
 * @param cameBy by which provider; by password unless given
 */
export async function openSession(
  ctx: PublicContext,
  schoolId: string,
  suId: string,
  isProven: boolean,
  cameBy?: CameBy,
): Promise<Tokens> {
  const tokens = { access: newToken(), refresh: newToken() }
  const now = ctx.clock.now()
  await ctx.db
    .insertInto('session')
    .values({
      sessionId: newId(),
      schoolId,
      suId,
      accessHash: sha256(tokens.access),
      refreshHash: sha256(tokens.refresh),
      createTime: now,
      lastSeen: now,
      absoluteExpiry: addSeconds(now, absoluteSeconds),
      provenTime: isProven ? now : null,
      providerId: cameBy?.providerId ?? null,
      ticketHash: cameBy?.ticketHash ?? null,
      subjectHash: cameBy?.subjectHash ?? null,
      ip: ctx.origin.ip,
      agent: ctx.origin.agent.slice(0, 300),
    })
    .execute()
  const kept = from({ db: ctx.db, schoolId }, 'session')
    .select('sessionId')
    .where('suId', '=', suId)
    .orderBy('lastSeen', 'desc')
    .orderBy('sessionId', 'desc')
    .limit(sessionsPerPerson)
  await ctx.db
    .deleteFrom('session')
    .where('schoolId', '=', schoolId)
    .where('suId', '=', suId)
    .where('sessionId', 'not in', kept)
    .execute()
  return tokens
}

/** Exchanges a refresh token for new tokens of the same session. A second use ends the session for whoever holds it. */
export async function refreshSession(
  ctx: PublicContext,
  refresh: string,
): Promise<Tokens & { schoolId: string; suId: string }> {
  const now = ctx.clock.now()
  const hash = sha256(refresh)
  const tokens = { access: newToken(), refresh: newToken() }
  await assertNotSuspended(ctx, hash)
  const row = await ctx.db
    .updateTable('session')
    .set({
      accessHash: sha256(tokens.access),
      refreshHash: sha256(tokens.refresh),
      usedRefreshHash: hash,
      refreshedTime: now,
      lastSeen: now,
    })
    .where('refreshHash', '=', hash)
    .where('absoluteExpiry', '>', now)
    .returning(['schoolId', 'suId'])
    .executeTakeFirst()
  if (row) {
    forgetActors(row.schoolId, [row.suId])
    return { ...tokens, ...row }
  }
  const reused = await ctx.db
    .selectFrom('session')
    .select(['sessionId', 'schoolId', 'suId', 'refreshedTime'])
    .where('usedRefreshHash', '=', hash)
    .executeTakeFirst()
  if (reused && secondsBetween(reused.refreshedTime ?? now, now) > refreshGrace)
    await endSessions(ctx, reused.schoolId, reused.suId, { only: reused.sessionId })
  throw new Failure('token-invalid')
}

/** Before a refresh token is used up: it serves again once the school works again. */
async function assertNotSuspended({ db }: PublicContext, refreshHash: Buffer): Promise<void> {
  const suspended = await db
    .selectFrom('session')
    .innerJoin('school', 'school.schoolId', 'session.schoolId')
    .select(['suspendedTime', 'moveState', 'movedTo'])
    .where('refreshHash', '=', refreshHash)
    .where('suspendedTime', 'is not', null)
    .executeTakeFirst()
  const why = suspended && !mayRead(suspended) ? unavailableReason(suspended) : undefined
  if (why) throw why
}

/** Ends sessions of a person: one, all, or all but one. */
export async function endSessions(
  ctx: PublicContext,
  schoolId: string,
  suId: string,
  which: { only?: string; except?: string } = {},
): Promise<void> {
  let query = ctx.db.deleteFrom('session').where('schoolId', '=', schoolId).where('suId', '=', suId)
  if (which.only) query = query.where('sessionId', '=', which.only)
  if (which.except) query = query.where('sessionId', '!=', which.except)
  await query.execute()
  forgetActors(schoolId, [suId])
}

/**
 * Who a bearer token speaks for. Unknown, ended, idle or expired tokens and disabled accounts are refused alike; people
 * of a suspended school are told so.
 * @param onUnknownToken called before a token is looked up that was not good lately; what it throws refuses the token
 *   unseen
 */
export async function authenticate(
  ctx: PublicContext,
  token: string,
  onUnknownToken: () => void = () => {},
): Promise<Actor> {
  const hash = sha256(token)
  const key = hash.toString('base64')
  const now = ctx.clock.now()
  if (!wasGood(key)) onUnknownToken()
  return actorOf(key, now, () => lookUp(ctx, hash, now))
}

/**
 * Ends sessions that came by a provider: of one ticket, or of one person but for one session. @returns how many these
 * were
 */
export async function endProvidedSessions(
  ctx: PublicContext,
  schoolId: string,
  providerId: string,
  { ticketHash, subjectHash, except }: { ticketHash?: Buffer; subjectHash?: Buffer; except?: string },
): Promise<number> {
  let query = ctx.db
    .deleteFrom('session')
    .where('schoolId', '=', schoolId)
    .where('providerId', '=', providerId)
    .where((eb) => (ticketHash ? eb('ticketHash', '=', ticketHash) : eb('subjectHash', '=', subjectHash!)))
  if (except) query = query.where('sessionId', '<>', except)
  const ended = await query.returning('suId').execute()
  forgetActors(
    schoolId,
    ended.map(({ suId }) => suId),
  )
  return ended.length
}

async function lookUp(ctx: PublicContext, hash: Buffer, now: string): Promise<Actor> {
  const [session] = await sessionOf(ctx.db, { hash })
  if (!session || session.absoluteExpiry <= now || secondsBetween(session.lastSeen, now) > idleSeconds)
    throw new Failure('token-invalid')
  const { sessionId, schoolId, suId, providerId } = session
  const [[row], grants] = await together(
    accountOf(ctx.db, { schoolId, suId, providerId: providerId ?? noId }),
    grantsOf(ctx, schoolId, suId),
  )
  if (row?.suStatus !== accountStatus.active || (providerId !== null && !row.isProviderThere))
    throw new Failure('token-invalid')
  const reason = mayRead(row) ? undefined : unavailableReason(row)
  if (reason) throw reason
  if (secondsBetween(session.lastSeen, now) >= 60)
    await ctx.db.updateTable('session').set({ lastSeen: now }).where('sessionId', '=', sessionId).execute()
  // whoever came by a provider did not use the password that was given to them, and may have none
  const mustChangePwd = row.mustChangePwd && providerId === null
  const { mustAcceptNotice } = row
  const person = asActor({ ...row, schoolId, suId, sessionId, mustChangePwd }, grants)
  const permits = new Set([...person.permits, ...operatorPermits(ctx.config, row, person.permits)])
  const isGraduate = hasGraduated(row)
  const isReadOnly = row.suspendedTime !== null
  const actor = { ...person, permits, ...quotaOf(row), mustAcceptNotice, isReadOnly, isGraduate }
  return row.totpTime === null
    ? { ...actor, mustEnrol: demandsFactor(row.totpRoles, actor.roleIds) }
    : { ...actor, factor: { provenTime: session.provenTime } }
}

const sessionOf = compiledOnce((db, { hash }: { hash: Buffer }) =>
  db
    .selectFrom('session')
    .select(['sessionId', 'schoolId', 'suId', 'lastSeen', 'absoluteExpiry', 'provenTime', 'providerId'])
    .where('accessHash', '=', hash),
)

/**
 * The account of a session with what its school says of everybody, asked by the school that the session told.
 * `providerId` is {@link noId} of whoever came by password.
 */
const accountOf = compiledOnce((db, session: { schoolId: string; suId: string; providerId: string }) =>
  from({ db, schoolId: session.schoolId }, 'account')
    .innerJoin('school', 'school.schoolId', 'account.schoolId')
    .innerJoin('person', withinSchool('person.suId', 'account.suId'))
    .leftJoin('schoolQuota', 'schoolQuota.schoolId', 'account.schoolId')
    .leftJoin('identityProvider', (join) =>
      join
        .onRef('identityProvider.schoolId', '=', 'account.schoolId')
        .on(sql<boolean>`"identityProvider"."providerId" = ${session.providerId}::uuid`),
    )
    .select(quotaColumns)
    .select([
      'account.schoolId',
      'suNickname',
      'suLoginName',
      'suStatus',
      'suType',
      'suiType',
      'suiStatus',
      'mustChangePwd',
      'totpTime',
      'suspendedTime',
      'moveState',
      'movedTo',
    ])
    .select(isNoticeOpen(session.schoolId).as('mustAcceptNotice'))
    .select(sql<boolean>`"identityProvider"."providerId" is not null`.as('isProviderThere'))
    .select(sql<unknown>`"school"."settings" -> 'totpRoles'`.as('totpRoles'))
    .where('account.suId', '=', session.suId),
)

/**
 * Whether the school asks people to agree to its privacy notice, and the account has not agreed to the one in force.
 */
const isNoticeOpen = (schoolId: string) => sql<boolean>`(
  "school"."settings" ->> 'noticeAccept' = ${sql.lit(yesNo.yes)}
  and coalesce("account"."noticeVersion", 0) < coalesce(
    (select max(n."version") from "privacyNotice" n where n."schoolId" = ${schoolId}),
    ${sql.lit(firstNoticeVersion)}
  )
) is true`

/**
 * Whether one of these roles demands a second factor.
 * @param kept the setting as the school keeps it; it is asked with every session, so that it holds from the next second
 *   on
 */
export const demandsFactor = (kept: unknown, roleIds: readonly string[]): boolean =>
  Array.isArray(kept) && roleIds.some((role) => kept.includes(role))

/** Which of these sessions may still ask. Unlike a request, it keeps none of them alive. */
export async function aliveSessions(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  sessionIds: string[],
): Promise<ReadonlySet<string>> {
  const now = clock.now()
  const rows = await db
    .selectFrom('session')
    .innerJoin('account', withinSchool('account.suId', 'session.suId'))
    .select('session.sessionId')
    .where(ofWorkingSchool('session'))
    .where(anyOf('session.sessionId', sessionIds))
    .where('account.suStatus', '=', accountStatus.active)
    .where('session.absoluteExpiry', '>', now)
    .where('session.lastSeen', '>=', addSeconds(now, -idleSeconds))
    .execute()
  return new Set(rows.map(({ sessionId }) => sessionId))
}

/**
 * Who a person is now, for work that is done in their name after their request has been answered; undefined when their
 * account is switched off.
 */
export async function actorFor(
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  suId: string,
): Promise<Actor | undefined> {
  const row = await from({ db: ctx.db, schoolId }, 'account')
    .innerJoin('person', withinSchool('person.suId', 'account.suId'))
    .select(['account.schoolId', 'account.suId', 'suNickname', 'suLoginName', 'suStatus', 'suType', 'mustChangePwd'])
    .select(['suiType', 'suiStatus'])
    .where('account.suId', '=', suId)
    .executeTakeFirst()
  if (row?.suStatus !== accountStatus.active) return undefined
  return asActor({ ...row, sessionId: '' }, await grantsOf(ctx, schoolId, suId))
}

function asActor(
  person: Pick<Actor, 'schoolId' | 'suId' | 'suNickname' | 'suLoginName' | 'sessionId' | 'mustChangePwd'> & {
    suType: string
    suiType: string
    suiStatus: string
  },
  given: Awaited<ReturnType<typeof grantsOf>>,
): Actor {
  // what a graduate's roles gave has ended, also where somebody forgot to end them
  const grants = hasGraduated(person) ? [] : given
  const { schoolId, suId, suNickname, suLoginName, sessionId, mustChangePwd, suType } = person
  const scopeFor = scopesUnder(grants)
  return {
    schoolId,
    suId,
    suNickname,
    suLoginName,
    sessionId,
    mustChangePwd,
    permits: new Set([
      ...grants.flatMap(({ permits }) => permits),
      ...(suType === personType.student ? ['student:self'] : []),
    ]),
    roleIds: grants.map(({ srId }) => srId),
    scopeFor: (permit) => (permit === 'student:self' ? { whole: false, areas: [], suId } : scopeFor(permit)),
  }
}
