import { webcrypto } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { issueStatus, signingKeyStatus } from '../../../contract/core/codes/outcomes.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { maskedName } from '../../core/secrets/masks.ts'
import { apart, sha, unbase58 } from '../../testing/credentials.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { opensslVerifies, pdfAttachment, pdfWords } from '../../testing/pdf.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import type { Db } from '../../core/database/pool.ts'
import { asOwner } from '../../testing/database.ts'

async function oneStudent(school: TestSchool): Promise<TestStudent> {
  const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  for (const plan of recordPlans) await grantRecord(school, student, plan)
  return student
}
const issuesOf = async (school: TestSchool, suId: string) => (await school.admin.send(issueApi.list, { suId })).records

describe('an issued transcript', () => {
  test('carries a serial, a digest and a signature that OpenSSL and WebCrypto find good, and says what the ledger says', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    const { bytes } = await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const [issue] = await issuesOf(school, student.suId)
    const words = await pdfWords(bytes)
    expect(issue!.serial).toMatch(new RegExp(`-${student.suiNumber}-\\d{8}-[2-9A-HJKMNP-Z]{8}$`))
    expect(words).toContain(`编号${issue!.serial}`)
    expect(words).toContain(issue!.digest)

    const attached = await pdfAttachment(bytes)
    const { bytes: signed, signature, digest, document, proof } = apart(attached)
    expect(digest).toBe(issue!.digest)
    expect(document.credentialSubject.transcript.rows.map(({ name, hours }) => [name, hours]).toSorted()).toEqual(
      recordPlans.map(({ name, hours }) => [name, String(hours / 100)]).toSorted(),
    )
    const { keys } = (await (
      await fetch(`${school.address}/api/schoolbase/transcript/publicKeys/${school.schoolId}`)
    ).json()) as { keys: { x: string; multikey: string }[] }
    expect(keys).toHaveLength(1)
    const key = Buffer.from(keys[0]!.x, 'base64url')
    expect(proof.verificationMethod).toBe(`did:key:${keys[0]!.multikey}#${keys[0]!.multikey}`)
    expect(unbase58(keys[0]!.multikey.slice(1))).toEqual(Buffer.concat([Buffer.from([0xed, 1]), key]))
    expect(await opensslVerifies(key, signed, signature)).toBe(true)
    const subtle = await webcrypto.subtle.importKey(
      'jwk',
      { kty: 'OKP', crv: 'Ed25519', x: keys[0]!.x },
      { name: 'Ed25519' },
      false,
      ['verify'],
    )
    expect(await webcrypto.subtle.verify({ name: 'Ed25519' }, subtle, signature, signed)).toBe(true)

    // one changed byte of the document is noticed by all
    const forged = attached.replace('"totalHours":"28.07"', '"totalHours":"28.08"')
    expect(forged).not.toBe(attached)
    expect(await opensslVerifies(key, apart(forged).bytes, signature)).toBe(false)
    expect(await school.nobody.send(verifyApi.credential, { credential: forged })).toMatchObject({
      isSame: false,
      isSigned: false,
      verdict: { status: 'valid' },
    })
    expect(await school.nobody.send(verifyApi.credential, { credential: attached })).toMatchObject({
      isSame: true,
      isSigned: true,
      verdict: { status: 'valid', serial: issue!.serial },
    })
    // so is a changed byte of the proof, whether the signature still reads as one or not
    for (const altered of [
      attached.replace(/"created":"(\d{4})/, (_, year: string) => `"created":"${Number(year) - 1}`),
      attached.replace('"proofPurpose"', '"note":"x","proofPurpose"'),
    ]) {
      expect(altered).not.toBe(attached)
      expect(await school.nobody.send(verifyApi.credential, { credential: altered })).toMatchObject({
        isSame: false,
        isSigned: false,
        verdict: { status: 'valid' },
      })
    }
    // the same document in another order of fields is the same document
    const shuffled = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(attached) as object).toReversed()))
    expect(await school.nobody.send(verifyApi.credential, { credential: shuffled })).toMatchObject({
      isSame: true,
      isSigned: true,
    })
    const downloaded = await school.admin.download(issueApi.credential, { tiId: issue!.tiId })
    expect(downloaded.bytes.toString()).toBe(attached)
  })

  test('is printed again under its serial while nothing changes, and superseded when something does', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    const print = (more: object = {}) => school.admin.download(transcriptApi.export, { suIds: [student.suId], ...more })
    await print()
    school.clock.travel(600)
    await print()
    const [first, ...others] = await issuesOf(school, student.suId)
    expect(others).toEqual([])
    expect(first).toMatchObject({ printCount: 2, tiStatus: issueStatus.valid, tiExtract: '', issueName: '管理员' })
    expect((await school.admin.send(transcriptApi.header, { suId: student.suId })).serial).toBe(first!.serial)
    await school.admin.download(issueApi.reprint, { tiId: first!.tiId })
    expect(
      (await school.admin.send(issueApi.prints, { tiId: first!.tiId })).records.map(({ printWay, printName }) => [
        printWay,
        printName,
      ]),
    ).toEqual([
      ['1', '管理员'],
      ['1', '管理员'],
      ['1', '管理员'],
    ])

    // parts and languages are issues of their own and supersede nothing
    await print({ startTime: '2026-01-01', endTime: '2026-06-30' })
    const english = await pdfWords((await print({ lang: 'en' })).bytes)
    for (const word of ['Co-curricularTranscript', 'IdeologicalGrowth', 'Volunteer', 'Page1of', recordPlans[0]!.name])
      expect(english).toContain(word)
    expect((await issuesOf(school, student.suId)).map(({ tiStatus }) => tiStatus)).toEqual(['1', '1', '1'])

    // what the paper does not print makes no other paper
    await school.rules({ credibilityPerRecord: '0.5' })
    await print()
    expect(await issuesOf(school, student.suId)).toHaveLength(3)
    // a serial vouches on screen for what its paper says, not for what has come since
    const onScreen = async () => (await school.admin.send(transcriptApi.header, { suId: student.suId })).serial
    expect(await onScreen()).toBe(first!.serial)
    await grantRecord(school, student, { name: '新的讲座', module: 'CXCY', on: '2026-06-01', hours: 100 })
    expect(await onScreen()).toBe('')
    await print()
    const after = await issuesOf(school, student.suId)
    expect(after.filter(({ tiStatus }) => tiStatus === issueStatus.replaced).map(({ serial }) => serial)).toEqual([
      first!.serial,
    ])
    expect(await school.nobody.send(verifyApi.verify, { serial: first!.serial })).toMatchObject({
      status: 'superseded',
      suiName: maskedName(student.suiName),
      totalHours: '28.07',
      digest: first!.digest,
    })
    const again = await pdfWords((await school.admin.download(issueApi.reprint, { tiId: first!.tiId })).bytes)
    expect(again).not.toContain('新的讲座')
  })

  test('of chosen records holds those alone and says so', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    const { records } = await school.admin.send(transcriptApi.rows, { suId: student.suId, pageSize: 50 })
    const chosen = records.filter(({ name }) => name === recordPlans[0]!.name || name === recordPlans[3]!.name)
    const words = await pdfWords(
      (
        await school.admin.download(transcriptApi.export, {
          suIds: [student.suId],
          recIds: chosen.map(({ recId }) => recId),
        })
      ).bytes,
    )
    expect(words).toContain('（所选2项记录）')
    expect(words).toContain('总学时18.5')
    for (const { name } of chosen) expect(words).toContain(name.replace(/\s/g, ''))
    expect(words).not.toContain(recordPlans[2]!.name)
    expect(
      (await school.admin.ask(transcriptApi.export, { suIds: [student.suId], recIds: [student.suId] })).reason,
    ).toBe('not-found')
    expect(
      (
        await school.admin.ask(transcriptApi.export, {
          suIds: [student.suId, school.adminId],
          recIds: [chosen[0]!.recId],
        })
      ).errors,
    ).toEqual([{ field: 'recIds', msg: '选择记录打印时只能选择一名学生' }])
  })

  test('revoked tells why to whoever checks it, is not printed any more, and the next one is valid', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const [issue] = await issuesOf(school, student.suId)
    const { tiId, serial } = issue!
    expect((await school.admin.ask(issueApi.revoke, { ids: [tiId], reason: '错' })).errors?.[0]?.msg).toBe(
      '撤销原因不能少于 5 个字',
    )
    await school.admin.send(issueApi.revoke, { ids: [tiId], reason: '姓名有误，已重新签发' })
    expect(await school.nobody.send(verifyApi.verify, { serial })).toMatchObject({
      status: 'revoked',
      revokeReason: '姓名有误，已重新签发',
    })
    expect((await school.admin.ask(issueApi.reprint, { tiId })).reason).toBe('transcript-revoked')
    expect((await school.admin.ask(issueApi.revoke, { ids: [tiId], reason: '再撤销一次看看' })).reason).toBe(
      'transcript-revoked',
    )
    await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const [next] = (await school.admin.send(issueApi.list, { suId: student.suId, tiStatus: issueStatus.valid })).records
    expect(next!.serial).not.toBe(serial)
    expect(await school.nobody.send(verifyApi.verify, { serial: next!.serial })).toMatchObject({
      status: 'valid',
      revokeReason: '',
    })
  })

  test('outlives its key: what an old key signed stays good, and what is signed afterwards carries the new one', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const [old] = await issuesOf(school, student.suId)
    const oldFile = (await school.admin.download(issueApi.credential, { tiId: old!.tiId })).bytes.toString()
    const { skId } = await school.admin.send(issueApi.rotate, { reason: '例行更换密钥' })
    expect(await school.nobody.send(verifyApi.credential, { credential: oldFile })).toMatchObject({
      isSame: true,
      isSigned: true,
      verdict: { status: 'valid' },
    })
    await grantRecord(school, student, { name: '新的讲座', module: 'CXCY', on: '2026-06-01', hours: 100 })
    const { bytes } = await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const { keys } = (await (
      await fetch(`${school.address}/api/schoolbase/transcript/publicKeys/${school.schoolId}`)
    ).json()) as { keys: { x: string; kid: string; until: string | null }[] }
    expect(keys.map(({ kid, until }) => [kid === skId, until === null])).toEqual([
      [false, false],
      [true, true],
    ])
    const { bytes: signed, signature } = apart(await pdfAttachment(bytes))
    expect(await opensslVerifies(Buffer.from(keys[1]!.x, 'base64url'), signed, signature)).toBe(true)
    expect(await opensslVerifies(Buffer.from(keys[0]!.x, 'base64url'), signed, signature)).toBe(false)
    // the private part lies sealed, and that of a retired key is gone
    const rows = await school.services.db
      .selectFrom('signingKey')
      .select(['skStatus', 'sealedKey'])
      .where('schoolId', '=', school.schoolId)
      .orderBy('createTime')
      .orderBy('skId')
      .execute()
    expect(rows.map(({ skStatus, sealedKey }) => [skStatus, sealedKey?.length])).toEqual([
      ['0', undefined],
      ['1', 60],
    ])
    expect(await school.admin.send(issueApi.keys, {})).toMatchObject([
      { skStatus: signingKeyStatus.active, issueCount: 1 },
      { skStatus: signingKeyStatus.retired, issueCount: 1, retireReason: '例行更换密钥' },
    ])
    const { client } = await school.person('COUNSELOR')
    expect((await client.ask(issueApi.rotate, { reason: '想换一个密钥' })).status).toBe(403)
  })

  test('that was changed behind the back of the service is told as broken; the database itself refuses the usual way', async () => {
    const school = await newSchool()
    const student = await oneStudent(school)
    await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
    const [issue] = await issuesOf(school, student.suId)
    const { db } = school.services
    const row = await db
      .selectFrom('transcriptIssue')
      .select('content')
      .where('tiId', '=', issue!.tiId)
      .executeTakeFirstOrThrow()
    const content = row.content.replace('"28.07"', '"98.07"')
    const alter = (all: Db) =>
      all.updateTable('transcriptIssue').set({ content }).where('tiId', '=', issue!.tiId).execute()
    await expect(alter(db)).rejects.toThrow('fixed')
    // somebody with all rights on the database
    await expect(asOwner(alter)).rejects.toThrow('fixed')
    const remove = (all: Db) =>
      all.deleteFrom('transcriptIssue').where('tiId', '=', issue!.tiId).returningAll().executeTakeFirstOrThrow()
    const whole = await asOwner(async (all) => {
      await all.deleteFrom('transcriptPrint').where('tiId', '=', issue!.tiId).execute()
      return remove(all)
    })
    await db
      .insertInto('transcriptIssue')
      .values({ ...whole, content, proof: JSON.stringify(whole.proof), digest: sha(content) })
      .execute()
    expect(await school.nobody.send(verifyApi.verify, { serial: issue!.serial })).toMatchObject({
      status: 'broken',
      suiName: '',
      totalHours: '',
    })

    // what was signed well, but for another student's paper
    const [better] = (await (await oneClass(school)).students(1)) as [TestStudent]
    await grantRecord(school, better, { name: '更多学时', module: 'CXCY', on: '2026-06-01', hours: 9900 })
    await school.admin.download(transcriptApi.export, { suIds: [better.suId] })
    const lent = await db
      .selectFrom('transcriptIssue')
      .select(['content', 'proof', 'digest', 'skId'])
      .where('suId', '=', better.suId)
      .executeTakeFirstOrThrow()
    await asOwner(remove)
    await db
      .insertInto('transcriptIssue')
      .values({ ...whole, ...lent, proof: JSON.stringify(lent.proof) })
      .execute()
    expect(await school.nobody.send(verifyApi.verify, { serial: issue!.serial })).toMatchObject({
      status: 'broken',
      suiName: '',
      totalHours: '',
    })
  })
})

describe('who may see and revoke', () => {
  test('issues follow the students: a college sees and revokes its own only', async () => {
    const school = await newSchool()
    const [here, there] = [await oneClass(school), await oneClass(school)]
    const [own] = (await here.students(1)) as [TestStudent]
    const [foreign] = (await there.students(1)) as [TestStudent]
    await school.admin.download(transcriptApi.export, { suIds: [own.suId, foreign.suId] })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
    const seen = (await client.send(issueApi.list, {})).records
    expect(seen.map(({ suId, can }) => [suId, can])).toEqual([[own.suId, ['reprint', 'revoke']]])
    const [other] = await issuesOf(school, foreign.suId)
    for (const call of [issueApi.reprint, issueApi.credential] as const)
      expect((await client.ask(call, { tiId: other!.tiId })).reason).toBe('not-found')
    expect((await client.ask(issueApi.prints, { tiId: other!.tiId })).reason).toBe('not-found')
    expect(
      (await client.ask(issueApi.revoke, { ids: [seen[0]!.tiId, other!.tiId], reason: '想一起撤销' })).reason,
    ).toBe('not-found')
    expect((await issuesOf(school, own.suId))[0]!.tiStatus).toBe('1')
  })
})
