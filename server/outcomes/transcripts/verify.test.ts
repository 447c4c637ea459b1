import { describe, expect, test } from 'vitest'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { buildApp } from '../../app.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

async function issuedStudent(school: TestSchool): Promise<TestStudent> {
  const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  for (const plan of recordPlans) await grantRecord(school, student, plan)
  await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
  return student
}

describe('who may check', () => {
  test('whoever checks learns what stands on the paper in outline, and nothing of serials that are none', async () => {
    const school = await newSchool()
    const student = await issuedStudent(school)
    const [issue] = (await school.admin.send(issueApi.list, { suId: student.suId })).records
    const answer = await school.nobody.send(verifyApi.verify, { serial: issue!.serial })
    expect(answer).toMatchObject({ status: 'valid', title: '第二课堂成绩单', totalHours: '28.07' })
    expect(JSON.stringify(answer).replaceAll(issue!.serial, '')).not.toContain(student.suiName)
    expect(answer.suiNumber).toMatch(/^\*+.{4}$/)
    for (const serial of [issue!.serial.slice(0, -1), `${issue!.serial}A`, issue!.serial.toLowerCase(), '%'])
      expect((await school.nobody.ask(verifyApi.verify, { serial })).reason).toBe('no-such-transcript')
    for (const credential of ['{}', '[1]', '[]', '不是凭证', '{"id":"urn:second-classroom:transcript:x","proof":1}'])
      expect((await school.nobody.ask(verifyApi.credential, { credential })).reason).toBe('no-credential')
  })

  test('trying out serials is limited by address', async () => {
    const { services } = await newSchool()
    const app = await buildApp({ ...services, config: { ...services.config, requestsPerMinute: 600 } })
    const ask = () =>
      app.inject({ url: '/api/schoolbase/transcript/verify/10999-1-20260101-ABCDEFGH', remoteAddress: '203.0.113.7' })
    const statuses = []
    while (statuses.length < 60 && statuses.at(-1) !== 429) statuses.push((await ask()).statusCode)
    // the allowance grows again by one every two seconds
    expect(statuses.length).toBeGreaterThan(30)
    expect(statuses.length).toBeLessThan(60)
    await app.close()
  })
})
