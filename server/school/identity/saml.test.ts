import { createHash, randomBytes, X509Certificate } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FailureName } from '../../../contract/core/failure.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { callbackPath, identityApi, metadataPath } from '../../../contract/school/identity/identity.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { hostileSaml, type SamlWrong } from '../../testing/hostile-saml.ts'
import { samlServer, type SamlForm } from '../../testing/saml-server.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let teacher: TestPerson
let victim: TestPerson
let real: Awaited<ReturnType<typeof samlServer>>
let hostile: Awaited<ReturnType<typeof hostileSaml>>
/** Ids of the two providers. */
let realId: string
let hostileId: string

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  config.publicOrigins = [school.address]
  atFileEnd(() => void Object.assign(config, { outboundPrivate: [], publicOrigins: [] }))
  teacher = await school.person('COUNSELOR')
  victim = await school.person('COUNSELOR')
  real = await samlServer()
  hostile = await hostileSaml()
  realId = await save({ settings: { address: real.address, attribute: 'employeeNumber' } })
  hostileId = await save({ settings: { address: hostile.address, attribute: 'no' } })
  await real.register(`${school.address}${metadataPath}${realId}`)
})
beforeEach(() => {
  hostile.state.number = teacher.suiNumber
  real.state.number = teacher.suiNumber
})

const callbackOf = (id: string) => `${school.address}${callbackPath}${id}`

async function save({ settings, ...changes }: Record<string, unknown> & { settings: object }) {
  const input = { kind: 'saml', name: '校园账号', audience: ['teacher'], enabled: true, settings, ...changes }
  return (await school.admin.send(identityApi.save, input as never)).providerId
}

/** Brings a form of a provider, as a browser does that keeps no cookie. */
async function bring({ action, fields }: SamlForm) {
  const response = await fetch(action, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { origin: 'https://idp.example', 'sec-fetch-site': 'cross-site' },
  })
  return { status: response.status, landing: response.headers.get('location') ?? '' }
}

/** A window of the console, or of the students' page, that goes to a provider and comes back. */
async function windowAt(id: string, page = '') {
  const verifier = randomBytes(32).toString('hex')
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const start = new URL(`/api/schoolbase/identity/start/${id}?challenge=${challenge}${page}`, school.address)
  const login = (await fetch(start, { redirect: 'manual' })).headers.get('location')!
  const enter = async (landing: string) => {
    const code = new URL(landing, school.address).searchParams.get('identityCode')
    const reply = await school.nobody.ask(identityApi.exchange, { code, verifier })
    if (reply.code !== 200) throw new Error(`${landing} ${reply.reason}`)
    return new Client(school.address, reply.data.access_token)
  }
  return { login, enter }
}

/** What a sign-in at the hostile provider comes to: the name of a fault, or nothing. */
async function faultWith(wrong: SamlWrong): Promise<string | null> {
  const { login } = await windowAt(hostileId)
  const { landing } = await bring(hostile.answered(login, wrong))
  return new URL(landing, school.address).searchParams.get('identityFault')
}

const isIn = async (client: Client) => (await client.ask(sessionApi.landLoad)).code === 200

describe('samlify', () => {
  test('people come in by an attribute, in clear or encrypted, and are signed out by the provider', async () => {
    const { login, enter } = await windowAt(realId)
    const form = await real.signedIn(login)
    const { status, landing } = await bring(form)
    expect([status, landing]).toEqual([303, expect.stringMatching(/^\/\?identityCode=[\w-]{43}$/)])
    const client = await enter(landing)
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
    expect((await bring(form)).landing).toBe('/?identityFault=identity-expired')

    real.state.isEncrypted = true
    real.state.index = 'session-2'
    const phone = await windowAt(realId, '&page=student')
    const encrypted = await real.signedIn(phone.login)
    expect(Buffer.from(encrypted.fields['SAMLResponse']!, 'base64').toString()).not.toContain(teacher.suiNumber)
    const other = await phone.enter((await bring(encrypted)).landing.replace('/m/login', '/'))
    real.state.isEncrypted = false

    const leaving = real.signedOut('session-1')
    const left = await bring(leaving)
    expect(left.status).toBe(303)
    expect(left.landing).toContain(new URL('/left?SAMLResponse=', real.address).href)
    expect([await isIn(client), await isIn(other), await isIn(teacher.client)]).toEqual([false, true, true])
    expect((await bring(leaving)).status).toBe(400)
  })

  test('the test tells step by step what is right and what is wrong', async () => {
    const tried = async (settings: object, changes: object = {}) => {
      const providerId = await save({ settings, ...changes })
      const { steps } = await school.admin.send(identityApi.test, { providerId })
      await school.admin.send(identityApi.remove, { providerId })
      return steps
    }
    const { steps } = await school.admin.send(identityApi.test, { providerId: realId })
    expect(steps).toMatchObject([
      { name: '元数据', isGood: true, text: `是 SAML 2.0 身份提供者 ${real.address}` },
      { name: '签名证书', isGood: true, text: expect.stringContaining('有 1 个有效的签名证书，到期日 20') as string },
      { name: '时钟', isGood: true },
      { name: '登录页', isGood: true },
      { name: '退出', isGood: true },
    ])
    const lastOf = async (settings: object, changes?: object) => (await tried(settings, changes)).at(-1)!.text
    // not yet imported there
    expect(await lastOf({ address: real.address })).toContain('多为尚未导入本系统的元数据')
    expect(await lastOf({ address: 'http://127.0.0.1:1' })).toBe('对方拒绝连接，请确认服务已启动、端口正确')
    real.state.date = new Date(Date.now() - 300_000).toUTCString()
    expect(await lastOf({ address: real.address })).toMatch(/^对方的时钟比本系统慢 (299|30\d) 秒/)
    real.state.date = ''
    const good = hostile.metadata(hostile.state.published)
    const documents: [string, string][] = [
      ['<html></html>', '不是 SAML 元数据'],
      ['no XML', '不是 XML'],
      [good.replace('HTTP-Redirect', 'HTTP-POST'), '没有 HTTP-Redirect'],
      [good.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), '没有 SAML 2.0 的身份提供者'],
      [good.replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID'), '有效期已过'],
      [hostile.metadata([]), '没有可用的签名证书'],
      [hostile.metadata([await expired()]), '已全部过期（2020-'],
      [good.replace('<md:', '<!DOCTYPE a [<!ENTITY b "c">]><md:'), '不是 XML'],
    ]
    for (const [document, told] of documents) {
      hostile.state.metadata = document
      const all = await tried({ address: hostile.address })
      expect(all.find(({ isGood }) => !isGood)?.text, told).toContain(told)
    }
    hostile.state.metadata = undefined
  })
})

/** A certificate that is over, of five years ago. */
async function expired(): Promise<string> {
  const { newSamlKey } = await import('./saml-key.ts')
  const { certificate } = await newSamlKey(new Date('2000-06-01T00:00:00Z'))
  expect(new X509Certificate(certificate).validTo).toContain('2020')
  return certificate
}

describe('a provider that answers wrongly', () => {
  const refused: FailureName = 'identity-refused'
  const digest = (of: string) => ({ digest: `http://www.w3.org/2000/09/xmldsig#${of}` })
  const replace = (from: string | RegExp, to: string) => (xml: string) => xml.replace(from, to)
  test.each<[string, SamlWrong | (() => SamlWrong), string | null]>([
    ['nothing wrong', {}, null],
    ['the answer signed instead of the assertion', { signs: ['Response'] }, null],
    ['both signed', { signs: ['Assertion', 'Response'] }, null],
    ['not signed', { signs: [] }, refused],
    ['signed by a key that is not published, but brought along', { isForged: true }, refused],
    ['altered after it was signed', () => ({ after: replace(teacher.suiNumber, victim.suiNumber) }), refused],
    ['signed by SHA-1', { signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, refused],
    ['a digest by SHA-1', digest('sha1'), refused],
    [
      'comments within what is signed',
      { transforms: ['http://www.w3.org/2001/10/xml-exc-c14n#WithComments'] },
      refused,
    ],
    ['only a transform', { transforms: ['http://www.w3.org/2001/10/xml-exc-c14n#'] }, refused],
    ['for another audience', { audience: 'https://other.example' }, refused],
    ['for another address', { recipient: 'https://other.example/acs' }, refused],
    ['an answer for another address', { destination: 'https://other.example/acs' }, refused],
    ['to a request of nobody', { inResponseTo: '_other' }, refused],
    ['by another issuer', { issuer: 'urn:other' }, refused],
    ['run out, but by less than clocks differ', { until: -30 }, null],
    ['run out', { until: -90 }, refused],
    ['good in a moment', { from: 30 }, null],
    ['good later', { from: 90 }, refused],
    [
      'without an end',
      { before: replace(/SubjectConfirmationData NotOnOrAfter="[^"]+"/, 'SubjectConfirmationData') },
      refused,
    ],
    [
      'without a restriction',
      { before: replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') },
      refused,
    ],
    [
      'a condition of its own',
      { before: replace('</saml:Conditions>', '<saml:Condition/></saml:Conditions>') },
      refused,
    ],
    ['by proof of a key', { before: replace('cm:bearer', 'cm:holder-of-key') }, refused],
    ['nobody has signed in', { before: replace(/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, '') }, refused],
    ['refused by the provider', { after: replace('status:Success', 'status:Responder') }, refused],
    ['no number', { before: replace('Name="no"', 'Name="yes"') }, 'identity-no-number'],
    [
      'two numbers',
      { before: replace('<saml:AttributeValue>', '<saml:AttributeValue>1</saml:AttributeValue><saml:AttributeValue>') },
      'identity-no-number',
    ],
    ['a number of nobody', { before: replace(/(<saml:AttributeValue>)[^<]+/, '$1unknown') }, 'identity-unknown'],
    [
      'a comment in the number',
      () => ({ before: replace(teacher.suiNumber, `${victim.suiNumber}<!-- -->.evil`) }),
      refused,
    ],
    [
      'a comment put into it later',
      () => ({ after: replace(teacher.suiNumber, `<!-- -->${teacher.suiNumber}`) }),
      refused,
    ],
    ['CDATA', () => ({ before: replace(teacher.suiNumber, `<![CDATA[${teacher.suiNumber}]]>`) }), refused],
    ['a document type', { after: (xml) => `<!DOCTYPE r [<!ENTITY a "b">]>${xml}` }, refused],
    [
      'an entity of a file',
      { after: (xml) => `<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]>${xml}` },
      refused,
    ],
    ['another version of XML', { after: (xml) => `<?xml version="1.1"?>${xml}` }, refused],
    ['very deep', { after: (xml) => `${'<a>'.repeat(5000)}${xml}${'</a>'.repeat(5000)}` }, refused],
    ['deflated', { carried: (text) => deflateRawSync(Buffer.from(text, 'base64')).toString('base64') }, refused],
    ['a bomb', { carried: () => deflateRawSync(Buffer.alloc(100_000_000)).toString('base64') }, refused],
    ['no base64', { carried: () => '<xml/>' }, refused],
    ['a state of nobody', { relay: 'x' }, 'identity-expired'],
    ['unasked', { relay: '' }, 'identity-expired'],
  ])('%s', async (_, wrong, fault) =>
    expect(await faultWith(typeof wrong === 'function' ? wrong() : wrong)).toBe(fault),
  )

  /** The parts of a signed answer, and an assertion of somebody else that nobody has signed. */
  function wrapped(xml: string) {
    const [assertion] = /<saml:Assertion.*<\/saml:Assertion>/s.exec(xml) ?? ['']
    const [signature] = /<ds:Signature.*<\/ds:Signature>/s.exec(xml)!
    const plain = assertion.replace(signature, '')
    const evil = plain.replace(/ ID="[^"]+"/, ' ID="_evil"').replace(teacher.suiNumber, victim.suiNumber)
    return { assertion, signature, plain, evil }
  }
  const inEnd = (evil: string, more: string) => evil.replace('</saml:Assertion>', `${more}</saml:Assertion>`)
  const inObject = (signature: string, more: string) =>
    signature.replace('</ds:Signature>', `<ds:Object>${more}</ds:Object></ds:Signature>`)
  test.each<[string, (xml: string) => string]>([
    ['before the signed one', (xml) => xml.replace('<saml:Assertion', () => `${wrapped(xml).evil}<saml:Assertion`)],
    ['after the signed one', (xml) => xml.replace('</samlp:Response>', () => `${wrapped(xml).evil}</samlp:Response>`)],
    [
      'with the signed one in it',
      (xml) => xml.replace(wrapped(xml).assertion, () => inEnd(wrapped(xml).evil, wrapped(xml).assertion)),
    ],
    [
      'with its signature, the signed one after',
      (xml) => {
        const { assertion, signature, plain, evil } = wrapped(xml)
        return xml.replace(assertion, () => `${inEnd(evil, signature)}${plain}`)
      },
    ],
    [
      'with its signature, the signed one in an object of it',
      (xml) => {
        const { assertion, signature, plain, evil } = wrapped(xml)
        return xml.replace(assertion, () => inEnd(evil, inObject(signature, plain)))
      },
    ],
    [
      'with the signed one in extensions',
      (xml) => {
        const { assertion, evil } = wrapped(xml)
        return xml
          .replace(assertion, () => evil)
          .replace('<samlp:Status>', () => `<samlp:Extensions>${assertion}</samlp:Extensions><samlp:Status>`)
      },
    ],
    [
      'of the same ID',
      (xml) => {
        const { assertion, plain } = wrapped(xml)
        return xml.replace(assertion, () => `${plain.replace(teacher.suiNumber, victim.suiNumber)}${assertion}`)
      },
    ],
    [
      'of another namespace, the signed one after',
      (xml) => {
        const { assertion, evil } = wrapped(xml)
        return xml.replace(
          assertion,
          () => `${evil.replaceAll('saml:', 'x:').replace('<x:Assertion', '<x:Assertion xmlns:x="urn:x"')}${assertion}`,
        )
      },
    ],
    [
      'in an answer around the signed one',
      (xml) => {
        const { assertion, evil } = wrapped(xml)
        return xml.replace(assertion, () => `${evil}<samlp:Response>${assertion}</samlp:Response>`)
      },
    ],
    [
      'with two signatures',
      (xml) => {
        const { signature } = wrapped(xml)
        return xml.replace(signature, () => signature + signature)
      },
    ],
  ])('an assertion of somebody else %s', async (_, after) => {
    expect(await faultWith({ after })).toBe('identity-refused')
  })

  test.each<[string, (xml: string) => string]>([
    [
      'in an object of the signature',
      (xml) => {
        const { signature } = wrapped(xml)
        const rest = xml.replace(signature, '')
        return rest
          .replace(/ ID="[^"]+"/, ' ID="_evil"')
          .replace(teacher.suiNumber, victim.suiNumber)
          .replace('<samlp:Status>', () => `${inObject(signature, rest)}<samlp:Status>`)
      },
    ],
    [
      'next to the signature',
      (xml) => {
        const { signature } = wrapped(xml)
        const rest = xml.replace(signature, '')
        return rest
          .replace(/ ID="[^"]+"/, ' ID="_evil"')
          .replace(teacher.suiNumber, victim.suiNumber)
          .replace('<samlp:Status>', () => `${rest}${signature}<samlp:Status>`)
      },
    ],
  ])('an answer of somebody else with the signed one %s', async (_, after) => {
    expect(await faultWith({ signs: ['Response'], after })).toBe('identity-refused')
  })

  test('an answer is good for the provider it was begun with, once, and no longer than a form may be', async () => {
    const { login, enter } = await windowAt(hostileId)
    const form = hostile.answered(login)
    const otherSchool = await newSchool()
    const settings = { address: hostile.address, attribute: 'no' }
    const input = { kind: 'saml', name: '他校', audience: ['teacher'], enabled: true, settings } as const
    const other = await otherSchool.admin.send(identityApi.save, input as never)
    for (const id of [realId, other.providerId])
      expect((await bring({ ...form, action: callbackOf(id) })).landing).toBe('/?identityFault=identity-expired')
    expect((await bring({ ...form, fields: { ...form.fields, pad: 'x'.repeat(300_000) } })).status).toBe(413)
    const { landing } = await bring(form)
    expect(await isIn(await enter(landing))).toBe(true)
    // the same assertion, were its request ever open again
    await school.ctx.db.deleteFrom('identityTry').where('providerId', '=', hostileId).execute()
    await windowAt(hostileId)
    await school.ctx.db
      .updateTable('identityTry')
      .set({ stateHash: createHash('sha256').update(form.fields['RelayState']!).digest() })
      .where('schoolId', '=', school.schoolId)
      .where('providerId', '=', hostileId)
      .where('stateHash', 'is not', null)
      .execute()
    expect((await bring(form)).landing).toBe('/?identityFault=identity-refused')
  })

  test('certificates follow one another: both published hold, and then the new one alone', async () => {
    const [first] = hostile.state.published
    const pasted = async (certificates: string[]) => {
      const listed = await school.admin.send(identityApi.list, {})
      const { version } = listed.records.find(({ providerId }) => providerId === hostileId)!
      const settings = { attribute: 'no', metadata: hostile.metadata(certificates) }
      await save({ providerId: hostileId, version, settings })
    }
    const second = await hostile.rotate()
    await pasted([first!])
    expect(await faultWith({})).toBe('identity-refused')
    await pasted([first!, second])
    expect(await faultWith({})).toBeNull()
    await pasted([await expired()])
    expect(await faultWith({}).catch(() => 'no page')).toBe('no page')
    await pasted([second])
    expect(await faultWith({})).toBeNull()
  })

  test.each<[string, Parameters<typeof hostile.logout>[1], number]>([
    ['nothing wrong', {}, 200],
    ['not signed', { signs: false }, 400],
    ['signed by another', { isForged: true }, 400],
    ['of ten minutes ago', { at: -600 }, 400],
  ])('a sign-out with %s', async (_, wrong, status) => {
    const { login, enter } = await windowAt(hostileId)
    const client = await enter((await bring(hostile.answered(login))).landing)
    expect((await bring(hostile.logout(callbackOf(realId), wrong))).status).toBe(400)
    expect((await bring(hostile.logout(callbackOf(hostileId), wrong))).status).toBe(status)
    expect(await isIn(client)).toBe(status !== 200)
  })
})

test('what is saved has to be metadata or an address; our key is never told', async () => {
  const input = { kind: 'saml', name: '校园账号', audience: ['teacher'], enabled: true } as const
  const ask = async (settings: object) => school.admin.ask(identityApi.save, { ...input, settings } as never)
  expect((await ask({ address: '' })).reason).toBe('identity-address')
  expect(await ask({ metadata: '<a/>' })).toMatchObject({ reason: 'identity-metadata', msg: /EntityDescriptor/ })
  const own = await (await fetch(`${school.address}${metadataPath}${realId}`)).text()
  expect(own).toContain(`entityID="${school.address}${metadataPath}${realId}"`)
  expect(own).toContain('WantAssertionsSigned="true"')
  const listed = await school.admin.send(identityApi.list, {})
  const trail = await school.admin.send(auditApi.list, { bizType: 'settings', pageSize: 50 })
  expect(JSON.stringify([own, listed, trail])).not.toContain('PRIVATE KEY')
  expect(JSON.stringify(trail)).not.toContain('X509Certificate')
})
