import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sql } from 'kysely'
import { issueStatus, signingKeyStatus } from '../../../contract/core/codes/outcomes.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { addDays, isoText } from '../../core/base/clock.ts'
import { signedDocument } from '../../core/credentials/data-integrity.ts'
import { recordset } from '../../core/database/bulk.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { unsealBytes } from '../../core/secrets/field-crypto.ts'
import { recordSums } from '../../programme/credits/statement.service.ts'
import { bitListAddress } from './addresses.ts'
import { keyAddress, statusListOf, type Issuer } from './open-credential.ts'

/** Bits of a list: the least that W3C Bitstring Status List allows, so that a place says nothing of who has it. */
export const listLength = 131_072
/** Days after which a kept list should be asked for again. */
const listDays = 7

/** A transcript, or one record with what its badge says. */
export interface PlaceWanted {
  suId: string
  tiId?: string
  recId?: string
  bizId?: string
  moduleId?: string
  /** `hours/credit/points` in hundredths. */
  substance?: string
}

/**
 * The places of credentials in the lists, in their order; one that has none yet gets the next. To be asked for in the
 * turn of issues.
 */
export async function placesOf({ db, actor, clock }: Context, wanted: readonly PlaceWanted[]): Promise<number[]> {
  const { schoolId } = actor
  const rows = wanted.map(({ suId, tiId, recId, bizId, moduleId, substance = '' }, at) => ({
    at,
    suId,
    tiId: tiId ?? null,
    recId: recId ?? null,
    bizId: bizId ?? null,
    moduleId: moduleId ?? null,
    substance,
  }))
  const given = recordset(rows, {
    at: 'int',
    suId: 'uuid',
    tiId: 'uuid',
    recId: 'uuid',
    bizId: 'uuid',
    moduleId: 'uuid',
    substance: 'text',
  })
  const isSame = sql`
    s."schoolId" = ${schoolId}
    and (s."tiId" = r."tiId" or (s."recId" = r."recId" and s."substance" = r."substance"))`
  await sql`
    insert into "credentialStatus" (
      "schoolId", "csNo", "suId", "tiId", "recId", "bizId", "moduleId", "substance", "createTime"
    )
    select ${schoolId},
      (
        select coalesce(max(t."csNo") + 1, 0)
        from "credentialStatus" t
        where t."schoolId" = ${schoolId}
      ) + row_number() over (order by r."at") - 1,
      r."suId", r."tiId", r."recId", r."bizId", r."moduleId", r."substance", ${clock.now()}::timestamptz
    from ${given}
    where not exists (select 1 from "credentialStatus" s where ${isSame})`.execute(db)
  const { rows: found } = await sql<{ csNo: number }>`
    select s."csNo"
    from ${given}
    join "credentialStatus" s on ${isSame}
    where s."schoolId" = ${schoolId}
    order by r."at"`.execute(db)
  return found.map(({ csNo }) => csNo)
}

/**
 * A list of the school's credentials, signed now: a bit is set where a transcript was revoked, or where the ledger no
 * longer says of a record what its badge says.
 * @throws Failure `not-found` for a school that has never signed, or a list that has not been begun
 */
export async function bitList(ctx: PublicContext, issuer: Issuer, schoolId: string, list: number): Promise<object> {
  const { db, clock, config, secrets } = ctx
  const first = list * listLength
  const key = await from({ db, schoolId }, 'signingKey')
    .select(['skId', 'sealedKey'])
    .where('skStatus', '=', signingKeyStatus.active)
    .executeTakeFirst()
  const { rows } = await sql<{ csNo: number; isRevoked: boolean }>`
    select s."csNo",
      case when s."tiId" is not null
        then exists (
          select 1
          from "transcriptIssue" i
          where i."schoolId" = s."schoolId"
            and i."tiId" = s."tiId"
            and i."tiStatus" = ${sql.lit(issueStatus.revoked)}
        )
        else ${recordSums('s')} <> s."substance"
      end "isRevoked"
    from "credentialStatus" s
    where s."schoolId" = ${schoolId}
      and s."csNo" >= ${first}
      and s."csNo" < ${first + listLength}`.execute(db)
  if (!key?.sealedKey || (rows.length === 0 && list > 0)) throw new Failure('not-found')
  const bits = new Uint8Array(listLength / 8)
  for (const { csNo, isRevoked } of rows) if (isRevoked) bits[(csNo - first) >> 3]! |= 0x80 >> (csNo & 7)
  const now = clock.now()
  const encodedList = `u${(await promisify(gzip)(bits)).toString('base64url')}`
  const address = bitListAddress(config, schoolId, list)!
  return signedDocument(
    statusListOf(address, { issuer, at: now, until: addDays(now, listDays), encodedList }),
    { privateKey: unsealBytes(key.sealedKey, secrets) },
    { created: isoText(now), verificationMethod: keyAddress(issuer.id, key.skId) },
  )
}
