import { randomBytes } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import {
  bindingPages,
  callbackPath,
  signInPages,
  type identityApi,
  type SignInPage,
} from '../../../contract/school/identity/identity.calls.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { networkOf } from '../../core/base/address.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { accountOf } from '../people/accounts.service.ts'
import { assertSchoolActive } from '../school/school.service.ts'
import { consumeAttempt, type Allowance } from '../session/lockout.ts'
import { enterByProvider } from '../session/session.service.ts'
import { endProvidedSessions } from '../session/tokens.ts'
import type { Provider, SignedOut, AuthRequest } from './protocol.ts'
import { accountOfIdentity, admitted, recordIdentityUse } from './person-identities.ts'
import { protocolOf } from './protocols.ts'
import { providerOf } from './providers.service.ts'

/** Seconds that somebody has at the provider's page, and that the console has to exchange what they bring back. */
const stateSeconds = 600
const codeSeconds = 120
/** Seconds that the person has to confirm a binding by their password. */
const bindingSeconds = 300
/** Anybody may begin, and each beginning is a row; a campus may share one address. */
const beginnings: Allowance = { tries: 2000, minutes: 10 }

/** Notices of sign-outs of one provider from one network: a campus may send home thousands at once. */
const notices: Allowance = { tries: 6000, minutes: 10 }

const secret = (): string => randomBytes(32).toString('base64url')
/** What states that bind, and those of the students' page, begin with: even one that is unknown leads back there. */
const bindingMark = 'x'
const studentMark = 'm'
const madeHere = new RegExp(`^(${bindingMark}?)(${studentMark}?)[0-9a-f]{64}$`)
/** A state: letters and digits alone, for 企业微信 brings nothing else back. */
const newState = (mark: string): string => mark + randomBytes(32).toString('hex')

/**
 * Begins a sign-in: notes it for this browser.
 * @param challenge SHA-256 of what the browser keeps to itself, as hex
 * @param origin scheme and host by which the browser knows this program
 * @returns the provider's page
 */
export async function beginSignIn(
  ctx: PublicContext,
  providerId: string,
  { challenge, page, isBinding, origin }: { challenge: string; page: SignInPage; isBinding: boolean; origin: string },
): Promise<string> {
  const provider = await openProvider(ctx, providerId)
  if (!/^[0-9a-f]{64}$/.test(challenge)) throw new Failure('identity-expired')
  if (!(await consumeAttempt(ctx, `identity:${networkOf(ctx.origin.ip)}`, beginnings)))
    throw new Failure('too-often', {}, { retryAfter: 600 })
  const state = newState((isBinding ? bindingMark : '') + (page === 'student' ? studentMark : ''))
  const authRequest = authRequestOf(origin, providerId, state)
  const loginPage = await (await protocolOf(provider)).loginPage(ctx, provider, authRequest)
  await ctx.db
    .insertInto('identityTry')
    .values({
      schoolId: provider.schoolId,
      tryId: newId(),
      providerId,
      stateHash: sha256(state),
      challenge: Buffer.from(challenge, 'hex'),
      isBinding,
      origin,
      expireTime: addSeconds(ctx.clock.now(), stateSeconds),
    })
    .execute()
  return loginPage
}

/** The page to which whoever comes back with a state is led, and whether they are to bind what they bring. */
export function returnPageOf(state: string): { page: string; isBinding: boolean } {
  const [, binds = '', isStudent = ''] = madeHere.exec(state) ?? []
  return { page: (binds ? bindingPages : signInPages)[isStudent ? 'student' : 'console'], isBinding: binds !== '' }
}

/**
 * Takes what a browser brings back from the provider. The state is good once and for this provider alone.
 * @returns a code that the browser in which it began exchanges for a session, or binds by
 */
export async function finishSignIn(
  ctx: PublicContext,
  providerId: string,
  query: Record<string, string>,
): Promise<string> {
  const provider = await openProvider(ctx, providerId)
  const now = ctx.clock.now()
  const { state = '' } = query
  const begun = await ctx.db
    .updateTable('identityTry')
    .set({ stateHash: null })
    .where('schoolId', '=', provider.schoolId)
    .where('providerId', '=', providerId)
    .where('stateHash', '=', sha256(state))
    .where('expireTime', '>', now)
    .returning(['tryId', 'origin', 'isBinding'])
    .executeTakeFirst()
  if (!begun) throw new Failure('identity-expired')
  const authRequest = authRequestOf(begun.origin, providerId, state)
  const identity = await (await protocolOf(provider)).resolveCallback(ctx, provider, authRequest, query)
  const { ticket, subject, once } = identity
  if (once && !(await countsFirst(ctx, provider, once))) throw new Failure('identity-refused')
  if (begun.isBinding && subject === null) throw new Failure('identity-no-subject')
  const account = begun.isBinding ? undefined : await accountOfIdentity(ctx, provider, identity)
  const code = secret()
  await ctx.db
    .updateTable('identityTry')
    .set({
      codeHash: sha256(code),
      suId: account?.suId ?? null,
      subject,
      ticketHash: ticket === null ? null : sha256(ticket),
      subjectHash: subject === null ? null : sha256(subject),
      expireTime: addSeconds(ctx.clock.now(), begun.isBinding ? bindingSeconds : codeSeconds),
    })
    .where('schoolId', '=', provider.schoolId)
    .where('tryId', '=', begun.tryId)
    .execute()
  return code
}

/**
 * Makes the code of a browser a session, once; where a second factor is asked for it stays good until that is given.
 */
export async function exchange(ctx: PublicContext, input: Checked<typeof identityApi.exchange>) {
  const { code, verifier, ...proof } = input
  const held = await ctx.db
    .selectFrom('identityTry')
    .select(['schoolId', 'tryId', 'providerId', 'suId', 'subject', 'ticketHash', 'subjectHash'])
    .where('codeHash', '=', sha256(code))
    .where('isBinding', '=', false)
    .where('challenge', '=', sha256(verifier))
    .where('expireTime', '>', ctx.clock.now())
    .executeTakeFirst()
  if (!held?.suId) throw new Failure('identity-expired')
  const { schoolId, tryId, providerId, suId, subject, ticketHash, subjectHash } = held
  const provider = await openProvider(ctx, providerId)
  const account = await admitted(ctx, provider, await accountOf(ctx.db, schoolId, suId))
  const cameBy = { providerId, ticketHash, subjectHash, name: provider.name }
  return enterByProvider(ctx, account, proof, cameBy, async () => {
    const used = await ctx.db
      .deleteFrom('identityTry')
      .where('schoolId', '=', schoolId)
      .where('tryId', '=', tryId)
      .returning('tryId')
      .executeTakeFirst()
    if (!used) throw new Failure('identity-expired')
    await recordIdentityUse(ctx, provider, subject)
  })
}

/**
 * Ends what a provider says has ended.
 * @param origin scheme and host at which the notice came
 * @returns undefined where its notice does not prove that it may, or has come before; otherwise where a browser that
 *   brought it is sent on
 */
export async function signOutByProvider(
  ctx: PublicContext,
  providerId: string,
  { form, origin }: { form: Record<string, string>; origin: string },
): Promise<Pick<SignedOut, 'answer'> | undefined> {
  const provider = await providerOf(ctx, providerId)
  if (!provider || provider.kind === 'ldap') return undefined
  if (!(await consumeAttempt(ctx, `identity-out:${providerId}:${networkOf(ctx.origin.ip)}`, notices))) return undefined
  const protocol = await protocolOf(provider)
  const told = await protocol.signedOut(ctx, provider, form, `${origin}${callbackPath}${providerId}`)
  if (!told) return undefined
  const { schoolId } = provider
  if (told.notice && !(await countsFirst(ctx, provider, told.notice))) return undefined
  const which = told.ticket ? { ticketHash: sha256(told.ticket) } : { subjectHash: sha256(told.subject!) }
  const [[column, hash]] = Object.entries(which) as [['ticketHash' | 'subjectHash', Buffer]]
  await ctx.db
    .deleteFrom('identityTry')
    .where('schoolId', '=', schoolId)
    .where('providerId', '=', providerId)
    .where(column, '=', hash)
    .execute()
  const ended = await endProvidedSessions(ctx, schoolId, providerId, { [column]: hash })
  if (ended > 0)
    await writeAudit(ctx, { schoolId, actorId: null, actorName: provider.name }, [
      { action: '统一身份认证退出登录', bizType: 'session', reason: `由${provider.name}通知` },
    ])
  return { ...(told.answer && { answer: told.answer }) }
}

/** Notes what names itself and counts once. @returns whether it had not come before */
async function countsFirst(
  ctx: PublicContext,
  { schoolId, providerId }: Provider,
  { id, seconds }: { id: string; seconds: number },
): Promise<boolean> {
  const noted = await ctx.db
    .insertInto('identityLogout')
    .values({ schoolId, providerId, noticeHash: sha256(id), expireTime: addSeconds(ctx.clock.now(), seconds) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('noticeHash')
    .executeTakeFirst()
  return noted !== undefined
}

/** The provider's page of signing out, for those who have just left the console; undefined where it has none. */
export async function logoutPageOf(ctx: PublicContext, providerId: string, back: string): Promise<string | undefined> {
  const provider = await openProvider(ctx, providerId)
  return provider.settings.signsOutThere ? (await protocolOf(provider)).logoutPage(ctx, provider, back) : undefined
}

/** The provider that is to be left together with the console; undefined where there is none. */
export async function providerToLeave(
  ctx: Pick<PublicContext, 'db'>,
  schoolId: string,
  providerId: string,
): Promise<string | undefined> {
  const provider = await providerOf(ctx, providerId)
  return provider?.schoolId === schoolId &&
    provider.enabled &&
    provider.kind !== 'ldap' &&
    provider.settings.signsOutThere
    ? providerId
    : undefined
}

const authRequestOf = (origin: string, providerId: string, state: string): AuthRequest => ({
  callback: `${origin}${callbackPath}${providerId}`,
  state,
})

/** A provider by its id; throws where it is switched off. */
export async function openProvider(ctx: PublicContext, providerId: string): Promise<Provider> {
  const provider = await providerOf(ctx, providerId)
  if (!provider?.enabled) throw new Failure('identity-off')
  await assertSchoolActive(ctx, provider.schoolId)
  return provider
}
