import { sql } from 'kysely'
import { signingKeyStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'
import { multikeyOf, newKeyPair } from '../../core/credentials/ed25519.ts'
import { sealBytes, unsealBytes } from '../../core/secrets/field-crypto.ts'
import { from } from '../../core/database/tenant.ts'
import { newId } from '../../core/base/ids.ts'
import { withIssueLock } from './issue-lock.ts'

export interface SigningKey {
  skId: string
  publicKey: Buffer
  privateKey: Buffer
}

const keysOf = ({ db }: Pick<PublicContext, 'db'>, schoolId: string) => from({ db, schoolId }, 'signingKey as k')

/**
 * The key a school signs with; its first one is made when it is first needed. To be asked for in the turn of issues, so
 * that no key signs after it was retired.
 */
export const signingKey = async (tx: Context): Promise<SigningKey> => (await activeKey(tx)) ?? makeKey(tx)

async function activeKey(tx: Context): Promise<SigningKey | undefined> {
  const row = await keysOf(tx, tx.actor.schoolId)
    .select(['k.skId', 'k.publicKey', 'k.sealedKey'])
    .where('k.skStatus', '=', signingKeyStatus.active)
    .executeTakeFirst()
  return row && { skId: row.skId, publicKey: row.publicKey, privateKey: unsealBytes(row.sealedKey!, tx.secrets) }
}

async function makeKey(tx: Context): Promise<SigningKey> {
  const { db, actor, clock, secrets } = tx
  const key = { skId: newId(), ...newKeyPair() }
  await db
    .insertInto('signingKey')
    .values({
      schoolId: actor.schoolId,
      skId: key.skId,
      publicKey: key.publicKey,
      sealedKey: sealBytes(key.privateKey, secrets),
      createBy: actor.suId,
      createName: actor.suNickname,
      createTime: clock.now(),
    })
    .execute()
  await audit(tx, {
    action: '生成签名密钥',
    bizType: 'settings',
    bizId: key.skId,
    bizName: '签名密钥',
    after: { publicKey: multikeyOf(key.publicKey) },
  })
  return key
}

/** All keys of the school, the present one first. */
export async function listKeys(ctx: Context): Promise<Output<typeof issueApi.keys>> {
  const rows = await keysOf(ctx, ctx.actor.schoolId)
    .select([
      'k.skId',
      'k.skStatus',
      'k.publicKey',
      'k.createTime',
      'k.createName',
      'k.retireTime',
      'k.retireName',
      'k.retireReason',
    ])
    .select(
      sql<number>`(
          select count(*)::int
          from "transcriptIssue" i
          where i."schoolId" = k."schoolId" and i."skId" = k."skId"
        )`.as('issueCount'),
    )
    .orderBy('k.createTime', 'desc')
    .orderBy('k.skId', 'desc')
    .execute()
  return rows.map((row) => ({ ...row, publicKey: multikeyOf(row.publicKey) }))
}

/**
 * Retires the present key and makes another. What the old one signed stays verifiable; its private part is removed, so
 * that nobody can sign with it any more.
 */
export const rotateKey = (ctx: Context, { reason }: Checked<typeof issueApi.rotate>) =>
  withIssueLock(ctx, async (tx) => {
    if (!tx.scope.whole) throw new Failure('not-permitted')
    await tx.db
      .updateTable('signingKey')
      .set({
        skStatus: signingKeyStatus.retired,
        sealedKey: null,
        retireTime: tx.clock.now(),
        retireName: tx.actor.suNickname,
        retireReason: reason,
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('skStatus', '=', signingKeyStatus.active)
      .execute()
    const { skId } = await makeKey(tx)
    await audit(tx, { action: '更换签名密钥', bizType: 'settings', bizId: skId, bizName: '签名密钥', reason })
    return { skId }
  })

/** The public keys of a school as a key set; unknown schools have none. */
export async function publicKeys(ctx: PublicContext, { schoolId }: { schoolId: string }) {
  const rows = await keysOf(ctx, schoolId)
    .select(['k.skId', 'k.publicKey', 'k.createTime', 'k.retireTime'])
    .orderBy('k.createTime')
    .orderBy('k.skId')
    .execute()
  return {
    keys: rows.map(({ skId, publicKey, createTime, retireTime }) => ({
      kty: 'OKP' as const,
      crv: 'Ed25519' as const,
      x: publicKey.toString('base64url'),
      kid: skId,
      use: 'sig' as const,
      alg: 'EdDSA' as const,
      multikey: multikeyOf(publicKey),
      from: createTime,
      until: retireTime,
    })),
  }
}
