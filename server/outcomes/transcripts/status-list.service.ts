import { sql } from 'kysely'
import { issueStatus, signingKeyStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { StatusList, verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { canonicalJson } from '../../core/credentials/canonical-json.ts'
import { addDays, dayOf, isoText } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { unsealBytes } from '../../core/secrets/field-crypto.ts'
import { schoolAppearanceOf } from '../../school/school/school.service.ts'
import { statusListAddress } from './addresses.ts'
import { context, issuerOf, proofFor } from './credential.ts'

/** Days after which a kept list should be asked for again. */
const listDays = 7
const states = { [issueStatus.replaced]: 'superseded', [issueStatus.revoked]: 'revoked' } as const

/**
 * The issues of a month that were superseded or revoked, signed now by the key the school signs with. Nobody is named:
 * an issue is known by the digest of its content, which only who holds the paper or its file has.
 * @throws Failure `not-found` for a school that has never signed
 */
export async function statusList(
  ctx: PublicContext,
  { schoolId, month }: Checked<typeof verifyApi.statusList>,
): Promise<StatusList> {
  const { db, clock, config, secrets } = ctx
  const key = await from({ db, schoolId }, 'signingKey')
    .select(['publicKey', 'sealedKey'])
    .where('skStatus', '=', signingKeyStatus.active)
    .executeTakeFirst()
  if (!key?.sealedKey) throw new Failure('not-found')
  const first = `${month}-01 00:00:00`
  const [{ schName }, ended] = await Promise.all([
    schoolAppearanceOf(ctx, schoolId),
    from({ db, schoolId }, 'transcriptIssue')
      .select(['tiStatus', 'endTime', sql<string>`encode("digest", 'hex')`.as('digest')])
      .where('tiStatus', 'in', [issueStatus.replaced, issueStatus.revoked])
      .where('issueTime', '>=', first)
      .where('issueTime', '<', `${dayOf(addDays(first, 31)).slice(0, 7)}-01 00:00:00`)
      .orderBy('digest')
      .execute(),
  ])
  const now = clock.now()
  const id = statusListAddress(config, schoolId, first)
  const list = {
    '@context': [...context],
    id,
    type: ['VerifiableCredential', 'TranscriptStatusListCredential'],
    issuer: issuerOf(schoolId, schName),
    validFrom: isoText(now),
    validUntil: isoText(addDays(now, listDays)),
    credentialSubject: {
      id: `${id}#list`,
      type: 'TranscriptStatusList' as const,
      month,
      entries: ended.map(({ digest, tiStatus, endTime }) => ({
        digest,
        status: states[tiStatus as keyof typeof states],
        at: isoText(endTime ?? now),
      })),
    },
  }
  return {
    ...list,
    proof: {
      ...proofFor(
        canonicalJson(list),
        { publicKey: key.publicKey, privateKey: unsealBytes(key.sealedKey, secrets) },
        now,
      ),
    },
  }
}
