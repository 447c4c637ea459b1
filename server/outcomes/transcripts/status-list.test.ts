import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { StatusList } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { buildApp } from '../../app.ts'
import { apart, jcs } from '../../testing/credentials.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { opensslVerifies, pdfAttachment } from '../../testing/pdf.ts'
import { newSchool } from '../../testing/school.ts'

test('a third party learns from a signed list what was superseded and what was revoked, and of nobody whose it was', async () => {
  const school = await newSchool()
  const [first, second, third] = (await (await oneClass(school)).students(3)) as [TestStudent, TestStudent, TestStudent]
  const print = async ({ suId }: TestStudent) =>
    pdfAttachment((await school.admin.download(transcriptApi.export, { suIds: [suId] })).bytes)
  const [superseded, revoked, valid] = [await print(first), await print(second), await print(third)]
  const month = school.clock.now().slice(0, 7)
  const address = `/api/schoolbase/transcript/statusList/${school.schoolId}/${month}`
  // the credential names its list
  const { credentialStatus, id } = JSON.parse(valid) as { id: string; credentialStatus: Record<string, string> }
  expect(credentialStatus).toMatchObject({
    id: `${id}#status`,
    type: 'TranscriptStatusEntry',
    statusPurpose: 'revocation',
  })
  expect(new URL(credentialStatus['statusListCredential']!, school.address).pathname).toBe(address)

  const listNow = async () => {
    const answer = await fetch(school.address + address)
    expect(answer.status).toBe(200)
    return JSON.stringify(((await answer.json()) as { data: StatusList }).data)
  }
  expect((JSON.parse(await listNow()) as StatusList).credentialSubject.entries).toEqual([])
  await grantRecord(school, first, recordPlans[0]!)
  await print(first)
  const [issue] = (await school.admin.send(issueApi.list, { suId: second.suId })).records
  await school.admin.send(issueApi.revoke, { ids: [issue!.tiId], reason: '姓名有误，已重新签发' })

  const text = await listNow()
  const { keys } = (await (
    await fetch(`${school.address}/api/schoolbase/transcript/publicKeys/${school.schoolId}`)
  ).json()) as { keys: { x: string }[] }
  const { bytes, signature } = apart(text)
  expect(await opensslVerifies(Buffer.from(keys[0]!.x, 'base64url'), bytes, signature)).toBe(true)
  const list = JSON.parse(text) as StatusList
  expect(new URL(list.id, school.address).pathname).toBe(address)
  // what stands for a credential is calculated from its file alone
  const digest = (credential: string) => {
    const { proof: _, ...document } = JSON.parse(credential) as Record<string, unknown>
    return createHash('sha256').update(jcs(document)).digest('hex')
  }
  const stateOf = new Map(list.credentialSubject.entries.map((entry) => [entry.digest, entry.status]))
  expect([superseded, revoked, valid].map((credential) => stateOf.get(digest(credential)))).toEqual([
    'superseded',
    'revoked',
    undefined,
  ])
  expect(stateOf.size).toBe(2)
  expect(Date.parse(list.validUntil) - Date.parse(list.validFrom)).toBe(7 * 86_400_000)
  for (const { suiName, suiNumber } of [first, second])
    for (const secret of [suiName, suiNumber, '姓名有误']) expect(text).not.toContain(secret)
  // a forged list is noticed, other months and schools hold nothing of it
  const forged = apart(text.replace('"revoked"', '"superseded"'))
  expect(await opensslVerifies(Buffer.from(keys[0]!.x, 'base64url'), forged.bytes, signature)).toBe(false)
  expect(
    (
      (await (
        await fetch(`${school.address}/api/schoolbase/transcript/statusList/${school.schoolId}/2020-01`)
      ).json()) as { data: StatusList }
    ).data.credentialSubject.entries,
  ).toEqual([])
  const nobody = `${school.address}/api/schoolbase/transcript/statusList/nobody/${month}`
  expect(await (await fetch(nobody)).json()).toMatchObject({ code: 300, reason: 'not-found', data: null })
  expect((await fetch(nobody, { headers: { prefer: 'handling=strict' } })).status).toBe(404)
  // the list is limited like the page on which serials are checked
  const app = await buildApp({ ...school.services, config: { ...school.services.config, requestsPerMinute: 600 } })
  const statuses = []
  for (let n = 0; n < 31; n++)
    statuses.push((await app.inject({ url: address, remoteAddress: '203.0.113.8' })).statusCode)
  expect([statuses[29], statuses[30]]).toEqual([200, 429])
  await app.close()
})
