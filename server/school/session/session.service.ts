import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Checked } from '../../../contract/core/call.ts'
import type { sessionApi, Profile } from '../../../contract/school/session/session.calls.ts'
import { networkOf } from '../../core/base/address.ts'
import { audit, writeAudit } from '../../core/audit/audit.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Actor, Context, PublicContext } from '../../core/request/context.ts'
import { matchesHash, passwordFault } from '../../core/secrets/passwords.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import {
  accountOf,
  findAccount,
  foldLoginName,
  lastPasswords,
  setPassword,
  type AccountRow,
} from '../people/accounts.service.ts'
import { hasGraduated } from '../people/may-act.ts'
import { grantsOf } from '../roles/grants.service.ts'
import { termOf } from '../school/calendar.service.ts'
import {
  allDictionaries,
  assertSchoolActive,
  onlySchool,
  schoolAppearanceOf,
  schoolLogo,
} from '../school/school.service.ts'
import { recordLogin } from './login-days.service.ts'
import { afterwards } from './afterwards.ts'
import { useCode } from './factor-codes.service.ts'
import {
  clearAttempts,
  refundAttempt,
  perAddress,
  perName,
  perNameAndPlace,
  placeOf,
  signInKey,
  consumeAttempt,
} from './lockout.ts'
import { operatorPermits } from './operators.ts'
import { isTrusted, rememberDevice } from './trusted-devices.service.ts'
import {
  authenticate,
  endSessions,
  idleSeconds,
  openSession,
  refreshSession,
  type CameBy,
  type Tokens,
} from './tokens.ts'

type Credentials = Pick<
  Checked<typeof sessionApi.token>,
  'schoolId' | 'username' | 'password' | 'totp' | 'device_token' | 'remember_device'
>

/** What sessions have to know of the ways to sign in that lie above them; handed in by `server/app.ts`. */
export interface SignInWays {
  /** Throws where somebody, whose password is right, has to use a provider. */
  assertMayUsePassword: (ctx: PublicContext, account: AccountRow) => Promise<void>
  /** The provider that is to be left together with the console; undefined where there is none. */
  providerToLeave: (ctx: Context, schoolId: string, providerId: string) => Promise<string | undefined>
}

/** The token call: password or refresh grant. All refusals of a password look and last alike (docs/security.md S3). */
export async function grantTokens(ctx: PublicContext, ways: SignInWays, input: Checked<typeof sessionApi.token>) {
  const tokens = input.grant_type === 'refresh_token' ? await refresh(ctx, input) : await enter(ctx, ways, input)
  return answerOf(tokens)
}

/** Tokens as the token call gives them. */
function answerOf(tokens: Tokens & { device?: string | undefined }) {
  return {
    access_token: tokens.access,
    token_type: 'bearer' as const,
    expires_in: idleSeconds,
    refresh_token: tokens.refresh,
    scope: 'console',
    ...(tokens.device && { device_token: tokens.device }),
  }
}

/** A code is checked or refused, never passed over, and this grant checks none. */
function refresh(ctx: PublicContext, { totp, refresh_token: token = '' }: Checked<typeof sessionApi.token>) {
  if (totp) throw invalidInput([{ field: 'totp', msg: '动态口令只用于密码登录，请不要填写' }])
  return refreshSession(ctx, token)
}

/** `/user/login`: with a token it tells who holds it; with name and password it signs in as the token call does. */
export async function login(
  ctx: PublicContext,
  ways: SignInWays,
  input: Credentials,
): Promise<Profile & { accessToken: string }> {
  if (!input.password) {
    const token = ctx.origin.bearer
    if (!token) throw new Failure('token-invalid')
    const actor = await authenticate(ctx, token)
    return { ...(await profileOf(ctx, actor)), accessToken: token }
  }
  const { access } = await enter(ctx, ways, input)
  return { ...(await profileOf(ctx, await authenticate(ctx, access))), accessToken: access }
}

/** Signs in, opens a session, and remembers the device where that was asked for with a code. */
async function enter(ctx: PublicContext, ways: SignInWays, credentials: Credentials) {
  // whoever names no school means the one that there is
  const schoolId = credentials.schoolId ?? (await onlySchool(ctx))
  const { account, isProven } = await signIn(ctx, ways, { ...credentials, schoolId })
  const tokens = await openSession(ctx, account.schoolId, account.suId, isProven)
  const device = isProven && credentials.remember_device ? await rememberDevice(ctx, account) : undefined
  return { ...tokens, device }
}

/**
 * Checks name and password, and the second factor of those who have one. Tries are counted before the hash is computed,
 * and unknown names cost the same time as known ones.
 */
async function signIn(
  ctx: PublicContext,
  ways: SignInWays,
  credentials: Credentials,
): Promise<{ account: AccountRow; isProven: boolean }> {
  const { schoolId = '', username = '' } = credentials
  const name = signInKey(schoolId, foldLoginName(username))
  const keys = [`${name}@${placeOf(ctx.origin.ip)}`, name]
  const allowed = (await consumeAttempt(ctx, keys[0]!, perNameAndPlace)) && (await consumeAttempt(ctx, name, perName))
  try {
    return await checkSignIn(ctx, ways, credentials, keys, allowed)
  } catch (error) {
    // what the service could not do is no wrong try: five of these would lock whoever knows the password
    if (allowed && !(error instanceof Failure && error.reason !== 'unavailable'))
      afterwards(ctx, 'a try could not be given back', () => refundAttempt(ctx, keys))
    throw error
  }
}

async function checkSignIn(
  ctx: PublicContext,
  ways: SignInWays,
  credentials: Credentials,
  keys: string[],
  allowed: boolean,
): Promise<{ account: AccountRow; isProven: boolean }> {
  const { schoolId = '', username = '', password = '' } = credentials
  const account = allowed ? await findAccount(ctx.db, schoolId, username) : undefined
  const right = allowed && (await matchesHash(password, account?.passwordHash, ctx.secrets))
  const now = ctx.clock.now()
  if (
    !right ||
    !account ||
    account.suStatus !== accountStatus.active ||
    account.delFlag !== yesNo.no ||
    (account.initialUntil && account.initialUntil < now)
  )
    throw await refusedSignIn(ctx, 'login-refused', account)
  try {
    await ways.assertMayUsePassword(ctx, account)
  } catch (error) {
    // the password was right: nobody guesses
    await refundAttempt(ctx, keys)
    noteRefused(ctx, account, '须由统一身份认证登录')
    throw error
  }
  return { account, isProven: await complete(ctx, account, credentials, keys) }
}

/**
 * Signs somebody in for whom a provider of the school has vouched: as by a password otherwise, with second factor,
 * limits and trail.
 * @param consume uses up what the provider's answer was exchanged for, once everything else is right; it throws where
 *   somebody else was faster
 */
export async function enterByProvider(
  ctx: PublicContext,
  account: AccountRow,
  credentials: Pick<Credentials, 'totp' | 'device_token' | 'remember_device'>,
  provider: CameBy & { name: string },
  consume: () => Promise<void>,
) {
  const name = signInKey(account.schoolId, account.suLoginName)
  const keys = [`${name}@${placeOf(ctx.origin.ip)}`, name]
  const allowed = (await consumeAttempt(ctx, keys[0]!, perNameAndPlace)) && (await consumeAttempt(ctx, name, perName))
  if (!allowed) throw await refusedSignIn(ctx, 'login-refused', account)
  const isProven = await complete(ctx, account, credentials, keys, { reason: `通过${provider.name}`, consume })
  const tokens = await openSession(ctx, account.schoolId, account.suId, isProven, provider)
  const device = isProven && credentials.remember_device ? await rememberDevice(ctx, account) : undefined
  return answerOf({ ...tokens, device })
}

/**
 * Signs a student in who has just chosen their first password: how often others have tried their name does not matter.
 * @param keys counters of wrong tries that are forgotten now
 */
export async function enterByActivation(ctx: PublicContext, account: AccountRow, keys: string[]) {
  await complete(ctx, account, {}, keys, { reason: '激活账号', consume: () => Promise.resolve() })
  return answerOf(await openSession(ctx, account.schoolId, account.suId, false))
}

/**
 * The end of a sign-in by somebody whose identity is known: second factor, counters, trail. @returns whether a code was
 * given
 */
async function complete(
  ctx: PublicContext,
  account: AccountRow,
  credentials: Pick<Credentials, 'totp' | 'device_token'>,
  keys: string[],
  provided?: { reason: string; consume: () => Promise<void> },
): Promise<boolean> {
  const now = ctx.clock.now()
  await assertSchoolActive(ctx, account.schoolId).catch(async (why: unknown) => {
    await refundAttempt(ctx, keys)
    throw why
  })
  const proof = await proveFactor(ctx, account, credentials)
  if (proof === 'totp-wrong') throw await refusedSignIn(ctx, proof, account)
  if (proof !== 'given' && proof !== 'spared') {
    // the password was right, but only a whole sign-in makes wrong tries forgotten
    await refundAttempt(ctx, keys)
    throw new Failure(proof)
  }
  await provided?.consume()
  await clearAttempts(ctx, keys)
  // what was erased of a graduate does not begin anew: nobody would erase it again (decision 042)
  const isForgotten = account.contactsErased !== null && hasGraduated(account)
  const origin = isForgotten ? { ...ctx.origin, ip: '', agent: '' } : ctx.origin
  await ctx.db
    .updateTable('account')
    .set((eb) => ({ previousLoginTime: eb.ref('lastLoginTime'), lastLoginTime: now, lastLoginIp: origin.ip || null }))
    .where('schoolId', '=', account.schoolId)
    .where('suId', '=', account.suId)
    .execute()
  await writeAudit(ctx, { schoolId: account.schoolId, actorId: account.suId, actorName: account.suNickname }, [
    { action: '登录', bizType: 'session', ...(provided && { reason: provided.reason }) },
  ])
  await recordLogin({ ...ctx, origin }, account.schoolId, account.suId)
  return proof === 'given'
}

/**
 * Counts a refused sign-in for its address, and notes it for its person once the answer has gone.
 * @returns what is to be told
 */
async function refusedSignIn(
  ctx: PublicContext,
  reason: 'login-refused' | 'totp-wrong',
  account: AccountRow | undefined,
): Promise<Failure> {
  if (account) noteRefused(ctx, account, reason === 'totp-wrong' ? '动态口令不正确' : '')
  if (!(await consumeAttempt(ctx, `address:${networkOf(ctx.origin.ip)}`, perAddress)))
    return new Failure('too-often', {}, { retryAfter: 600 })
  return new Failure(reason)
}

/** Notes a refused sign-in for its person once the answer has gone. */
function noteRefused(ctx: PublicContext, { schoolId, suId, suNickname }: AccountRow, reason: string): void {
  afterwards(ctx, 'a refused sign-in could not be noted', () =>
    writeAudit(ctx, { schoolId, actorId: suId, actorName: suNickname }, [
      { action: '登录', result: 'refused', bizType: 'session', reason },
    ]),
  )
}

/**
 * The second factor of somebody whose password was right: `given` with a code, `spared` where there is none or the
 * device is remembered, else why not. A code is honoured or refused in any case.
 */
async function proveFactor(
  ctx: PublicContext,
  account: AccountRow,
  { totp, device_token: device }: Pick<Credentials, 'totp' | 'device_token'>,
): Promise<'given' | 'spared' | 'totp-wrong' | 'totp-needed' | 'totp-without-factor'> {
  if (account.totpTime === null) return totp ? 'totp-without-factor' : 'spared'
  if (totp) return (await useCode(ctx, account, totp)) ? 'given' : 'totp-wrong'
  return device && (await isTrusted(ctx, account, device)) ? 'spared' : 'totp-needed'
}

/** The profile the console keeps of the signed-in person. */
export async function profileOf(
  ctx: PublicContext,
  {
    schoolId,
    suId,
    mustChangePwd,
    mustAcceptNotice = false,
    mustEnrol = false,
    isGraduate = false,
  }: Pick<Actor, 'schoolId' | 'suId' | 'mustChangePwd' | 'mustAcceptNotice' | 'mustEnrol' | 'isGraduate'>,
): Promise<Profile> {
  const [account, held, school, term] = await Promise.all([
    accountOf(ctx.db, schoolId, suId),
    grantsOf(ctx, schoolId, suId),
    schoolAppearanceOf(ctx, schoolId),
    termOf(ctx, schoolId, ctx.clock.now()),
  ])
  if (!account) throw new Failure('token-invalid')
  const grants = isGraduate ? [] : held
  const permits = new Set(grants.flatMap((grant) => grant.permits))
  return {
    id: suId,
    username: account.suLoginName,
    suNickname: account.suNickname,
    suType: account.suType,
    schoolId,
    schName: school.schName,
    roles: grants.map(({ srId, srName, srCode }) => ({ srId, srName, srCode })),
    permissions: [...permits, ...operatorPermits(ctx.config, account, permits)],
    mustChangePwd,
    mustAcceptNotice,
    mustEnrol,
    isGraduate,
    lastLoginTime: account.lastLoginTime,
    previousLoginTime: account.previousLoginTime,
    passwordProfile: ctx.config.passwordProfile,
    dictVersion: school.dictVersion,
    logo: await schoolLogo(ctx, schoolId, school.logoFileId),
    term,
  }
}

/** The profile, and the dictionaries with it unless the caller's are of the same school and version. */
export async function openedSession(ctx: Context, { dictOf }: Checked<typeof sessionApi.landLoad>) {
  const profile = await profileOf(ctx, ctx.actor)
  if (dictOf === undefined || dictOf === `${profile.schoolId}:${profile.dictVersion}`) return profile
  return { ...profile, dictionaries: (await allDictionaries(ctx, profile.schoolId)).types }
}

/** Ends the session the request came with, and tells where it came by a provider that is to be left as well. */
export async function logout(ctx: Context, { providerToLeave }: SignInWays) {
  const { schoolId, sessionId } = ctx.actor
  const session = await from(ctx, 'session').select('providerId').where('sessionId', '=', sessionId).executeTakeFirst()
  const leave = session?.providerId ? await providerToLeave(ctx, schoolId, session.providerId) : undefined
  await endSessions(ctx, schoolId, ctx.actor.suId, { only: sessionId })
  await audit(ctx, { action: '退出登录', bizType: 'session' })
  return { affected: 1, ...(leave && { leave }) }
}

/** Changes the own password: the old one is asked for and counted like a sign-in, and all other sessions end. */
export async function editPassword(
  ctx: Context,
  { oldPassword, newPassword }: Checked<typeof sessionApi.editPassword>,
) {
  const { schoolId, suId } = ctx.actor
  const key = `password:${schoolId}:${suId}`
  if (!(await consumeAttempt(ctx, key, perNameAndPlace))) throw new Failure('too-often', {}, { retryAfter: 900 })
  const account = await accountOf(ctx.db, schoolId, suId)
  if (!account || !(await matchesHash(oldPassword, account.passwordHash, ctx.secrets)))
    throw new Failure('old-password-wrong')
  await clearAttempts(ctx, [key])
  await assertNewPassword(ctx, account, newPassword)
  await inTransaction(ctx, async (tx) => {
    await setPassword(tx, schoolId, suId, newPassword)
    await endSessions(tx, schoolId, suId, { except: tx.actor.sessionId })
    await audit(tx, { action: '修改密码', bizType: 'person', bizId: suId })
  })
  forgetActors(schoolId, [suId])
  return { affected: 1 }
}

/** Refuses a new password that the policy forbids or that was one of the last five. */
export async function assertNewPassword(ctx: PublicContext, account: AccountRow, newPassword: string): Promise<void> {
  const words = [
    account.suLoginName,
    account.suiNumber,
    account.suiName,
    ...(account.birth ? [account.birth.replaceAll('-', ''), account.birth.slice(2).replaceAll('-', '')] : []),
  ]
  const fault = passwordFault(newPassword, ctx.config.passwordProfile, words)
  if (fault) throw fault
  for (const old of await lastPasswords(ctx.db, account.schoolId, account.suId))
    if (await matchesHash(newPassword, old, ctx.secrets)) throw new Failure('password-used-before')
}
