import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementApi, supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { multikeyOf } from '../../core/credentials/ed25519.ts'
import { foreignIssuer, newKey, type ForeignIssuer } from '../../testing/foreign-issuer.ts'
import { supplementWorldOfTests, type SupplementWorldOfTests } from '../../testing/supplements.ts'

let [world, issuer]: [SupplementWorldOfTests, ForeignIssuer] = [] as never
let student: { suId: string; suiName: string; suiNumber: string }

beforeAll(async () => {
  ;[world, issuer] = [await supplementWorldOfTests(), await foreignIssuer()]
  world.school.services.config.outboundPrivate = ['127.0.0.0/8']
  student = (await world.students(1))[0]!
})

const { stringify } = JSON
/** Saves a record with a credential, and says what its page tells of it. */
async function linesOf(lisCredential: string, of = student): Promise<string[]> {
  const { client } = world.secretary
  const { lisId } = await client.send(supplementApi.save, { ...world.form(of.suId), lisCredential })
  const { credential } = await client.send(supplementApi.detail, { lisId })
  return credential!.lines.map(({ level, text }) => `${level === 'warning' ? '! ' : ''}${text}`)
}

const unknownIssuer = '! 本校还没有通过过该签发者的凭证，请核实签发者是否可信'
const own = '凭证上的姓名或学号与申报学生一致'

describe('a credential of another issuer as proof', () => {
  test('is verified and told to the reviewer, decides nothing, is refused a second time, and looked at again', async () => {
    const signed = stringify(await issuer.signed(issuer.badge(student.suiNumber)))
    const { client } = world.secretary
    // by address, as a person would copy it
    issuer.give('/badge.json', signed)
    const { lisId } = await client.send(supplementApi.save, {
      ...world.form(student.suId),
      lisCredential: `${issuer.address}/badge.json`,
      submit: '1',
    })
    const good = `电子凭证「英语竞赛一等奖」签名有效，由 全国大学生英语竞赛组委会（${issuer.id}） 签发`
    const { hints, sup } = await world.leader.client.send(supplementCaseApi.supCase, { lisId })
    expect(sup.credential!.lines.map(({ text }) => text)).toContain(own)
    const texts = hints.map(({ text }) => text)
    expect(texts.some((text) => text.includes('签名有效'))).toBe(true)
    expect(texts).not.toContain('没有上传证明材料')
    expect(sup.credential!.lines[0]!.text.replaceAll(/[「」“”《》]/g, '')).toBe(good.replaceAll(/[「」“”《》]/g, ''))

    const [other] = await world.students(1)
    const again = await client.ask(supplementApi.save, { ...world.form(other!.suId), lisCredential: signed })
    expect(again.errors).toEqual([
      { field: 'lisCredential', msg: '这份凭证已经用于另一条补录，同一份凭证只能使用一次' },
    ])
    // it is revoked afterwards
    issuer.revoked.add(7)
    await issuer.putList()
    // who only reads changes nothing of it
    for (const role of ['AUDITOR', 'DATA_VIEWER']) {
      const { client: reader } = await world.school.person(role)
      expect(await reader.ask(supplementApi.recheckCredential, { lisId })).toMatchObject({ status: 403 })
      expect((await reader.send(supplementApi.detail, { lisId })).credential!.lines).toEqual(sup.credential!.lines)
    }
    await world.leader.client.send(supplementApi.recheckCredential, { lisId })
    const later = await world.leader.client.send(supplementCaseApi.supCase, { lisId })
    expect(later.hints.map(({ text }) => text)).toContain('凭证已被签发者撤销')
    expect(later.task).not.toBeNull()
    // a list that is gone or another's says nothing
    issuer.answers['/status'] = { status: 404 }
    await world.leader.client.send(supplementApi.recheckCredential, { lisId })
    const without = await world.leader.client.send(supplementCaseApi.supCase, { lisId })
    expect(without.hints.map(({ text }) => text)).toContain('未能取得签发者的撤销名单，不能确认凭证是否已被撤销')
    issuer.revoked.clear()
    await issuer.putList()
  })

  test('proves one record, though one with it was deleted meanwhile and is to be restored', async () => {
    const { client } = world.secretary
    const [one, two] = await world.students(2)
    const lisCredential = stringify(await issuer.signed(issuer.badge(one!.suiNumber)))
    const save = async (who: { suId: string }) =>
      (await client.send(supplementApi.save, { ...world.form(who.suId), lisCredential })).lisId
    const edit = (lisId: string[], delFlag: '0' | '1') => client.ask(supplementApi.remove, { lisId, delFlag })
    const first = await save(one!)
    await edit([first], yesNo.yes)
    const second = await save(two!)
    expect(await edit([first], yesNo.no)).toMatchObject({ code: 300, reason: 'sup-credential-used' })
    await edit([second], yesNo.yes)
    // nor both of them at once
    expect(await edit([first, second], yesNo.no)).toMatchObject({ code: 300, reason: 'sup-credential-used' })
    expect(await edit([first], yesNo.no)).toMatchObject({ code: 200 })
    expect(await edit([second], yesNo.no)).toMatchObject({ reason: 'sup-credential-used' })
  })

  test('names the student, somebody else, or nobody; and may be over or not yet begun', async () => {
    const hashed = `sha256$${createHash('sha256').update(`${student.suiNumber}salt`).digest('hex')}`
    const identifier = [
      { type: 'IdentityObject', hashed: true, identityHash: hashed, identityType: 'sourcedId', salt: 'salt' },
    ]
    const of = async (change: Record<string, unknown>, place: number) => {
      const badge = issuer.badge(student.suiNumber, {}, place)
      const credentialSubject = { ...badge.credentialSubject, ...(change['credentialSubject'] as object) }
      return linesOf(stringify(await issuer.signed({ ...badge, ...change, credentialSubject })))
    }
    expect((await of({ credentialSubject: { identifier } }, 21)).slice(1)).toEqual([own, unknownIssuer])
    expect((await of({ credentialSubject: { identifier: undefined } }, 22)).at(-2)).toBe(
      '! 凭证没有写明持有人，请核对是否属于申报学生',
    )
    expect(await of({ validUntil: '2026-06-01T00:00:00Z' }, 23)).toContain('! 凭证已于 2026-06-01 过期')
    expect(await of({ validFrom: '2999-01-01T00:00:00Z' }, 24)).toContain('! 凭证尚未生效')
    expect((await linesOf(stringify(await issuer.signed(issuer.badge('20990001', {}, 25))))).at(-2)).toBe(
      '! 凭证上写明的持有人不是申报学生，请核对',
    )
  })

  test('as a JWT is verified by the key of its issuer, and by no other algorithm than the key has', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const id = `${issuer.address}/rsa`
    const jwk = publicKey.export({ format: 'jwk' })
    issuer.give('/rsa', {
      id,
      assertionMethod: [{ id: `${id}#k`, type: 'JsonWebKey', controller: id, publicKeyJwk: jwk }],
    })
    const part = (value: object) => Buffer.from(stringify(value)).toString('base64url')
    const jwtOf = (header: object, place: number, by = privateKey) => {
      const { credentialStatus: _, ...badge } = issuer.badge(
        student.suiNumber,
        { issuer: { id, name: '考试院' } },
        place,
      )
      const text = `${part(header)}.${part({ iss: id, ...badge })}`
      return `${text}.${sign('sha256', Buffer.from(text), by).toString('base64url')}`
    }
    expect((await linesOf(jwtOf({ alg: 'RS256', kid: `${id}#k` }, 31)))[0]).toContain('签名有效，由 考试院')
    const forger = generateKeyPairSync('rsa', { modulusLength: 2048 })
    expect((await linesOf(jwtOf({ alg: 'RS256', kid: `${id}#k` }, 32, forger.privateKey)))[0]).toContain('签名无效')
    expect(
      (
        await linesOf(jwtOf({ alg: 'RS256', jwk: forger.publicKey.export({ format: 'jwk' }) }, 33, forger.privateKey))
      )[0],
    ).toContain('不能证明签名密钥属于所写的签发者')
    for (const [alg, place] of [
      ['none', 34],
      ['HS256', 35],
    ] as const)
      expect((await linesOf(jwtOf({ alg, kid: `${id}#k` }, place)))[0]).toContain('不支持的签名方式')
    expect((await linesOf(jwtOf({ alg: 'ES256', kid: `${id}#k` }, 36)))[0]).toContain('签名无效')
  })

  test('that is hostile is told as it is, in time, and leads nowhere', async () => {
    const { badge, signed, id, address } = issuer
    const of = async (text: string | Promise<object>) =>
      (await linesOf(typeof text === 'string' ? text : stringify(await text)))[0]!
    const real = await signed(badge(student.suiNumber, {}, 40))
    expect(await of(stringify({ ...real, name: '特等奖' }))).toContain('签名无效')
    // signed by whoever hands it in, in another's name
    const thief = newKey()
    const own = `did:key:${multikeyOf(thief.publicBytes)}`
    expect(await of(signed(badge(student.suiNumber, {}, 41), thief, `${own}#${own.slice(8)}`))).toContain(
      '不能证明签名密钥属于所写的签发者',
    )
    expect(await of(signed(badge(student.suiNumber, {}, 42), thief))).toContain('签名无效')
    const { proof: _, ...unsigned } = real
    expect(await of(stringify({ ...unsigned, id: `${id}/43` }))).toContain('文件里没有数字签名')
    // a context of theirs is not fetched
    const asked = issuer.at('/context.json').length
    issuer.give('/context.json', { '@context': {} })
    expect(
      await of(stringify({ ...real, id: `${id}/44`, '@context': [...real['@context'], `${address}/context.json`] })),
    ).toContain('不认识的术语表')
    expect(issuer.at('/context.json')).toHaveLength(asked)
    // keys: elsewhere by a redirect, endless, in a document of another, and where nobody may be sent
    const keyed = (verificationMethod: string, n: number) =>
      of(stringify({ ...real, id: `${id}/${n}`, proof: { ...real.proof, verificationMethod } }))
    issuer.answers['/away'] = { status: 302, location: id }
    issuer.give('/endless', `{"id":"${address}/endless","x":"${'x'.repeat(2_000_000)}"}`)
    issuer.give('/borrowed', { id, assertionMethod: [] })
    for (const [n, path] of ['/away#k', '/endless#k', '/borrowed#key-1', '/none#k'].entries())
      expect(await keyed(address + path, 45 + n)).toContain('取不到签发者的公钥')
    for (const [n, method] of ['file:///etc/passwd', 'did:key:zzz', 'did:web:127.0.0.1%3A1', ''].entries())
      expect(await keyed(method, 50 + n)).toContain('未能核验')
    world.school.services.config.outboundPrivate = []
    expect(await keyed(`${id}#key-1`, 55)).toContain('取不到签发者的公钥')
    world.school.services.config.outboundPrivate = ['127.0.0.0/8']
    // a list that unpacks into far more than it is, and one signed by nobody
    const packed = `u${gzipSync(Buffer.alloc(64 * 1_048_576)).toString('base64url')}`
    issuer.give(
      '/bomb',
      await signed({
        '@context': ['https://www.w3.org/ns/credentials/v2'],
        id: `${address}/bomb`,
        type: ['VerifiableCredential', 'BitstringStatusListCredential'],
        issuer: id,
        credentialSubject: { type: 'BitstringStatusList', statusPurpose: 'revocation', encodedList: packed },
      }),
    )
    const listed = (path: string, n: number) => {
      const one = badge(student.suiNumber, {}, n)
      return signed({ ...one, credentialStatus: { ...one.credentialStatus, statusListCredential: address + path } })
    }
    for (const [n, path] of ['/bomb', '/issuer'].entries())
      expect(await linesOf(stringify(await listed(path, 60 + n)))).toContain(
        '! 未能取得签发者的撤销名单，不能确认凭证是否已被撤销',
      )
    // nodes without names, each linked to each: the canonical form of such a graph takes for ever
    const tangled = Array.from({ length: 40 }, (_one, n) => ({
      type: ['Achievement'],
      id: `_:n${n}`,
      related: Array.from({ length: 40 }, (_other, m) => ({ type: ['Related'], id: `_:n${m}` })),
    }))
    const began = performance.now()
    expect(
      await of(
        stringify({
          ...real,
          id: `${id}/65`,
          credentialSubject: { type: ['AchievementSubject'], achievement: tangled },
        }),
      ),
    ).toMatch(/签名无效|未能核验/)
    expect(performance.now() - began).toBeLessThan(20_000)

    const refused = async (lisCredential: string) =>
      (await world.secretary.client.ask(supplementApi.save, { ...world.form(student.suId), lisCredential })).errors?.[0]
        ?.msg
    for (const text of ['你好', '{}', '[]', '{"type":"VerifiableCredentials"}', 'a.b.c', `${address}/issuer`])
      expect(await refused(text)).toContain('不是可识别的电子凭证')
    issuer.answers['/none'] = { status: 404 }
    expect(await refused(`${address}/none`)).toContain('取不到该地址的凭证')
    expect(await refused('x'.repeat(400_001))).toContain('文件过大')
    expect(
      await of(
        `{"type":"VerifiableCredential","id":"${id}/66","proof":{"type":"DataIntegrityProof","cryptosuite":"eddsa-jcs-2022","proofPurpose":"assertionMethod","proofValue":"z${'2'.repeat(87)}","verificationMethod":"${id}#key-1"},"x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
      ),
    ).toContain('未能核验')
  })
})
