import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { addMinutes } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { seal, unseal } from '../../core/secrets/field-crypto.ts'
import { matchesHash } from '../../core/secrets/passwords.ts'
import { accountOf } from '../people/accounts.service.ts'
import { schoolAppearanceOf } from '../school/school.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { askPerson, codesLeft, removeFactor, renewRecoveryCodes, useCode } from './factor-codes.service.ts'
import { demandsFactor, endSessions } from './tokens.ts'
import { foldCode, keyAddress, newSecret, stepOf } from './totp.ts'
import { listDevices } from './trusted-devices.service.ts'

/** Minutes within which a new secret has to be confirmed by a code. */
const enrolmentMinutes = 15

/** The own second factor: since when, whether a role demands it, what is left of its codes, and its devices. */
export async function ownFactor(ctx: Context) {
  const { actor } = ctx
  const [account, isDemanded, left, devices] = await Promise.all([
    ownAccount(ctx),
    isFactorDemanded(ctx),
    codesLeft(ctx, actor),
    listDevices(ctx),
  ])
  return { since: account.totpTime, isDemanded, codesLeft: left, devices }
}

async function isFactorDemanded(ctx: Context): Promise<boolean> {
  const { totpRoles } = await schoolSettings(ctx, ctx.actor.schoolId)
  return demandsFactor(totpRoles, ctx.actor.roleIds)
}

async function ownAccount({ db, actor }: Context) {
  const account = await accountOf(db, actor.schoolId, actor.suId)
  if (!account) throw new Failure('token-invalid')
  return account
}

/** Asks for the own password; tries are counted. @throws Failure `old-password-wrong` */
export async function askPassword(ctx: Context, password: string): Promise<void> {
  const { passwordHash } = await ownAccount(ctx)
  await askPerson(ctx, 'old-password-wrong', () => matchesHash(password, passwordHash, ctx.secrets))
}

/** Asks for a code of the own second factor. @throws Failure `factor-off` where there is none */
async function askCode(ctx: Context, code: string): Promise<void> {
  if ((await ownAccount(ctx)).totpTime === null) throw new Failure('factor-off')
  await askPerson(ctx, 'totp-wrong', () => useCode(ctx, ctx.actor, code))
}

/**
 * Makes a new secret, which counts once a code of it has been given. The password is asked for, and a code where one is
 * on already, so that whoever finds an open screen cannot put their own phone in its place.
 */
export async function beginFactor(ctx: Context, { password, code }: Checked<typeof secondFactorApi.begin>) {
  await askPassword(ctx, password)
  const account = await ownAccount(ctx)
  if (account.totpTime !== null) {
    if (!code) throw new Failure('totp-needed')
    await askCode(ctx, code)
  }
  const secret = newSecret()
  const { schName } = await schoolAppearanceOf(ctx, ctx.actor.schoolId)
  await setAccount(ctx, {
    totpPending: seal(secret, ctx.secrets),
    totpPendingUntil: addMinutes(ctx.clock.now(), enrolmentMinutes),
  })
  const address = keyAddress(secret, account.suLoginName, schName)
  const { toDataURL } = await import('qrcode')
  const picture = await toDataURL(address, { type: 'image/png', errorCorrectionLevel: 'M', margin: 2, width: 440 })
  return { secret, picture }
}

/** Takes the new secret into use, and tells the recovery codes this once. All other sessions of the person end. */
export async function enableFactor(ctx: Context, { code }: Checked<typeof secondFactorApi.enable>) {
  const { schoolId, suId, sessionId } = ctx.actor
  const now = ctx.clock.now()
  const pending = await from(ctx, 'account')
    .select(['totpPending', 'totpPendingUntil'])
    .where('suId', '=', suId)
    .executeTakeFirstOrThrow()
  const secret = unseal(pending.totpPending, ctx.secrets)
  if (secret === null || pending.totpPendingUntil! < now)
    throw new Failure('enrolment-over', { minutes: enrolmentMinutes })
  let step: number | undefined
  await askPerson(ctx, 'totp-wrong', () => Promise.resolve((step = stepOf(secret, foldCode(code), now)) !== undefined))
  const recoveryCodes = await inTransaction(ctx, async (tx) => {
    await removeFactor(tx, tx.actor)
    await setAccount(tx, { totpSecret: seal(secret, tx.secrets), totpTime: now, totpStep: step! })
    await prove(tx)
    await endSessions(tx, schoolId, suId, { except: sessionId })
    await audit(tx, { action: secondFactorApi.enable.summary, bizType: 'person', bizId: suId })
    return renewRecoveryCodes(tx, tx.actor)
  })
  forgetActors(schoolId, [suId])
  return { recoveryCodes }
}

/** Ten new recovery codes for whoever gives a code. */
export async function renewCodes(ctx: Context, { code }: Checked<typeof secondFactorApi.renewCodes>) {
  await askCode(ctx, code)
  const recoveryCodes = await inTransaction(ctx, async (tx) => {
    await audit(tx, { action: secondFactorApi.renewCodes.summary, bizType: 'person', bizId: tx.actor.suId })
    return renewRecoveryCodes(tx, tx.actor)
  })
  return { recoveryCodes }
}

/** Switches the second factor off for whoever gives password and code, where no role of theirs demands it. */
export async function disableFactor(ctx: Context, { password, code }: Checked<typeof secondFactorApi.disable>) {
  if (await isFactorDemanded(ctx)) throw new Failure('factor-demanded')
  await askPassword(ctx, password)
  await askCode(ctx, code)
  await inTransaction(ctx, async (tx) => {
    await removeFactor(tx, tx.actor)
    await audit(tx, { action: secondFactorApi.disable.summary, bizType: 'person', bizId: tx.actor.suId })
  })
  forgetActors(ctx.actor.schoolId, [ctx.actor.suId])
  return { affected: 1 }
}

/** Opens what asks for a fresh code, for this session and some minutes (docs/security.md S22). */
export async function confirmFactor(ctx: Context, { code }: Checked<typeof secondFactorApi.confirm>) {
  await askCode(ctx, code)
  await inTransaction(ctx, async (tx) => {
    await prove(tx)
    await audit(tx, { action: secondFactorApi.confirm.summary, bizType: 'session' })
  })
  forgetActors(ctx.actor.schoolId, [ctx.actor.suId])
  return { affected: 1 }
}

/** Notes that a code was given in this session just now. */
const prove = ({ db, actor, clock }: Context) =>
  db
    .updateTable('session')
    .set({ provenTime: clock.now() })
    .where('schoolId', '=', actor.schoolId)
    .where('sessionId', '=', actor.sessionId)
    .execute()

const setAccount = (
  { db, actor }: Context,
  values: {
    totpPending?: Buffer | null
    totpPendingUntil?: string
    totpSecret?: Buffer | null
    totpTime?: string
    totpStep?: number
  },
) =>
  db.updateTable('account').set(values).where('schoolId', '=', actor.schoolId).where('suId', '=', actor.suId).execute()
