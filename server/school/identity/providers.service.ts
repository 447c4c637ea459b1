import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type {
  Audience,
  identityApi,
  IdentityProvider,
  ProviderKind,
} from '../../../contract/school/identity/identity.calls.ts'
import { epochOf } from '../../core/base/clock.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { ofWorkingSchool } from '../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import { isDirectoryAddress, isProviderAddress } from './ask-provider.ts'
import type { Provider } from './protocol.ts'
import { newSamlKey } from './saml-key.ts'
import { readSamlMetadata } from './saml-metadata.ts'

const columns = [
  'schoolId',
  'providerId',
  'kind',
  'name',
  'settings',
  'audience',
  'enabled',
  'sort',
  'version',
  'sealedSecret',
] as const
/** What providers have that were entered before there were others than CAS. */
const settingsBefore = {
  clientId: '',
  scope: 'openid profile',
  signsOutThere: false,
  baseDn: '',
  bindDn: '',
  filter: '(uid={username})',
  ca: '',
  agentId: '',
  corpId: '',
  pageAddress: '',
  insideAddress: '',
  apiAddress: '',
  matchesNumber: true,
  metadata: '',
}

/** The buttons of a school's sign-in page; none where the school is unknown or suspended. */
export async function buttons(ctx: PublicContext, { schoolId }: Checked<typeof identityApi.buttons>) {
  const on = await providersInUse(ctx, schoolId)
  return on.map(({ providerId, name, kind }) => ({ providerId, name, asksHere: kind === 'ldap' }))
}

/** The providers that are switched on, with those whom they are for. */
export async function providersInUse({ db }: Pick<PublicContext, 'db'>, schoolId: string) {
  const rows = await db
    .selectFrom('identityProvider')
    .select(['providerId', 'name', 'kind', 'audience'])
    .where('schoolId', '=', schoolId)
    .where('enabled', '=', true)
    .where(ofWorkingSchool('identityProvider'))
    .orderBy('sort')
    .orderBy('name')
    .execute()
  return rows as { providerId: string; name: string; kind: ProviderKind; audience: Audience[] }[]
}

/** A provider by its id alone, which the address of its pages has; undefined where there is none. */
export async function providerOf({ db }: Pick<PublicContext, 'db'>, providerId: string): Promise<Provider | undefined> {
  const row = await db
    .selectFrom('identityProvider')
    .select(columns)
    .where('providerId', '=', providerId)
    .executeTakeFirst()
  return row && providerFrom(row)
}

const providerFrom = <R extends { settings: unknown }>(row: R) =>
  ({ ...row, settings: { ...settingsBefore, ...(row.settings as object) } }) as unknown as Provider

/** All providers of the school, with those that are switched off. */
export async function listProviders(ctx: Context, input: Checked<typeof identityApi.list>) {
  const own = ctx.db.selectFrom('identityProvider').where('schoolId', '=', ctx.actor.schoolId)
  const [rows, total] = await Promise.all([
    own
      .select(columns)
      .orderBy('sort')
      .orderBy('name')
      .orderBy('providerId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(own),
  ])
  const records = rows.map((row): IdentityProvider => {
    const { schoolId: _, sealedSecret, ...shown } = providerFrom(row)
    return { ...shown, hasSecret: sealedSecret !== null, can: ['edit', 'test', 'delete'] }
  })
  return asPage(records, total, input)
}

/** Adds a provider or changes one, and notes both sides in the trail. */
export async function saveProvider(ctx: Context, input: Checked<typeof identityApi.save>) {
  assertComplete(ctx, input)
  const needsSecret =
    ['oidc', 'wecom', 'dingtalk'].includes(input.kind) || (input.kind === 'ldap' && input.settings.bindDn !== '')
  const { schoolId } = ctx.actor
  const newKey = await ownKeyFor(ctx, input)
  return inTransaction(ctx, async (tx) => {
    const { providerId = newId(), version, settings, clientSecret, ...rest } = input
    const before = input.providerId ? await ownProvider(tx, providerId) : null
    if (before) assertVersion(tx, before, version)
    // another place must not learn what was meant for the former one
    const isSamePlace = before?.kind === input.kind && hostsOf(before.settings) === hostsOf(settings)
    const keptSecret = isSamePlace ? before.sealedSecret : null
    const sealedSecret =
      input.kind === 'saml'
        ? (newKey ?? before!.sealedSecret)
        : needsSecret
          ? (seal(clientSecret, tx.secrets) ?? keptSecret)
          : null
    // what another service calls people says nothing of what this one called them
    const hasMoved = before && issuerOf(before) !== issuerOf(input)
    if (needsSecret && !sealedSecret) throw new Failure('identity-secret-missing')
    const row = { ...rest, settings: JSON.stringify(settings), sealedSecret, updateTime: tx.clock.now() }
    if (before)
      await tx.db
        .updateTable('identityProvider')
        .set({ ...row, version: sql<number>`version + 1` })
        .where('schoolId', '=', schoolId)
        .where('providerId', '=', providerId)
        .execute()
    else
      await tx.db
        .insertInto('identityProvider')
        .values({ ...row, schoolId, providerId, createTime: tx.clock.now() })
        .execute()
    if (hasMoved)
      await tx.db
        .deleteFrom('personIdentity')
        .where('schoolId', '=', schoolId)
        .where('providerId', '=', providerId)
        .execute()
    // of a secret the trail tells that it was set, and nothing else
    await audit(tx, {
      action: '保存统一身份认证',
      bizType: 'settings',
      bizId: providerId,
      bizName: input.name,
      before: before && shownOf(before),
      after: { ...rest, settings: shownSettings(settings), secretSet: Boolean(clientSecret) },
    })
    return { providerId }
  })
}

/**
 * Keys of our own for a provider that is to have some and has none; null otherwise. They take longer than a transaction
 * should.
 */
async function ownKeyFor(ctx: Context, { kind, providerId }: Checked<typeof identityApi.save>): Promise<Buffer | null> {
  if (kind !== 'saml') return null
  const before = providerId === undefined ? undefined : await providerOf(ctx, providerId)
  if (before?.schoolId === ctx.actor.schoolId && before.kind === kind) return null
  return seal(JSON.stringify(await newSamlKey(new Date(epochOf(ctx.clock.now())))), ctx.secrets)
}

/** What a protocol cannot do without. */
function assertComplete(ctx: Context, { kind, settings }: Checked<typeof identityApi.save>): void {
  const { address, clientId, baseDn, agentId, corpId, pageAddress, insideAddress, apiAddress, metadata } = settings
  if (kind === 'ldap') {
    if (!isDirectoryAddress(address)) throw new Failure('identity-directory-address', { address })
    if (!baseDn) throw new Failure('identity-base-missing')
    return
  }
  if (kind === 'saml' && metadata) {
    try {
      readSamlMetadata(metadata, new Date(epochOf(ctx.clock.now())))
    } catch (error) {
      throw new Failure('identity-metadata', { why: (error as Error).message })
    }
    return
  }
  const addresses = [address, ...[pageAddress, insideAddress, apiAddress].filter(Boolean)]
  const faulty = addresses.find((one) => !isProviderAddress(one))
  if (faulty !== undefined) throw new Failure('identity-address', { address: faulty })
  if (kind === 'wecom' && !agentId) throw new Failure('identity-agent-missing')
  if (kind === 'dingtalk' && !corpId) throw new Failure('identity-corp-missing')
  if (!['cas', 'saml'].includes(kind) && !clientId) throw new Failure('identity-client-missing')
}

/** Removes a provider; the sessions that came by it end. */
export async function removeProvider(ctx: Context, { providerId }: Checked<typeof identityApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const before = await ownProvider(tx, providerId)
    for (const table of ['identityProvider', 'session'] as const)
      await tx.db
        .deleteFrom(table)
        .where('schoolId', '=', tx.actor.schoolId)
        .where('providerId', '=', providerId)
        .execute()
    await audit(tx, {
      action: '删除统一身份认证',
      bizType: 'settings',
      bizId: providerId,
      bizName: before.name,
      before: shownOf(before),
    })
    return { affected: 1 }
  })
}

async function ownProvider(ctx: Context, providerId: string) {
  const row = await ctx.db
    .selectFrom('identityProvider')
    .select(['kind', 'name', 'settings', 'audience', 'enabled', 'sort', 'version', 'sealedSecret'])
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('providerId', '=', providerId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** Whose names of people a provider has. */
const issuerOf = ({ kind, settings }: { kind: string; settings: unknown }): string => {
  const { address, clientId, corpId, metadata } = providerFrom({ settings }).settings
  const place = metadata ? /\bentityID\s*=\s*("[^"]*"|'[^']*')/.exec(metadata)?.[1] : hostOf(address)
  return [kind, place, kind === 'wecom' ? clientId : '', corpId].join(' ')
}

/** The hosts that learn the secret. */
const hostsOf = (settings: unknown): string => {
  const { address, apiAddress } = settings as { address: string; apiAddress?: string }
  return [address, ...(apiAddress ? [apiAddress] : [])].map(hostOf).join(' ')
}
const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined)

/** As the trail keeps a provider: without the secret, and of long metadata what tells one from another. */
const shownOf = <R extends { sealedSecret: Buffer | null; settings: unknown }>({ sealedSecret: _, ...row }: R) => ({
  ...row,
  settings: shownSettings(row.settings as { metadata?: string }),
})
const shownSettings = <S extends { metadata?: string }>(settings: S): S =>
  settings.metadata
    ? { ...settings, metadata: `SHA-256 ${createHash('sha256').update(settings.metadata).digest('hex')}` }
    : settings
