import { sql } from 'kysely'
import { erasureKind, type ErasureKind } from '../../../contract/core/codes/outcomes.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal, sealedKey } from '../../core/secrets/field-crypto.ts'
import { noPassword } from '../../core/secrets/passwords.ts'
import { releaseFiles } from '../../platform/files/file-use.service.ts'
import { gone, type Trace } from './traces.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'

/** Digits and letters that are not taken for one another. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * Somebody's pseudonym: always the same, so that an interrupted erasure goes on with it, and not to be guessed without
 * the key of the installation.
 */
function pseudonymOf({ actor, secrets }: Context, suId: string): { name: string; number: string } {
  const hash = sealedKey(`pseudonym:${actor.schoolId}:${suId}`, secrets)!
  const code = [...hash.subarray(0, 10)].map((byte) => letters[byte % letters.length]).join('')
  return { name: `毕业生${code.slice(0, 6)}`, number: `X${code}` }
}

/** What is to be looked for of some people: how they could be reached; for their identity name and number as well. */
export async function tracesOf(ctx: Context, kind: ErasureKind, suIds: readonly string[]): Promise<Trace[]> {
  const people = await from(ctx, 'person')
    .leftJoin('account', (join) =>
      join.onRef('account.schoolId', '=', 'person.schoolId').onRef('account.suId', '=', 'person.suId'),
    )
    .select([
      'person.suId',
      'suiName',
      'suiNumber',
      'suiPhone',
      'suiIdCard',
      'suiEmail',
      'volunteerNo',
      'account.suLoginName',
    ])
    .where(anyOf('person.suId', suIds))
    .execute()
  return people.map(({ suId, suiName, suiNumber, suiPhone, suiIdCard, suiEmail, volunteerNo, suLoginName }) => {
    const reach = [unseal(suiPhone, ctx.secrets), unseal(suiIdCard, ctx.secrets), suiEmail]
    const { name, number } = pseudonymOf(ctx, suId)
    const isIdentity = kind === erasureKind.identity
    const known = isIdentity ? [...reach, volunteerNo] : reach
    return {
      suId,
      ...(isIdentity && { name: { old: suiName, new: name } }),
      tokens: [
        ...known.flatMap((one) => (one ? [[one, gone] as const] : [])),
        ...(isIdentity ? [[suiNumber, number] as const, [suLoginName ?? suiNumber, number] as const] : []),
      ],
    }
  })
}

/**
 * Erases what people could be reached by, and the traces of their signing in. Days of sign-in stay: they are counted.
 */
export async function eraseContacts(tx: Context, suIds: readonly string[]): Promise<void> {
  const { db, actor, clock } = tx
  const { schoolId } = actor
  const photos = await from(tx, 'person').select('suiPhoto').where(anyOf('suId', suIds)).execute()
  await releaseFiles(
    tx,
    photos.map(({ suiPhoto }) => suiPhoto),
  )
  await db
    .updateTable('person')
    .set({
      suiIdType: null,
      suiIdCard: null,
      suiIdCardHash: null,
      suiPhone: null,
      suiPhoneHash: null,
      suiEmail: null,
      suiPhoto: null,
      provinceId: null,
      cityId: null,
      areaId: null,
      suiAddress: null,
      suiDorm: null,
      contactsErased: sql`coalesce("contactsErased", ${clock.now()}::timestamptz)`,
      version: sql`"version" + 1`,
      updateBy: null,
      updateTime: clock.now(),
    })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  await db
    .updateTable('account')
    .set({ lastLoginIp: null })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  await db
    .updateTable('loginDay')
    .set({ ip: '', agent: '' })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  for (const table of [
    'session',
    'trustedDevice',
    'resetRequest',
    'activationCode',
    'calendarFeed',
    'personIdentity',
    // what still waits goes to nobody, and answers of a mail server name the address
    'outboxDelivery',
  ] as const)
    await db.deleteFrom(table).where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
}

/** Erases what people handed in for courses, which is full of themselves; that and when they did stays. */
async function eraseWorks(tx: Context, suIds: readonly string[]): Promise<void> {
  const works = () =>
    from(tx, 'registration', { withDeleted: true }).where(anyOf('suId', suIds)).where('workTime', 'is not', null)
  const rows = await works().select('workFiles').execute()
  if (rows.length === 0) return
  await releaseFiles(
    tx,
    rows.flatMap(({ workFiles }) => workFiles),
  )
  await tx.db
    .updateTable('registration')
    .set({ workText: '', workFiles: [] })
    .where('schoolId', '=', tx.actor.schoolId)
    .where(anyOf('suId', suIds))
    .where('workTime', 'is not', null)
    .execute()
}

/**
 * Gives people their pseudonyms and erases what else they would be recognised by. What statistics count by, such as
 * sex, political status, year and class, stays; so do ledger and trail, which nobody may change.
 */
export async function eraseIdentity(tx: Context, suIds: readonly string[]): Promise<void> {
  const { db, actor, clock } = tx
  const { schoolId } = actor
  const before = await from(tx, 'person').select(['suId', 'suiName']).where(anyOf('suId', suIds)).execute()
  await eraseContacts(tx, suIds)
  await eraseWorks(tx, suIds)
  const rows = before.map(({ suId, suiName }) => ({ suId, old: suiName, ...pseudonymOf(tx, suId) }))
  const people = recordset(rows, { suId: 'uuid', old: 'text', name: 'text', number: 'text' })
  // letters to one person call them by name and say nothing else of whom they are about
  await sql`
    update "information" i
    set "iiTitle" = replace(i."iiTitle", r."old", r."name"), "iiContent" = replace(i."iiContent", r."old", r."name")
    from ${people}
    join "informationReceiver" c on c."schoolId" = ${schoolId} and c."suId" = r."suId"
    where i."schoolId" = ${schoolId}
      and i."iiId" = c."iiId"
      and length(r."old") > 1
      and position(r."old" in i."iiTitle" || i."iiContent") > 0
      and not exists (
        select from "informationReceiver" o
        where o."schoolId" = ${schoolId} and o."iiId" = i."iiId" and o."suId" <> c."suId"
      )`.execute(db)
  await sql`
    update "person" p
    set "suiName" = r."name",
      "suiNumber" = r."number",
      "birth" = null,
      "suiNation" = null,
      "leagueJoinDate" = null,
      "partyJoinDate" = null,
      "volunteerNo" = null,
      "specialty" = null,
      "remark" = null,
      "identityErased" = ${clock.now()}::timestamptz
    from ${people}
    where p."schoolId" = ${schoolId} and p."suId" = r."suId"`.execute(db)
  await sql`
    update "account" a
    set "suLoginName" = r."number",
      "suNickname" = r."name",
      "suStatus" = ${accountStatus.disabled},
      "passwordHash" = ${noPassword},
      "totpSecret" = null,
      "totpTime" = null,
      "totpStep" = null,
      "totpPending" = null,
      "totpPendingUntil" = null,
      "updateTime" = ${clock.now()}::timestamptz
    from ${people}
    where a."schoolId" = ${schoolId} and a."suId" = r."suId"`.execute(db)
  await db
    .updateTable('transcriptApplication')
    .set({ taPurpose: '', decideReason: '' })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  await sql`
    update "graduationRow" g
    set "suiNumber" = r."number"
    from ${people}
    where g."schoolId" = ${schoolId} and g."suId" = r."suId"`.execute(db)
  await eraseProofs(tx, suIds)
  // whoever holds the signed paper can still have it checked: digest and signature stay
  await db
    .updateTable('transcriptIssue')
    .set({ content: '' })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  for (const table of [
    'passwordHistory',
    // as long as the second factor: without them whoever loses a phone never comes in again
    'recoveryCode',
    'preference',
    'messagePreference',
    'savedView',
    'approvalOpinion',
    'importMatch',
    'requestKey',
  ] as const)
    await db.deleteFrom(table).where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
}

/** Certificates and other proofs: pictures of papers with a name on them. */
async function eraseProofs(tx: Context, suIds: readonly string[]): Promise<void> {
  const { db, actor } = tx
  const { schoolId } = actor
  const { rows } = await sql<{ file: string }>`
    select unnest("lisProofs") "file" from "supplement" where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])
    union all
    select unnest("qProofs") from "question" where "schoolId" = ${schoolId} and "reporterSuId" = any(${suIds}::uuid[])`.execute(
    db,
  )
  await releaseFiles(
    tx,
    rows.map(({ file }) => file),
  )
  await sql`
    delete from "supplementCredential" c
    using "supplement" s
    where c."schoolId" = ${schoolId}
      and s."schoolId" = c."schoolId"
      and s."lisId" = c."lisId"
      and s."suId" = any(${suIds}::uuid[])`.execute(db)
  await db
    .updateTable('supplement')
    .set({ lisProofs: [], certNo: '', certUrl: '' })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
  await db
    .updateTable('question')
    .set({ qProofs: [] })
    .where('schoolId', '=', schoolId)
    .where(anyOf('reporterSuId', suIds))
    .execute()
}
