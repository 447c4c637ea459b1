import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import * as bitstring from '@digitalbazaar/vc-bitstring-status-list'
import { DataIntegrityProof } from '@digitalbazaar/data-integrity'
import { cryptosuite } from '@digitalbazaar/eddsa-rdfc-2022-cryptosuite'
import * as vc from '@digitalbazaar/vc'
import { loadContext, openBadgesContext } from '../core/credentials/contexts.ts'
import { multikeyOf } from '../core/credentials/ed25519.ts'
import { receiver } from './receiver.ts'

/**
 * Another institution that issues Open Badges: its documents on a server of its own, its proofs and status lists by the
 * libraries of Digital Bazaar.
 */
export async function foreignIssuer() {
  const server = await receiver()
  const key = newKey()
  const id = `${server.address}/issuer`
  const revoked = new Set<number>()
  const give = (path: string, body: unknown) => {
    server.answers[path] = { status: 200, body: typeof body === 'string' ? body : JSON.stringify(body) }
  }
  const signed = async <T extends object>(credential: T, by: Key = key, method = `${id}#key-1`) =>
    (await vc.issue({
      credential: structuredClone(credential),
      suite: new DataIntegrityProof({ cryptosuite, signer: signerOf(by, method) }),
      documentLoader: loadContext,
    })) as T & { proof: Record<string, unknown> }
  /** Puts up the list of those that are revoked now. */
  const putList = async (path = '/status', more: object = {}) => {
    const list = await bitstring.createList({ length: 131_072 })
    for (const at of revoked) list.setStatus(at, true)
    const credential = await bitstring.createCredential({
      id: server.address + path,
      list,
      statusPurpose: 'revocation',
    })
    give(path, await signed({ ...credential, issuer: id, validFrom: '2026-01-01T00:00:00Z', ...more }))
  }
  give('/issuer', {
    id,
    type: 'Profile',
    name: '全国大学生英语竞赛组委会',
    verificationMethod: [
      { id: `${id}#key-1`, type: 'Multikey', controller: id, publicKeyMultibase: multikeyOf(key.publicBytes) },
    ],
    assertionMethod: [`${id}#key-1`],
  })
  await putList()
  const badge = (identity: string, more: Record<string, unknown> = {}, place = 7) => ({
    '@context': ['https://www.w3.org/ns/credentials/v2', openBadgesContext],
    id: `${server.address}/badges/${identity}-${place}`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: '英语竞赛一等奖',
    issuer: { id, type: ['Profile'], name: '全国大学生英语竞赛组委会' },
    validFrom: '2026-05-01T00:00:00Z',
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [{ type: 'IdentityObject', hashed: false, identityHash: identity, identityType: 'sourcedId' }],
      achievement: {
        id: `${server.address}/achievement`,
        type: ['Achievement'],
        name: '英语竞赛一等奖',
        description: '全国赛',
        criteria: { narrative: '全国赛一等奖' },
      },
    },
    credentialStatus: {
      id: `${server.address}/status#${place}`,
      type: 'BitstringStatusListEntry',
      statusPurpose: 'revocation',
      statusListIndex: String(place),
      statusListCredential: `${server.address}/status`,
    },
    ...more,
  })
  return { ...server, id, key, revoked, give, signed, putList, badge }
}

export type ForeignIssuer = Awaited<ReturnType<typeof foreignIssuer>>

interface Key {
  privateKey: KeyObject
  publicBytes: Buffer
}

/** A new Ed25519 key. */
export function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicBytes: publicKey.export({ type: 'spki', format: 'der' }).subarray(12) }
}

const signerOf = ({ privateKey }: Key, id: string) => ({
  id,
  algorithm: 'Ed25519',
  sign: async ({ data }: { data: Uint8Array }) => sign(null, data, privateKey),
})
