import { createHash, randomBytes } from 'node:crypto'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Audience, IdentityProvider, identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { networkOf } from '../../core/base/address.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { accountOf, accountOfNumber, type AccountRow } from '../people/accounts.service.ts'
import { grantsOf } from '../roles/grants.service.ts'
import { isSuspended } from '../school/school.service.ts'
import { takeTry, type Allowance } from '../session/lockout.ts'
import { enterByProvider } from '../session/session.service.ts'
import { endProvidedSessions } from '../session/tokens.ts'
import { casLogin, casValidate, readCasAnswer, readLogoutRequest } from './cas.ts'
import { askProvider } from './provider-request.ts'
import { providerOf } from './providers.service.ts'

/** Seconds that somebody has at the provider's page, and that the console has to exchange what they bring back. */
const stateSeconds = 600
const codeSeconds = 120
/** Anybody may begin, and each beginning is a row; a campus may share one address. */
const beginnings: Allowance = { tries: 2000, minutes: 10 }
const administrator = 'SCHOOL_ADMIN'

type Provider = IdentityProvider & { schoolId: string }
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const secret = (): string => randomBytes(32).toString('base64url')

/**
 * Begins a sign-in: notes it for this browser.
 * @param challenge SHA-256 of what the browser keeps to itself, as hex
 * @returns the provider's page
 */
export async function beginSignIn(
  ctx: PublicContext,
  providerId: string,
  challenge: string,
  origin: string,
): Promise<string> {
  const provider = await openProvider(ctx, providerId)
  if (!/^[0-9a-f]{64}$/.test(challenge)) throw new Failure('identity-expired')
  if (!(await takeTry(ctx, `identity:${networkOf(ctx.origin.ip)}`, beginnings)))
    throw new Failure('too-often', {}, { retryAfter: 600 })
  const state = secret()
  await ctx.db
    .insertInto('identityTry')
    .values({
      schoolId: provider.schoolId,
      tryId: newId(),
      providerId,
      stateHash: digest(state),
      challenge: Buffer.from(challenge, 'hex'),
      origin,
      expireTime: addSeconds(ctx.clock.now(), stateSeconds),
    })
    .execute()
  return casLogin(provider.settings.address, serviceOf(origin, providerId, state))
}

/**
 * Takes what a browser brings back from the provider. The state is good once and for this provider alone.
 * @returns a code that the browser in which it began exchanges for a session
 */
export async function finishSignIn(
  ctx: PublicContext,
  providerId: string,
  { state, ticket }: { state: string; ticket: string },
): Promise<string> {
  const provider = await openProvider(ctx, providerId)
  const now = ctx.clock.now()
  const begun = await ctx.db
    .updateTable('identityTry')
    .set({ stateHash: null })
    .where('schoolId', '=', provider.schoolId)
    .where('providerId', '=', providerId)
    .where('stateHash', '=', digest(state))
    .where('expireTime', '>', now)
    .returning(['tryId', 'origin'])
    .executeTakeFirst()
  if (!begun) throw new Failure('identity-expired')
  const number = await numberBehind(ctx, provider, serviceOf(begun.origin, providerId, state), ticket)
  const account = await admitted(ctx, provider, await accountOfNumber(ctx.db, provider.schoolId, number))
  const code = secret()
  await ctx.db
    .updateTable('identityTry')
    .set({
      codeHash: digest(code),
      suId: account.suId,
      ticketHash: digest(ticket),
      expireTime: addSeconds(ctx.clock.now(), codeSeconds),
    })
    .where('schoolId', '=', provider.schoolId)
    .where('tryId', '=', begun.tryId)
    .execute()
  return code
}

/** Makes the code of a browser a session, once; where a second factor is asked for it stays good until that is given. */
export async function exchange(ctx: PublicContext, input: Checked<typeof identityApi.exchange>) {
  const { code, verifier, ...proof } = input
  const held = await ctx.db
    .selectFrom('identityTry')
    .select(['schoolId', 'tryId', 'providerId', 'suId', 'ticketHash'])
    .where('codeHash', '=', digest(code))
    .where('challenge', '=', digest(verifier))
    .where('expireTime', '>', ctx.clock.now())
    .executeTakeFirst()
  if (!held?.suId) throw new Failure('identity-expired')
  const { schoolId, tryId, providerId, suId, ticketHash } = held
  const provider = await openProvider(ctx, providerId)
  const account = await admitted(ctx, provider, await accountOf(ctx.db, schoolId, suId))
  return enterByProvider(ctx, account, proof, { providerId, ticketHash, name: provider.name }, async () => {
    const used = await ctx.db
      .deleteFrom('identityTry')
      .where('schoolId', '=', schoolId)
      .where('tryId', '=', tryId)
      .returning('tryId')
      .executeTakeFirst()
    if (!used) throw new Failure('identity-expired')
  })
}

/** Ends what a provider says has ended. The ticket is known to the provider and to us alone: it is the proof. */
export async function signOutByProvider(ctx: PublicContext, providerId: string, xml: string): Promise<void> {
  const provider = await providerOf(ctx, providerId)
  const ticket = readLogoutRequest(xml)
  if (!provider || !ticket) return
  const ticketHash = digest(ticket)
  await ctx.db
    .deleteFrom('identityTry')
    .where('schoolId', '=', provider.schoolId)
    .where('providerId', '=', providerId)
    .where('ticketHash', '=', ticketHash)
    .execute()
  const ended = await endProvidedSessions(ctx, provider.schoolId, { providerId, ticketHash })
  if (ended > 0)
    await writeAudit(ctx, { schoolId: provider.schoolId, actorId: null, actorName: provider.name }, [
      { action: '统一身份认证退出登录', bizType: 'session', reason: `由${provider.name}通知` },
    ])
}

const serviceOf = (origin: string, providerId: string, state: string) =>
  `${origin}/api/schoolbase/identity/callback/${providerId}?state=${state}`

async function openProvider(ctx: PublicContext, providerId: string): Promise<Provider> {
  const provider = await providerOf(ctx, providerId)
  if (!provider?.enabled) throw new Failure('identity-off')
  if (await isSuspended(ctx, provider.schoolId)) throw new Failure('school-suspended')
  return provider
}

/** 学号 or 工号 of whoever the ticket was given to, asked of the provider itself. */
async function numberBehind(
  ctx: PublicContext,
  { settings: { address, attribute }, providerId }: Provider,
  service: string,
  ticket: string,
): Promise<string> {
  const ask = (version: 2 | 3) =>
    askProvider(casValidate(address, service, ticket, version), { allowsLocal: ctx.config.allowLocalProviders })
  let answer
  try {
    // version 2 knows no attributes: where one is needed, nothing else will do
    answer = readCasAnswer(await ask(attribute ? 3 : 2))
  } catch (error) {
    ctx.log.warn({ err: error, providerId }, 'a provider of sign-in could not be asked')
    throw new Failure('identity-unavailable')
  }
  if ('code' in answer) {
    ctx.log.warn({ providerId, code: answer.code }, 'a provider refused a ticket')
    throw new Failure('identity-refused')
  }
  const values = attribute ? (answer.attributes.get(attribute) ?? []) : [answer.user]
  if (values.length !== 1 || !values[0]) throw new Failure('identity-no-number')
  return values[0]
}

/** Whoever has an account in use, and is among those whom the provider is for; others are refused. */
async function admitted(
  ctx: PublicContext,
  { audience, schoolId }: Provider,
  account: AccountRow | undefined,
): Promise<AccountRow> {
  if (account?.suStatus !== accountStatus.active || account.delFlag !== yesNo.no) throw new Failure('identity-unknown')
  const grants = await grantsOf(ctx, schoolId, account.suId)
  const kind: Audience = grants.some(({ srCode }) => srCode === administrator)
    ? 'administrator'
    : account.suType === personType.student
      ? 'student'
      : 'teacher'
  if (!audience.includes(kind)) throw new Failure('identity-not-for-you')
  return account
}
