import { sql } from 'kysely'
import { erasureKind, type ErasureKind } from '../../../contract/core/codes/outcomes.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal, sealedKey } from '../../core/secrets/field-crypto.ts'
import { noPassword } from '../../core/secrets/passwords.ts'
import { releaseFilesOf } from '../../platform/files/file-use.service.ts'
import { forgetInImports } from '../../platform/imports/ending.service.ts'
import { hasGraduated } from '../../school/people/may-act.ts'
import { gone, type Trace } from './traces.ts'

/** Digits and letters that are not taken for one another. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Who somebody was, as far as their pseudonym tells it. */
interface Named {
  suId: string
  suiType: string
  suiStatus: string
}

/**
 * Somebody's pseudonym: always the same, so that an interrupted erasure goes on with it, and not to be guessed without
 * the key of the installation.
 */
export function pseudonymOf({ actor, secrets }: Pick<Context, 'actor' | 'secrets'>, person: Named) {
  const hash = sealedKey(`pseudonym:${actor.schoolId}:${person.suId}`, secrets)!
  const code = [...hash.subarray(0, 10)].map((byte) => letters[byte % letters.length]).join('')
  const word = person.suiType !== personType.student ? '教职工' : hasGraduated(person) ? '毕业生' : '学生'
  return { name: `${word}${code.slice(0, 6)}`, number: `X${code}` }
}

/** Of some names those by which one person of the school is called, and nobody was who has been removed. */
async function uniqueNames({ db, actor }: Context, names: readonly string[]): Promise<ReadonlySet<string>> {
  if (names.length === 0) return new Set()
  const { rows } = await sql<{ name: string }>`
    select "name"
    from (
      select "suiName" "name", "suId" from "person" where "schoolId" = ${actor.schoolId} and "suiName" = any(${names}::text[])
      union
      select "suNickname", "suId" from "account" where "schoolId" = ${actor.schoolId} and "suNickname" = any(${names}::text[])
    ) n
    group by 1
    having count(*) = 1`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** What is to be looked for of some people: how they could be reached; for their identity name and number as well. */
export async function tracesOf(ctx: Context, kind: ErasureKind, suIds: readonly string[]): Promise<Trace[]> {
  const people = await from(ctx, 'person')
    .leftJoin('account', (join) =>
      join.onRef('account.schoolId', '=', 'person.schoolId').onRef('account.suId', '=', 'person.suId'),
    )
    .select([
      'person.suId',
      'person.suiType',
      'suiStatus',
      'suiName',
      'suiNumber',
      'suiPhone',
      'suiIdCard',
      'suiEmail',
      'volunteerNo',
      'account.suLoginName',
      'account.suNickname',
    ])
    .where(anyOf('person.suId', suIds))
    .execute()
  const isIdentity = kind === erasureKind.identity
  const names = people.flatMap(({ suiName, suNickname }) => [suiName, ...(suNickname ? [suNickname] : [])])
  const unique = await uniqueNames(ctx, isIdentity ? names : [])
  return people.map((person) => {
    const { suId, suiName, suiNumber, suiPhone, suiIdCard, suiEmail, volunteerNo, suLoginName, suNickname } = person
    const reach = [unseal(suiPhone, ctx.secrets), unseal(suiIdCard, ctx.secrets), suiEmail]
    const { name, number } = pseudonymOf(ctx, person)
    const known = isIdentity ? [...reach, volunteerNo] : reach
    return {
      suId,
      ...(isIdentity && {
        name: {
          old: suiName,
          new: name,
          isUnique: unique.has(suiName),
          ...(suNickname && suNickname !== suiName && unique.has(suNickname) && { nickname: suNickname }),
        },
      }),
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
  await releaseFilesOf(
    tx,
    photos.map(({ suiPhoto }) => [suiPhoto]),
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

/**
 * Erases what people answered when they registered for courses and what they handed in for them, which is full of
 * themselves; that and when they did stays.
 */
async function eraseWorks(tx: Context, suIds: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('registration')
    .set({ applyAnswers: '[]' })
    .where('schoolId', '=', tx.actor.schoolId)
    .where(anyOf('suId', suIds))
    .where('applyAnswers', '<>', '[]')
    .execute()
  const works = () =>
    from(tx, 'registration', { withDeleted: true }).where(anyOf('suId', suIds)).where('workTime', 'is not', null)
  const rows = await works().select('workFiles').execute()
  if (rows.length === 0) return
  await releaseFilesOf(
    tx,
    rows.map(({ workFiles }) => workFiles),
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
  const before = await from(tx, 'person')
    .select(['suId', 'suiName', 'suiNumber', 'suiType', 'suiStatus'])
    .where(anyOf('suId', suIds))
    .execute()
  await forgetInImports(tx, before)
  await eraseContacts(tx, suIds)
  await eraseWorks(tx, suIds)
  const rows = before.map((person) => ({ suId: person.suId, old: person.suiName, ...pseudonymOf(tx, person) }))
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
      "post" = null,
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
  // a department knows its head of office by the post alone
  await db
    .updateTable('departmentUser')
    .set({ post: '' })
    .where('schoolId', '=', schoolId)
    .where(anyOf('suId', suIds))
    .execute()
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
    // there is no account any more that could use them
    'roleUser',
  ] as const)
    await db.deleteFrom(table).where('schoolId', '=', schoolId).where(anyOf('suId', suIds)).execute()
}

/** Certificates, other proofs and materials of applications: pictures of papers with a name on them. */
async function eraseProofs(tx: Context, suIds: readonly string[]): Promise<void> {
  const { db, actor } = tx
  const { schoolId } = actor
  const { rows } = await sql<{ files: string[] }>`
    select "lisProofs" "files" from "supplement" where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])
    union all
    select "qProofs" from "question" where "schoolId" = ${schoolId} and "reporterSuId" = any(${suIds}::uuid[])
    union all
    select "materials" from "circleApply" where "schoolId" = ${schoolId} and "applyBy" = any(${suIds}::uuid[])`.execute(
    db,
  )
  await releaseFilesOf(
    tx,
    rows.map(({ files }) => files),
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
  await db
    .updateTable('circleApply')
    .set({ materials: [] })
    .where('schoolId', '=', schoolId)
    .where(anyOf('applyBy', suIds))
    .execute()
}
