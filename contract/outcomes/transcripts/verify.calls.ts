import { z } from 'zod'
import { call } from '../../core/call.ts'

/**
 * What anybody who holds a transcript may know of it: whether it stands, whose it is in outline, and the digest of what
 * it says.
 */
export const verdict = z.object({
  serial: z.string(),
  /** `broken`: what is stored does not fit its signature. */
  status: z.enum(['valid', 'superseded', 'revoked', 'broken']),
  schName: z.string(),
  /** First and last character of the name; the rest is hidden. */
  suiName: z.string(),
  suiNumber: z.string(),
  title: z.string(),
  /** Which part of the transcript; '' the whole. */
  extract: z.string(),
  totalHours: z.string(),
  totalCredit: z.string(),
  issueTime: z.string(),
  /** When it was superseded or revoked. */
  endTime: z.string().nullable(),
  revokeReason: z.string(),
  digest: z.string(),
  keyId: z.string(),
  publicKey: z.string(),
})
export type Verdict = z.infer<typeof verdict>

const publicKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  use: z.literal('sig'),
  alg: z.literal('EdDSA'),
  multikey: z.string(),
  from: z.string(),
  until: z.string().nullable(),
})

/**
 * What became of issues of a month that are not valid any more, signed like a credential. A digest says nothing to
 * whoever does not hold the paper.
 */
const statusList = z.object({
  '@context': z.array(z.string()),
  id: z.string(),
  type: z.array(z.string()),
  issuer: z.object({ id: z.string(), type: z.array(z.string()), name: z.string() }),
  /** When the list was true, and until when it should be relied on without asking again. */
  validFrom: z.string(),
  validUntil: z.string(),
  credentialSubject: z.object({
    id: z.string(),
    type: z.literal('TranscriptStatusList'),
    month: z.string(),
    entries: z.array(z.object({ digest: z.string(), status: z.enum(['superseded', 'revoked']), at: z.string() })),
  }),
  proof: z.record(z.string(), z.unknown()),
})
export type StatusList = z.infer<typeof statusList>

export const verifyApi = {
  verify: call('GET', '/transcript/verify/{serial}', {
    summary: '核验成绩单',
    permit: 'public',
    input: z.object({ serial: z.string().trim().min(1, '请输入编号').max(100, '编号不正确') }),
    output: verdict,
  }),
  /**
   * A credential file as text. `isSame`: it is, character for character, what was issued; `isSigned`: its signature is
   * good under a key of the school.
   */
  credential: call('POST', '/transcript/verifyCredential', {
    summary: '核验成绩凭证文件',
    permit: 'public',
    writes: false,
    input: z.strictObject({
      credential: z.string('请选择凭证文件').min(2, '请选择凭证文件').max(900_000, '文件过大，不是成绩凭证'),
    }),
    output: z.object({ isSame: z.boolean(), isSigned: z.boolean(), verdict }),
  }),
  /** A key set (RFC 7517): with it a credential can be checked without this service. Retired keys stay in it. */
  publicKeys: call('GET', '/transcript/publicKeys/{schoolId}', {
    summary: '成绩单签名公钥',
    permit: 'public',
    gives: 'raw',
    input: z.object({ schoolId: z.string().trim().max(32) }),
    output: z.object({ keys: z.array(publicKey) }),
  }),
  /**
   * The issues of a month (`2026-11`, by the day of issue) that were superseded or revoked, by the digest of their
   * content: with it and the key set a credential can be judged without this service. The signed document is the `data`
   * of the answer.
   */
  statusList: call('GET', '/transcript/statusList/{schoolId}/{month}', {
    summary: '成绩单状态列表',
    permit: 'public',
    input: z.object({
      schoolId: z.string().trim().max(32),
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, '月份应为 2026-11 的形式'),
    }),
    output: statusList,
  }),
}
