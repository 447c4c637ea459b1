import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../../contract/index.ts'
import type { Call, Input } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  circleJoinMode,
  questionStatus,
  questionType,
  resultStatus,
  supSource,
  supplementStatus,
} from '../../contract/core/codes/programme.ts'
import { approvalActionApi } from '../../contract/programme/approvals/actions.calls.ts'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { circleApi } from '../../contract/programme/circles/circles.calls.ts'
import { circleApplyApi } from '../../contract/programme/circles/applications.calls.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { auditApi } from '../../contract/school/audit/audit.calls.ts'
import { fileApi } from '../../contract/platform/files/files.calls.ts'
import { ownCircleApi } from '../../contract/student/circles.calls.ts'
import { ownContactApi } from '../../contract/student/contact.calls.ts'
import { ownNoticeApi } from '../../contract/student/notices.calls.ts'
import { ownRecordApi } from '../../contract/student/record.calls.ts'
import { ownSupplementApi } from '../../contract/student/supplements.calls.ts'
import { clientHash } from '../core/secrets/passwords.ts'
import { setPassword } from '../school/people/accounts.service.ts'
import { signIn } from '../testing/client.ts'
import { disputeWorld } from '../testing/disputes.ts'
import { testPassword, unique, type TestSchool } from '../testing/school.ts'
import { passSupplement, refuseSupplement, supplementWorldOfTests, taskOf } from '../testing/supplements.ts'

const page = { current: 1, pageSize: 50 }

/** A student of a class, signed in. */
async function signedIn(school: TestSchool, student: { suId: string; suiNumber: string; suiName: string }) {
  await setPassword(school.ctx, school.schoolId, student.suId, clientHash(testPassword))
  return { ...student, client: await signIn(school.address, school.schoolId, student.suiNumber, testPassword) }
}

/** A school with two signed-in students of one class. */
async function schoolWithStudents() {
  const world = await supplementWorldOfTests()
  const students = await Promise.all((await world.students(2)).map((one) => signedIn(world.school, one)))
  const form = (more = {}) => {
    const { suId: _, ...facts } = world.form(students[0]!.suId)
    return { ...facts, ...more } as Input<typeof ownSupplementApi.save>
  }
  return { ...world, me: students[0]!, other: students[1]!, form }
}

describe('supplements that a student hands in', () => {
  test('with a photo that says nothing of its place, refused with a word, mended, and credited without staff typing', async () => {
    const world = await schoolWithStudents()
    const { school, me, other, leader, auditor, secretary, form } = world
    const photo = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#8af' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: '隐私', Orientation: '6' }, IFD3: { GPSLatitude: '31/1 12/1 0/1' } })
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const { data: file } = await me.client.upload(
      fileApi.upload,
      { name: 'IMG_1.jpg', bytes: photo },
      { kind: 'image' },
    )
    const { fileId } = file!
    const draft = await me.client.send(ownSupplementApi.save, form({ certNo: 'CET-9', lisProofs: [fileId] }))
    expect(draft.lisStatus).toBe(supplementStatus.draft)
    const proof = await me.client.download(ownSupplementApi.proof, { id: fileId })
    expect((await sharp(proof.bytes).metadata()).exif).toBeUndefined()
    expect((await other.client.ask(ownSupplementApi.proof, { id: fileId })).status).not.toBe(200)

    const places = await me.client.send(ownSupplementApi.places, {})
    expect(places.find(({ lsId }) => lsId === form().lsId)).toMatchObject({ isOpen: true })
    const preview = await me.client.send(ownSupplementApi.preview, { lsId: form().lsId, lisLevel: '2' })
    expect(preview.nodes.flatMap(({ steps }) => steps.flatMap(({ people }) => people))).toContain(leader.suiName)
    const hints = await other.client.send(ownSupplementApi.dupHints, { certNo: 'CET-9', lisProofs: [] })
    expect(hints).toMatchObject([{ lisId: null, level: 'warning' }])
    expect(hints[0]!.text).toContain('属于其他同学')
    expect(JSON.stringify(hints)).not.toContain(me.suiName)

    const loaded = await me.client.send(ownSupplementApi.detail, { lisId: draft.lisId })
    expect(loaded).toMatchObject({ suId: me.suId, source: supSource.declared, can: ['edit', 'submit', 'del'] })
    await me.client.send(ownSupplementApi.save, {
      ...form({ certNo: 'CET-9', lisProofs: [fileId] }),
      lisId: draft.lisId,
      version: loaded.version,
      submit: yesNo.yes,
    })
    expect(await refuseSupplement(leader, draft.lisId, '请补拍证书背面')).toMatchObject({ code: 200 })
    const refused = await me.client.send(ownSupplementApi.detail, { lisId: draft.lisId })
    expect(refused).toMatchObject({ refuseReason: '请补拍证书背面', lisStatus: supplementStatus.refused })
    expect(JSON.stringify(refused.flows)).toContain('请补拍证书背面')
    const again = { ...form(), lisId: draft.lisId, version: refused.version, lisProofs: [fileId], submit: yesNo.yes }
    expect((await me.client.send(ownSupplementApi.save, again as never)).lisStatus).toBe(supplementStatus.inReview)
    expect(await me.client.send(ownSupplementApi.withdraw, { lisId: draft.lisId })).toEqual({ affected: 1 })
    const taken = await me.client.send(ownSupplementApi.detail, { lisId: draft.lisId })
    await me.client.send(ownSupplementApi.save, { ...again, version: taken.version } as never)
    for (const person of [leader, auditor]) await passSupplement(person, draft.lisId)
    expect(await world.statusOf(draft.lisId)).toBe(supplementStatus.passed)
    // what stands before reviewers or after them is not the student's to delete
    expect(await me.client.ask(ownSupplementApi.remove, { lisId: draft.lisId })).not.toMatchObject({ code: 200 })

    // a record of another, and one that staff still write, are not there
    const draftOfStaff = await secretary.client.send(supplementApi.save, {
      ...form(),
      lisName: `代录${unique()}`,
      suId: me.suId,
    })
    for (const [who, lisId] of [
      [other, draft.lisId],
      [me, draftOfStaff.lisId],
    ] as const)
      for (const call of [ownSupplementApi.detail, ownSupplementApi.withdraw, ownSupplementApi.remove] as Call[])
        expect((await who.client.ask(call, { lisId } as never)).status).toBe(404)
    expect((await me.client.send(ownSupplementApi.list, page)).records.map(({ lisId }) => lisId)).toEqual([draft.lisId])
    expect((await other.client.send(ownSupplementApi.list, page)).records).toEqual([])
    // whoever is named in the input is not accepted
    expect((await me.client.ask(ownSupplementApi.save, { ...form(), suId: other.suId } as never)).code).not.toBe(200)
    expect((await school.admin.ask(ownSupplementApi.list, page)).status).toBe(403)
  })
})

test('what reviewers write to one another about a record is not told to its student', async () => {
  const { me, school, leader, auditor, form } = await schoolWithStudents()
  const colleague = await school.person('SCHOOL_AUDIT')
  const { lisId } = await me.client.send(ownSupplementApi.save, form({ submit: yesNo.yes }))
  const taskId = async (person: typeof leader) => (await taskOf(person, lisId))!.taskId
  await leader.client.send(approvalApi.supPass, { taskIds: [await taskId(leader)], opinion: '材料齐全' })
  await auditor.client.send(approvalActionApi.delegate, {
    taskId: await taskId(auditor),
    toSuId: colleague.suId,
    opinion: '这位同学有前科，请细看',
  })
  await colleague.client.send(approvalActionApi.advise, { taskId: await taskId(colleague), opinion: '疑似伪造' })
  await auditor.client.send(approvalActionApi.transfer, {
    taskId: await taskId(auditor),
    toSuId: colleague.suId,
    opinion: '我不便处理',
  })
  const shown = async () => {
    const { flows } = await me.client.send(ownSupplementApi.detail, { lisId })
    return flows[0]!.steps.map(({ people }) => people.map(({ checkerName, opinion }) => [checkerName, opinion]))
  }
  expect(await shown()).toEqual([
    [[leader.suiName, '材料齐全']],
    [
      [auditor.suiName, ''],
      [auditor.suiName, ''],
      [colleague.suiName, ''],
    ],
  ])
  expect(await refuseSupplement(colleague, lisId, '请补拍证书背面')).toMatchObject({ code: 200 })
  expect((await shown())[1]!.at(-1)).toEqual([colleague.suiName, '请补拍证书背面'])
  // staff read it all
  const { flows } = await school.admin.send(supplementApi.detail, { lisId })
  for (const words of ['这位同学有前科，请细看', '疑似伪造', '我不便处理'])
    expect(JSON.stringify(flows)).toContain(words)
})

describe('what a student sees of their own record', () => {
  test('figures, entries with their explanation, credibility, and the signed paper only where the school allows it', async () => {
    const world = await schoolWithStudents()
    const { school, me, other } = world
    await world.credited(me.suId)
    const summary = await me.client.send(ownRecordApi.summary, {})
    expect(summary).toMatchObject({ student: { suId: me.suId }, summary: { totalHours: '3', totalCredit: '0.3' } })
    expect(summary.modules.find(({ have }) => have === '3')).toBeDefined()
    expect(await me.client.send(ownRecordApi.entries, page)).toMatchObject({
      total: 1,
      records: [{ hours: '3', explain: expect.stringContaining('3') as string }],
    })
    expect((await other.client.send(ownRecordApi.entries, page)).total).toBe(0)
    expect(await me.client.send(ownRecordApi.prospect, {})).toEqual({ warning: null, suggestions: [] })
    expect(await me.client.send(ownRecordApi.credibility, {})).toMatchObject({ suiCredibility: 100, gains: [] })
    expect((await me.client.send(ownRecordApi.credibilityLog, page)).total).toBe(0)

    expect(await me.client.send(ownRecordApi.issues, page)).toMatchObject({ total: 0, mayPrint: false })
    expect((await me.client.ask(ownRecordApi.print, {})).msg).toContain('未开放学生自助打印')
    await school.rules({ transcriptSelf: yesNo.yes })
    const paper = await me.client.download(ownRecordApi.print, {})
    expect(paper.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    const { records, mayPrint } = await me.client.send(ownRecordApi.issues, page)
    expect(mayPrint).toBe(true)
    const { tiId, serial } = records[0]!
    expect((await me.client.send(ownRecordApi.summary, {})).serial).toBe(serial)
    const credential = await me.client.download(ownRecordApi.credential, { tiId })
    expect(JSON.parse(credential.bytes.toString())).toMatchObject({ proof: { type: 'DataIntegrityProof' } })
    expect((await other.client.ask(ownRecordApi.credential, { tiId })).status).toBe(404)
  })
})

describe('public notice', () => {
  test('is masked for everybody, and a question about it tells nobody who asked', async () => {
    const world = await schoolWithStudents()
    const { school, me, other } = world
    const lisId = await world.inNotice(me.suId)
    const { records } = await other.client.send(ownNoticeApi.supplements, { ...page, suiNumber: me.suiNumber })
    expect(records).toMatchObject([{ lisId }])
    expect(JSON.stringify(records)).not.toContain(me.suiName)
    expect(JSON.stringify(records)).not.toContain(me.suiNumber)
    expect((await other.client.send(ownNoticeApi.lessons, page)).total).toBe(0)

    const asked = await other.client.send(ownNoticeApi.ask, {
      lisId,
      qType: questionType.other,
      qContent: '证书编号查询不到',
    })
    expect(asked.qStatus).toBe(questionStatus.pending)
    expect((await other.client.send(ownNoticeApi.mine, page)).records).toMatchObject([
      { qId: asked.qId, isSupplement: true, qStatus: questionStatus.pending, can: ['withdraw'] },
    ])
    expect((await me.client.send(ownNoticeApi.mine, page)).total).toBe(0)
    // the disputed student, the staff's page and the trail do not name who asked
    const shown = await school.admin.send(disputeApi.detail, { qId: asked.qId })
    const trail = await school.admin.send(auditApi.timeline, { bizType: 'question', bizId: asked.qId } as never)
    for (const text of [JSON.stringify(shown), JSON.stringify(trail)]) {
      expect(text).not.toContain(other.suiName)
      expect(text).not.toContain(other.suId)
    }
    expect(JSON.stringify(trail)).toContain('质疑人')
    expect((await me.client.ask(ownNoticeApi.withdraw, { qId: asked.qId, opinion: '不是我问的' })).status).toBe(404)
    await other.client.send(ownNoticeApi.withdraw, { qId: asked.qId, opinion: '已核实无误' })
    expect((await other.client.send(ownNoticeApi.mine, page)).records).toMatchObject([
      { qStatus: questionStatus.withdrawn, can: [] },
    ])
  })
})

test('a question that is refused tells the name of nobody, whatever number is typed', async () => {
  const world = await disputeWorld()
  const { school } = world
  const [me, credited, failed, outside] = await Promise.all(
    (await world.students(4)).map((one) => signedIn(school, one)),
  )
  const liId = await world.noticed([{ suId: credited!.suId }, { suId: failed!.suId, result: resultStatus.failed }])
  const asked = (who: { suiNumber: string }, type: Input<typeof ownNoticeApi.ask>['qType']) =>
    me!.client.ask(ownNoticeApi.ask, { liId, qType: type, targetNumber: who.suiNumber, qContent: '与实际情况不符' })
  for (const [who, type, reason] of [
    [credited, questionType.missing, 'question-not-missing'],
    [failed, questionType.wrong, 'question-not-wrong'],
    [outside, questionType.wrong, 'question-not-wrong'],
    [outside, questionType.falseAttendance, 'question-not-in-list'],
  ] as const) {
    const refused = await asked(who!, type)
    expect(refused).toMatchObject({ code: 300, reason })
    expect(refused.msg).toContain(who!.suiNumber)
    expect(JSON.stringify(refused)).not.toContain(who!.suiName)
  }
  expect(await asked(credited!, questionType.wrong)).toMatchObject({ code: 200 })
  const again = await asked(credited!, questionType.wrong)
  expect(again).toMatchObject({ code: 300, reason: 'question-open' })
  expect(JSON.stringify(again)).not.toContain(credited!.suiName)
})

test('no call of a student takes the id of a person', () => {
  const calls = allCalls.filter(({ call }) => call.permit === 'student:self')
  expect(calls.length).toBeGreaterThan(20)
  const named = calls.flatMap(({ call }) =>
    Object.keys(z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }).properties ?? {}),
  )
  expect(named.filter((name) => /su(?:i|I)?Ids?$|personId|reporter/i.test(name))).toEqual([])
})

test('a student applies for a circle for themselves, withdraws, is taken in and leaves', async () => {
  const { school, me, other } = await schoolWithStudents()
  await school.rules({ clubFounders: 1, clubTeachers: 0, clubUnitNeeded: yesNo.no, clubCharterNeeded: yesNo.no })
  const { ccId } = (await school.admin.send(circleApi.classes, {}))[0]!
  const { ciId } = await school.admin.send(circleApi.add, {
    ciName: `摄影社${unique()}`,
    ciClass: ccId,
    cpiPersonId: other.suId,
  } as never)
  const closed = await school.admin.send(circleApi.add, {
    ciName: `礼仪队${unique()}`,
    ciClass: ccId,
    cpiPersonId: other.suId,
    joinMode: circleJoinMode.inviteOnly,
  } as never)
  expect((await me.client.ask(ownCircleApi.join, { ciId: closed.ciId, applyReason: '希望加入礼仪队' })).msg).toContain(
    '仅限邀请',
  )
  const mine = async () => (await me.client.send(ownCircleApi.list, page)).records.find((one) => one.ciId === ciId)!
  expect(await mine()).toMatchObject({ cmRole: null, caId: null, can: ['join'], memberCount: 1 })
  const { caId } = await me.client.send(ownCircleApi.join, { ciId, applyReason: '喜欢拍照，愿意参加活动' })
  expect(await mine()).toMatchObject({ caId, can: ['withdraw'] })
  expect((await other.client.ask(ownCircleApi.withdraw, { caId })).status).toBe(404)
  await me.client.send(ownCircleApi.withdraw, { caId })
  await me.client.send(ownCircleApi.join, { ciId, applyReason: '喜欢拍照，愿意参加活动' })
  await school.admin.send(circleApplyApi.pass, { ciIds: [ciId], cpiPersonIds: [me.suId] })
  expect(await mine()).toMatchObject({ can: ['leave'], memberCount: 2, caId: null })
  await me.client.send(ownCircleApi.leave, { ciId })
  expect(await mine()).toMatchObject({ cmRole: null, can: ['join'] })
  expect((await other.client.send(ownCircleApi.list, { ...page, mine: '1' })).records).toContainEqual(
    expect.objectContaining({ ciId, can: [] }),
  )
})

describe('how a student is reached', () => {
  test('they change it with their password where the school allows it; masked facts stay, and the trail names no value', async () => {
    const { school, me, other } = await schoolWithStudents()
    const read = () => me.client.send(ownContactApi.read, {})
    const password = clientHash(testPassword)
    const save = async (more: object) => {
      const { suiPhone, suiEmail, suiDorm, version } = await read()
      const kept = Object.entries({ suiPhone, suiEmail, suiDorm }).filter(([, value]) => value)
      return me.client.ask(ownContactApi.save, { password, version, ...Object.fromEntries(kept), ...more })
    }
    expect((await read()).can).toEqual([])
    expect((await save({ suiPhone: '13800138000' })).reason).toBe('contact-off')
    await school.rules({ contactSelf: yesNo.yes })
    expect((await save({ suiPhone: '13800138000', password: clientHash('nonsense-1') })).reason).toBe(
      'old-password-wrong',
    )
    expect((await save({ suiPhone: '12' })).errors).toMatchObject([{ field: 'suiPhone' }])
    expect(await save({ suiPhone: '13800138000', suiEmail: 'me@example.edu.cn', suiDorm: '3 号楼 201' })).toMatchObject(
      { code: 200 },
    )
    const shown = await read()
    expect(shown).toMatchObject({
      suiDorm: '3 号楼 201',
      suiPhone: expect.stringContaining('*') as string,
      can: ['edit'],
    })
    // sent back as it was shown it stays; what is left out goes
    expect(await save({ suiDorm: '5 号楼' })).toMatchObject({ code: 200 })
    expect(await read()).toMatchObject({ suiPhone: shown.suiPhone, suiEmail: shown.suiEmail, suiDorm: '5 号楼' })
    expect(await me.client.ask(ownContactApi.save, { password, version: shown.version })).not.toMatchObject({
      code: 200,
    })
    const { version } = await read()
    expect(await me.client.ask(ownContactApi.save, { password, version })).toMatchObject({ code: 200 })
    expect(await read()).toMatchObject({ suiPhone: null, suiEmail: null, suiDorm: null })
    expect((await other.client.send(ownContactApi.read, {})).suiDorm).not.toBe('5 号楼')
    const trail = JSON.stringify(await school.admin.send(auditApi.list, { pageSize: 50 }))
    expect(trail).toContain('修改我的联系方式')
    expect(trail).not.toContain('13800138000')
  })
})
