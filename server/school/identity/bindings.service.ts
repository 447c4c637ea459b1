import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { maxBindings, type Binding, type bindingApi } from '../../../contract/school/identity/bindings.calls.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { maskedNumber } from '../../core/secrets/masks.ts'
import { accountOf } from '../people/accounts.service.ts'
import { askOwner, hasOwnPassword } from '../session/own-proof.service.ts'
import { endProvidedSessions } from '../session/tokens.ts'
import { verifyByDirectory } from './directory-proof.ts'
import { openProvider } from './identity-flow.service.ts'
import { admitted } from './person-identities.ts'
import type { Provider } from './protocol.ts'
import { providersInUse } from './providers.service.ts'
import { audienceOf } from './sign-in-methods.service.ts'

type CallInput<K extends keyof typeof bindingApi> = Checked<(typeof bindingApi)[K]>

const bindingsOf = (ctx: Context, suId: string) =>
  from(ctx, 'personIdentity')
    .innerJoin('identityProvider', withinSchool('identityProvider.providerId', 'personIdentity.providerId'))
    .leftJoin('account', withinSchool('account.suId', 'personIdentity.createId'))
    .select([
      'personIdentity.identityId',
      'personIdentity.providerId',
      'identityProvider.name',
      'identityProvider.kind',
      'personIdentity.subject',
      'account.suNickname as createName',
      'personIdentity.createTime',
      'personIdentity.lastTime',
    ])
    .where('personIdentity.suId', '=', suId)
    .orderBy('personIdentity.createTime')
    .orderBy('personIdentity.identityId')

const shown = async (ctx: Context, suId: string): Promise<Binding[]> => {
  const rows = await bindingsOf(ctx, suId).execute()
  return rows.map((row) => ({
    ...row,
    kind: row.kind as Binding['kind'],
    createName: row.createName ?? '',
    subject: maskedNumber(row.subject),
  }))
}

/** What the person has bound, and what else they could. */
export async function ownBindings(ctx: Context) {
  const { schoolId, suId } = ctx.actor
  const account = await accountOf(ctx.db, schoolId, suId)
  if (!account) throw new Failure('token-invalid')
  const [audience, inUse, bindings, asksPassword] = await Promise.all([
    audienceOf(ctx, account),
    providersInUse(ctx, schoolId),
    shown(ctx, suId),
    hasOwnPassword(ctx),
  ])
  const providers = inUse
    .filter((provider) => provider.audience.includes(audience))
    .map(({ providerId, name, kind }) => ({ providerId, name, kind, asksHere: kind === 'ldap' }))
  return { asksPassword, providers, bindings }
}

/** Binds what somebody brought back from a provider, in the window in which they left for it. */
export async function bind(ctx: Context, { code, verifier, password }: CallInput<'bind'>) {
  const { schoolId } = ctx.actor
  await askOwner(ctx, password)
  return inTransaction(ctx, async (tx) => {
    const held = await tx.db
      .deleteFrom('identityTry')
      .where('schoolId', '=', schoolId)
      .where('codeHash', '=', sha256(code))
      .where('challenge', '=', sha256(verifier))
      .where('isBinding', '=', true)
      .where('expireTime', '>', tx.clock.now())
      .returning(['providerId', 'subject'])
      .executeTakeFirst()
    if (!held?.subject) throw new Failure('identity-expired')
    return keep(tx, await openProvider(tx, held.providerId), held.subject)
  })
}

/** Binds an account of a directory, which is shown name and password. */
export async function bindDirectory(ctx: Context, input: CallInput<'bindDirectory'>) {
  const { providerId, username, directoryPassword, password } = input
  await askOwner(ctx, password)
  const provider = await openProvider(ctx, providerId)
  if (provider.schoolId !== ctx.actor.schoolId) throw new Failure('identity-off')
  const { subject } = await verifyByDirectory(ctx, provider, { username, password: directoryPassword })
  if (!subject) throw new Failure('identity-no-subject')
  return inTransaction(ctx, (tx) => keep(tx, provider, subject))
}

/** Keeps a binding of the asking person. What is another person's stays theirs. */
async function keep(tx: Context, provider: Provider, subject: string) {
  const { schoolId, suId } = tx.actor
  const { providerId, name } = provider
  // bindings of one person come one after the other, so that the bound of their number holds
  await from(tx, 'account').select('suId').where('suId', '=', suId).forUpdate().executeTakeFirst()
  await admitted(tx, provider, await accountOf(tx.db, schoolId, suId))
  const own = await bindingsOf(tx, suId).execute()
  if (own.some((row) => row.providerId === providerId && row.subject === subject)) throw new Failure('identity-bound')
  if (own.length >= maxBindings) throw new Failure('too-many-identities', { n: maxBindings })
  const made = await tx.db
    .insertInto('personIdentity')
    .values({
      schoolId,
      identityId: newId(),
      suId,
      providerId,
      subject,
      createId: suId,
      createTime: tx.clock.now(),
      lastTime: null,
    })
    .onConflict((conflict) => conflict.columns(['schoolId', 'providerId', 'subject']).doNothing())
    .returning('identityId')
    .executeTakeFirst()
  if (!made) throw new Failure('identity-of-another')
  await audit(tx, { action: '绑定登录方式', ...(await asRecord(tx, suId)), after: factsOf({ name, subject }) })
  return { affected: 1 }
}

/** Removes an own binding; other sessions that came by it end. */
export async function unbind(ctx: Context, { identityId, password }: CallInput<'unbind'>) {
  await askOwner(ctx, password)
  return drop(ctx, { suId: ctx.actor.suId, identityId })
}

/** What somebody else has bound. */
export async function bindingsOfPerson(ctx: Context, { suId }: CallInput<'ofPerson'>) {
  await asRecord(ctx, suId)
  return shown(ctx, suId)
}

/** Removes a binding of somebody; sessions that came by it end. */
export const removeBindingOf = (ctx: Context, input: CallInput<'removeOf'>) => drop(ctx, input)

async function drop(ctx: Context, { suId, identityId, reason }: { suId: string; identityId: string; reason?: string }) {
  const { schoolId, sessionId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const row = await bindingsOf(tx, suId).where('personIdentity.identityId', '=', identityId).executeTakeFirst()
    if (!row) throw new Failure('not-found')
    const { providerId, subject } = row
    await tx.db
      .deleteFrom('personIdentity')
      .where('schoolId', '=', schoolId)
      .where('identityId', '=', identityId)
      .execute()
    // who is on the way in by it does not arrive
    await tx.db
      .deleteFrom('identityTry')
      .where('schoolId', '=', schoolId)
      .where('providerId', '=', providerId)
      .where('subject', '=', subject)
      .execute()
    await endProvidedSessions(tx, schoolId, providerId, { subjectHash: sha256(subject), except: sessionId })
    const record = await asRecord(tx, suId)
    await audit(tx, { action: '解除绑定登录方式', ...record, ...(reason && { reason }), before: factsOf(row) })
    return { affected: 1 }
  })
}

const factsOf = ({ name, subject }: { name: string; subject: string }) => ({
  登录方式: name,
  账号: maskedNumber(subject),
})

/** The person as the trail has them. @throws Failure `not-found` where the school has nobody of that id */
async function asRecord(ctx: Context, suId: string) {
  const person = await from(ctx, 'person').select('suiName').where('suId', '=', suId).executeTakeFirst()
  if (!person) throw new Failure('not-found')
  return { bizType: 'person' as const, bizId: suId, bizName: person.suiName }
}
