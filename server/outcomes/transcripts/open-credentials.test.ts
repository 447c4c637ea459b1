import { SaxesParser } from 'saxes'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { grantRecord, oneClass, recordPlans, reverseRecord, type TestStudent } from '../../testing/ledger.ts'
import { schemaFaults, verifiedElsewhere } from '../../testing/open-credentials.ts'
import { newSchool } from '../../testing/school.ts'

const badgeSchema = 'ob_v3p0_achievementcredential_schema'
const recordSchema = 'clr_v2p0_clrcredential_schema'

interface Credential {
  id: string
  issuer: { id: string }
  proof: { verificationMethod: string }
  credentialStatus: { statusListIndex: string }
  credentialSubject: { verifiableCredential: Credential[]; creditsEarned: number; result: { value: string }[] }
}

async function issued() {
  const school = await newSchool()
  const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  for (const plan of recordPlans) await grantRecord(school, student, plan)
  await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
  const [issue] = (await school.admin.send(issueApi.list, { suId: student.suId })).records
  const read = async (call: typeof issueApi.learnerRecord | typeof issueApi.badge, input: object) =>
    JSON.parse((await school.admin.download(call, input as never)).bytes.toString()) as Credential
  const record = await read(issueApi.learnerRecord, { tiId: issue!.tiId })
  const told = new URL(record.issuer.id).origin
  return {
    school,
    student,
    issue: issue!,
    record,
    read,
    elsewhere: (credential: object) => verifiedElsewhere(credential, told, school.address),
    at: (path: string) => fetch(path.replace(told, school.address)),
  }
}

describe('credentials that others accept', () => {
  test('a transcript is a learner record of signed badges: by the schemas of 1EdTech, and verified by the libraries of others', async () => {
    const { record, elsewhere, at, school, student } = await issued()
    expect(schemaFaults(recordSchema, record)).toEqual([])
    expect(await elsewhere(record)).toEqual({ verified: true, why: '', revoked: [false] })
    const badges = record.credentialSubject.verifiableCredential
    expect(badges).toHaveLength(recordPlans.length)
    for (const badge of badges) expect(schemaFaults(badgeSchema, badge)).toEqual([])
    expect(await elsewhere(badges[0]!)).toEqual({ verified: true, why: '', revoked: [false] })
    // each has a place of its own, and keeps it
    expect(new Set([record, ...badges].map(({ credentialStatus }) => credentialStatus.statusListIndex)).size).toBe(
      badges.length + 1,
    )
    const profile = await at(record.issuer.id)
    expect(profile.headers.get('access-control-allow-origin')).toBe('*')
    expect(schemaFaults('ob_v3p0_profile_schema', await profile.json())).toEqual([])
    // the schema finds what is not conformant, the library what is not as it was signed
    expect(schemaFaults(badgeSchema, { ...badges[0], type: ['VerifiableCredential'] })).not.toEqual([])
    const [first] = badges
    for (const forged of [
      { ...first!, name: '全国一等奖' },
      { ...first!, credentialSubject: { ...first!.credentialSubject, creditsEarned: 9 } },
      {
        ...first!,
        proof: { ...first!.proof, verificationMethod: badges[0]!.proof.verificationMethod.replace(/.$/, 'x') },
      },
    ])
      expect((await elsewhere(forged)).verified).toBe(false)
    expect((await fetch(`${school.address}/credentials/nobody`)).status).toBe(404)
    expect((await at(`${record.issuer.id}/status/1`)).status).toBe(404)
    expect((await at(`${record.issuer.id}/status/x`)).status).toBe(404)
    // who may not see the student gets nothing
    const { client } = await school.person('COUNSELOR')
    const [row] = (await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 1 })).records
    expect((await client.ask(issueApi.badge, { suId: student.suId, recId: row!.recId })).reason).toBe('not-found')
  })

  test('a badge as a picture carries what others verify, as PNG and as SVG', async () => {
    const { school, student, elsewhere } = await issued()
    const [row] = (await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 1 })).records
    const picture = async (format: 'png' | 'svg') =>
      (await school.admin.download(issueApi.badge, { suId: student.suId, recId: row!.recId, format })).bytes
    const png = await picture('png')
    const { width, height, comments } = await sharp(png).metadata()
    expect([width, height, comments?.length]).toEqual([600, 600, 1])
    expect(comments![0]!.keyword).toBe('openbadgecredential')
    const inPng = JSON.parse(comments![0]!.text) as Credential
    expect(schemaFaults(badgeSchema, inPng)).toEqual([])
    expect(await elsewhere(inPng)).toEqual({ verified: true, why: '', revoked: [false] })

    const svg = (await picture('svg')).toString()
    let inSvg = ''
    const parser = new SaxesParser({ xmlns: true })
    const path: string[] = []
    parser.on('opentag', ({ uri, local }) => path.push(`${uri} ${local}`))
    parser.on('closetag', () => void path.pop())
    parser.on('cdata', (text) => {
      if (path.at(-1) === 'https://purl.imsglobal.org/ob/v3p0 credential') inSvg = text
    })
    parser.write(svg).close()
    expect(await elsewhere(JSON.parse(inSvg) as Credential)).toEqual({ verified: true, why: '', revoked: [false] })
    // the words are outlines: no font is asked for, and it is drawn where it is opened
    expect(svg).not.toContain('<text')
    expect((await sharp(Buffer.from(svg)).metadata()).format).toBe('svg')
  })

  test('a revoked transcript and a corrected record are told by the status list, others stay; a retired key goes on verifying', async () => {
    const { school, student, issue, record, read, elsewhere } = await issued()
    const { records } = await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 50 })
    const badge = await read(issueApi.badge, { suId: student.suId, recId: records[0]!.recId })
    const again = await read(issueApi.badge, { suId: student.suId, recId: records[0]!.recId })
    expect(again.credentialStatus).toEqual(badge.credentialStatus)
    await school.admin.send(issueApi.rotate, { reason: '例行更换密钥' })
    const other = await read(issueApi.badge, { suId: student.suId, recId: records[1]!.recId })
    expect(other.proof.verificationMethod).not.toBe(badge.proof.verificationMethod)
    for (const one of [badge, other, record]) expect((await elsewhere(one)).verified).toBe(true)

    await school.admin.send(issueApi.revoke, { ids: [issue.tiId], reason: '姓名有误，已重新签发' })
    expect(await elsewhere(record)).toMatchObject({ revoked: [true] })
    expect(await elsewhere(badge)).toEqual({ verified: true, why: '', revoked: [false] })

    // what the ledger no longer says, no badge says: the corrected one is revoked, also within the learner record
    const taken = await grantRecord(school, student, {
      name: '后来冲正',
      module: 'CXCY',
      on: '2026-06-01',
      hours: 100,
    })
    const later = (await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 50 })).records.find(
      ({ name }) => name === '后来冲正',
    )!
    const wrong = await read(issueApi.badge, { suId: student.suId, recId: later.recId })
    expect(await elsewhere(wrong)).toMatchObject({ verified: true, revoked: [false] })
    await reverseRecord(school, student, taken, '2026-11-01')
    expect(await elsewhere(wrong)).toMatchObject({ revoked: [true] })
    expect((await school.admin.ask(issueApi.badge, { suId: student.suId, recId: later.recId })).reason).toBe(
      'no-badge-record',
    )
    expect(await elsewhere(badge)).toEqual({ verified: true, why: '', revoked: [false] })
  })
})
