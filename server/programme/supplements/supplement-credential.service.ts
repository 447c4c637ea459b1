import { createHash } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { isoText } from '../../core/base/clock.ts'
import { audit } from '../../core/audit/audit.ts'
import { verifyForeign, type ForeignVerdict } from '../../core/credentials/foreign-credential.ts'
import { documentGetter, NotACredential } from '../../core/credentials/foreign-documents.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { lockWithinSchool } from '../../core/request/advisory-lock.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { credentialLines, type Claimant } from './credential-words.ts'
import { visibleSupplements } from './supplements.queries.ts'

/** A credential that was looked at before its record is saved; `null` where the record shall have none. */
type CheckedCredential = { content: string; verdict: ForeignVerdict } | null

/**
 * Looks at what was given as a credential: its text, or the address it stands at. Outside of transactions: it asks
 * other systems. Undefined where nothing was said of it.
 */
export async function checkCredential(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  given: string | undefined,
): Promise<CheckedCredential | undefined> {
  if (given === undefined) return undefined
  if (given === '-') return null
  const get = documentGetter(config.outboundPrivate)
  const content = /^https?:\/\//.test(given) ? await get(given) : given
  if (content === undefined)
    throw fault('取不到该地址的凭证：请确认地址可以公开访问、以 https:// 开头，或改为选择凭证文件')
  try {
    return { content, verdict: await verifyForeign(content, get, isoText(clock.now())) }
  } catch (error) {
    if (error instanceof NotACredential)
      throw fault('不是可识别的电子凭证：请选择 Open Badges 3.0、CLR 2.0 等可验证凭证的 JSON 或 JWT 文件')
    throw error
  }
}

const fault = (msg: string) => invalidInput([{ field: 'lisCredential', msg }])

/**
 * Keeps the credential of a record with what was found, in the transaction that writes the record. One credential is
 * proof of one record.
 */
export async function keepCredential(
  tx: Context,
  lisId: string,
  checked: CheckedCredential | undefined,
): Promise<void> {
  if (checked === undefined) return
  const { db, actor, clock } = tx
  const { schoolId } = actor
  if (checked === null) {
    await db.deleteFrom('supplementCredential').where('schoolId', '=', schoolId).where('lisId', '=', lisId).execute()
    return
  }
  const { content, verdict } = checked
  const key = keyOf(content, verdict)
  if (await isUsedElsewhere(tx, lisId, key)) throw fault('这份凭证已经用于另一条补录，同一份凭证只能使用一次')
  const row = {
    content,
    credentialKey: key,
    issuer: verdict.issuer,
    verdict: JSON.stringify(verdict),
    checkTime: clock.now(),
  }
  await db
    .insertInto('supplementCredential')
    .values({ schoolId, lisId, ...row })
    .onConflict((conflict) => conflict.columns(['schoolId', 'lisId']).doUpdateSet(row))
    .execute()
}

/** Whether another record that is not deleted has a credential; nobody else can take it until the transaction ends. */
async function isUsedElsewhere(tx: Context, lisId: string, key: Buffer): Promise<boolean> {
  await lockWithinSchool(tx, 'sup-credential', [key.toString('hex')])
  const other = await from(tx, 'supplementCredential as c')
    .innerJoin('supplement as s', (join) =>
      join.onRef('s.schoolId', '=', 'c.schoolId').onRef('s.lisId', '=', 'c.lisId').on('s.delFlag', '=', sql.lit('0')),
    )
    .select('c.lisId')
    .where('c.credentialKey', '=', key)
    .where('c.lisId', '<>', lisId)
    .executeTakeFirst()
  return other !== undefined
}

/**
 * Refuses to bring deleted records back whose credential has become the proof of another one, or of which two have the
 * same.
 */
export async function assertCredentialsFree(tx: Context, lisIds: readonly string[]): Promise<void> {
  const kept = await from(tx, 'supplementCredential as c')
    .innerJoin('supplement as s', withinSchool('s.lisId', 'c.lisId'))
    .select(['c.lisId', 'c.credentialKey', 's.lisName'])
    .where(anyOf('c.lisId', lisIds))
    // one order of locks for everybody
    .orderBy('c.credentialKey')
    .execute()
  for (const [at, { lisId, credentialKey, lisName }] of kept.entries())
    if (kept[at - 1]?.credentialKey.equals(credentialKey) || (await isUsedElsewhere(tx, lisId, credentialKey)))
      throw new Failure('sup-credential-used', { name: lisName })
}

/** By what a credential is known again: its issuer and its own id, or all of it where it has none. */
const keyOf = (content: string, { issuer, id }: ForeignVerdict): Buffer =>
  createHash('sha256')
    .update(id ? JSON.stringify([issuer, id]) : content, 'utf8')
    .digest()

/** Looks again at the credential of a record: it may have been revoked since. */
export async function recheckCredential(ctx: Context, { lisId }: Checked<typeof supplementApi.recheckCredential>) {
  const found = await visibleSupplements(ctx)
    .innerJoin('supplementCredential as c', (join) =>
      join.onRef('c.schoolId', '=', 'supplement.schoolId').onRef('c.lisId', '=', 'supplement.lisId'),
    )
    .select(['c.content', 'supplement.lisName'])
    .where('supplement.lisId', '=', lisId)
    .executeTakeFirst()
  if (!found) throw new Failure('not-found')
  const checked = await checkCredential(ctx, found.content)
  return inTransaction(ctx, async (tx) => {
    await tx.db
      .updateTable('supplementCredential')
      .set({ verdict: JSON.stringify(checked!.verdict), checkTime: tx.clock.now() })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('lisId', '=', lisId)
      .execute()
    await audit(tx, {
      action: '重新核验电子凭证',
      bizType: 'supplement',
      bizId: lisId,
      bizName: found.lisName,
      after: { signature: checked!.verdict.signature, revocation: checked!.verdict.revocation },
    })
    return { affected: 1 }
  })
}

/** What is kept of the credential of the record that a query shows. */
interface KeptCredential {
  verdict: ForeignVerdict
  checkTime: string
  prior: number
}

/** SQL: whether the row `supplement` has a credential. */
export const hasCredential: RawBuilder<boolean> = sql`exists(
    select
    from "supplementCredential" c
    where c."schoolId" = "supplement"."schoolId" and c."lisId" = "supplement"."lisId"
  )`

/** The credential of a record that is known to be seen; null where it has none. */
export async function credentialOf({ db, actor }: Context, lisId: string): Promise<KeptCredential | null> {
  const { rows } = await sql<KeptCredential>`
    select
      c."verdict",
      c."checkTime",
      (
        select count(*)
        from "supplementCredential" p
        join "supplement" s on s."schoolId" = p."schoolId" and s."lisId" = p."lisId"
        where p."schoolId" = c."schoolId"
          and p."issuer" = c."issuer"
          and p."lisId" <> c."lisId"
          and s."delFlag" = '0'
          and s."lisStatus" in (
            ${sql.lit(supplementStatus.passed)}, ${sql.lit(supplementStatus.inNotice)},
            ${sql.lit(supplementStatus.credited)}
          )
      ) as "prior"
    from "supplementCredential" c
    where c."schoolId" = ${actor.schoolId} and c."lisId" = ${lisId}::uuid`.execute(db)
  return rows[0] ?? null
}

/** The credential of a record as its pages show it. */
export function credentialShown(
  kept: KeptCredential | null,
  claimant: Claimant,
  now: string,
): SupplementDetail['credential'] {
  if (!kept) return null
  const { verdict, checkTime, prior } = kept
  return {
    title: verdict.title,
    issuer: verdict.issuer,
    issuerName: verdict.issuerName,
    checkTime,
    lines: credentialLines(verdict, claimant, isoText(now), prior),
  }
}
