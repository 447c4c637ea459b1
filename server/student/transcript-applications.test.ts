import { expect, test } from 'vitest'
import { applicationStatus, issueStatus } from '../../contract/core/codes/outcomes.ts'
import { transcriptApplicationApi } from '../../contract/outcomes/transcripts/applications.calls.ts'
import { issueApi } from '../../contract/outcomes/transcripts/issues.calls.ts'
import { homeApi } from '../../contract/programme/home/home.calls.ts'
import { auditApi } from '../../contract/school/audit/audit.calls.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { clientHash } from '../core/secrets/passwords.ts'
import { setPassword } from '../school/people/accounts.service.ts'
import { signIn, type Client } from '../testing/client.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../testing/ledger.ts'
import { pdfWords } from '../testing/pdf.ts'
import { newSchool, testPassword, type TestSchool } from '../testing/school.ts'

/** A school whose students may apply, with three of a class, signed in, and a secretary of their college. */
async function schoolWithApplicants() {
  const school = await newSchool()
  await school.rules({ transcriptApply: 'area' })
  const { scId, students } = await oneClass(school)
  const found = (await students(3)) as TestStudent[]
  for (const plan of recordPlans) await grantRecord(school, found[0]!, plan)
  const [me, other, third] = await Promise.all(found.map((one) => signedIn(school, one)))
  const college = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
  return { school, college: college.client, me: me!, other: other!, third: third! }
}

async function signedIn(school: TestSchool, student: TestStudent) {
  await setPassword(school.ctx, school.schoolId, student.suId, clientHash(testPassword))
  return { ...student, client: await signIn(school.address, school.schoolId, student.suiNumber, testPassword) }
}

const apply = (client: Client, taPurpose = '保研材料', more = {}) =>
  client.ask(ownRecordApi.apply, { taPurpose, taCopies: 2, ...more })
const own = (client: Client) => client.send(ownRecordApi.applications, {})
const waiting = async (client: Client) =>
  (await client.send(homeApi.todos, {})).find(({ kind }) => kind === 'transcript')

test('an application is issued once, whoever accepts it at the same time, and the student has the file', async () => {
  const { school, college, me, other } = await schoolWithApplicants()
  expect((await apply(me.client, '保研材料', { lang: 'en' })).code).toBe(200)
  expect(await apply(me.client)).toMatchObject({ reason: 'transcript-application-open' })
  const before = await own(me.client)
  expect(before).toMatchObject({ isOffered: true, mayApply: false, total: 1 })
  const { taId } = before.records[0]!
  expect(await waiting(college)).toMatchObject({
    count: 1,
    link: expect.stringContaining('tab=applications') as string,
  })
  expect(
    (await college.send(transcriptApplicationApi.list, { taStatus: applicationStatus.open })).records,
  ).toMatchObject([
    { suiName: me.suiName, taPurpose: '保研材料', taLang: 'en', taCopies: 2, can: ['accept', 'refuse'] },
  ])
  expect(await other.client.ask(ownRecordApi.withdraw, { taId })).toMatchObject({ reason: 'not-found' })

  const replies = await Promise.all(
    [college, school.admin, college, school.admin].map((by) =>
      by.ask(transcriptApplicationApi.accept, { ids: [taId] }),
    ),
  )
  expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
  expect(replies.filter(({ reason }) => reason === 'transcript-application-decided')).toHaveLength(3)
  const issues = await school.admin.send(issueApi.list, { suId: me.suId })
  expect(issues.records).toMatchObject([{ tiLang: 'en', tiStatus: issueStatus.valid, printCount: 0 }])
  const after = await own(me.client)
  expect(after).toMatchObject({
    mayApply: true,
    records: [{ taStatus: applicationStatus.issued, serial: issues.records[0]!.serial }],
  })
  const { tiId } = after.records[0]!
  const { bytes } = await me.client.download(ownRecordApi.issued, { tiId })
  expect(await pdfWords(bytes)).toContain(issues.records[0]!.serial)
  expect((await other.client.ask(ownRecordApi.issued, { tiId })).reason).toBe('transcript-not-applied')
  const inbox = await me.client.send(messageApi.inbox, {})
  expect(inbox.records).toMatchObject([{ iiTitle: '您申请的正式成绩单已签发' }])
  const { records } = await school.admin.send(auditApi.list, { action: '同意成绩单申请' })
  expect(records).toMatchObject([{ bizName: me.suiName }])
  expect(await waiting(college)).toMatchObject({ count: 0 })

  // applied for again with nothing new on the record, the same paper stands
  expect((await apply(me.client, '求职', { lang: 'en' })).code).toBe(200)
  // both may be of the same second
  const latest = async () => (await own(me.client)).records.find(({ taPurpose }) => taPurpose === '求职')!
  const again = await latest()
  await college.send(transcriptApplicationApi.accept, { ids: [again.taId] })
  expect(await latest()).toMatchObject({ tiId })
  // and one that is revoked is not printed any more
  await school.admin.send(issueApi.revoke, { ids: [tiId!], reason: '专业名称有误' })
  expect((await me.client.ask(ownRecordApi.issued, { tiId })).code).not.toBe(200)
})

test('several are decided at once, each by itself; refused ones say why, and withdrawn ones are nobody’s any more', async () => {
  const { school, college, me, other, third } = await schoolWithApplicants()
  for (const { client } of [me, other, third]) expect((await apply(client)).code).toBe(200)
  const idOf = async (client: Client) => (await own(client)).records[0]!.taId
  const [mine, others, thirds] = [await idOf(me.client), await idOf(other.client), await idOf(third.client)]
  await me.client.send(ownRecordApi.withdraw, { taId: mine })
  expect(await me.client.ask(ownRecordApi.withdraw, { taId: mine })).toMatchObject({
    reason: 'transcript-application-decided',
  })
  await college.send(transcriptApplicationApi.refuse, { ids: [others], reason: '请先核对姓名' })
  const result = await college.send(transcriptApplicationApi.accept, { ids: [mine, others, thirds] })
  expect(result).toMatchObject({ affected: 1, failed: [{ name: me.suiName }, { name: other.suiName }] })
  expect((await own(other.client)).records).toMatchObject([
    { taStatus: applicationStatus.refused, decideReason: '请先核对姓名', tiId: null },
  ])
  expect((await other.client.send(messageApi.inbox, {})).records[0]!.iiContent).toContain('请先核对姓名')
  expect((await apply(other.client)).code).toBe(200)
  const file = await college.download(transcriptApplicationApi.exportList, {})
  expect(file.name).toMatch(/^成绩单申请_.*\.xlsx$/)
  expect(await school.admin.send(transcriptApplicationApi.list, {})).toMatchObject({ total: 4 })
})

test('nobody decides beyond their part of the school, and where the school issues centrally only the whole of it does', async () => {
  const { school, college, me } = await schoolWithApplicants()
  await apply(me.client)
  const { taId } = (await own(me.client)).records[0]!
  const elsewhere = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
  expect((await elsewhere.client.send(transcriptApplicationApi.list, {})).total).toBe(0)
  expect(await elsewhere.client.ask(transcriptApplicationApi.accept, { ids: [taId] })).toMatchObject({
    reason: 'not-found',
  })
  expect(await waiting(elsewhere.client)).toMatchObject({ count: 0 })
  const reader = await school.person('DATA_VIEWER')
  expect((await reader.client.ask(transcriptApplicationApi.accept, { ids: [taId] })).status).toBe(403)
  await school.rules({ transcriptApply: 'school' })
  const central = { reason: 'transcript-application-school' }
  expect(await college.ask(transcriptApplicationApi.accept, { ids: [taId] })).toMatchObject(central)
  expect(await college.ask(transcriptApplicationApi.refuse, { ids: [taId], reason: '请到校级办理' })).toMatchObject(
    central,
  )
  expect((await college.send(transcriptApplicationApi.list, {})).records).toMatchObject([{ can: [] }])
  expect(await waiting(college)).toBeUndefined()
  expect(await waiting(school.admin)).toMatchObject({ count: 1 })

  // switched off, nobody applies anew, and what was applied for is still decided
  await school.rules({ transcriptApply: 'off' })
  expect(await apply(me.client)).toMatchObject({ reason: 'transcript-application-off' })
  expect(await own(me.client)).toMatchObject({ isOffered: false, mayApply: false, total: 1 })
  expect(await school.admin.send(transcriptApplicationApi.accept, { ids: [taId] })).toMatchObject({ affected: 1 })
})
