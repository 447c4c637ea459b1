import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { activationApi } from '../../../contract/school/session/activation.calls.ts'
import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { seal, sealedKey } from '../../core/secrets/field-crypto.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { Client, signIn } from '../../testing/client.ts'
import { oneClass } from '../../testing/ledger.ts'
import { pdfText } from '../../testing/pdf.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { cleanUpSessions } from './cleanup.service.ts'

await useOwnDatabase()

const password = 'Winter-2026!w'
const idCard = '11010520060607003X'
const refused = { code: 300, reason: 'activation-refused' }
let school: TestSchool
let students: { suId: string; suiName: string; suiNumber: string }[]
let codes: Map<string, string>

/** Every code of the slips, by the number beside it. */
async function printSlips(client: Client, input: object): Promise<Map<string, string>> {
  const { bytes, type } = await client.download(activationApi.slips, { reason: '新生报到发放', ...input })
  expect(type).toBe('application/pdf')
  const text = await pdfText(bytes)
  return new Map(
    [...text.matchAll(/学号 (\S+)[^]*?([A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4})/g)].map((found) => [found[1]!, found[2]!]),
  )
}
const forgetTries = () => school.ctx.db.deleteFrom('loginCounter').execute()
const prove = (input: object) => school.nobody.ask(activationApi.prove, { schoolId: school.schoolId, ...input })
const activate = (input: object) =>
  school.nobody.ask(activationApi.activate, {
    schoolId: school.schoolId,
    newPassword: password,
    noticeVersion: 1,
    ...input,
  })

beforeAll(async () => {
  school = await newSchool()
  await school.rules({ activationWay: 'both' })
  students = await (await oneClass(school)).students(12)
  await school.ctx.db
    .updateTable('person')
    .set({ suiIdCard: seal(idCard, school.ctx.secrets), suiIdCardHash: sealedKey(idCard, school.ctx.secrets) })
    .where('suId', '=', students[1]!.suId)
    .execute()
  codes = await printSlips(school.admin, { suIds: students.map(({ suId }) => suId) })
})

describe('slips', () => {
  test('hold a code for each student who waits for one, class by class, and are printed by the right to give passwords', async () => {
    expect([...codes.keys()].toSorted()).toEqual(students.map(({ suiNumber }) => suiNumber).toSorted())
    const rows = await school.ctx.db.selectFrom('activationCode').selectAll().execute()
    expect(rows).toHaveLength(12)
    expect(JSON.stringify(rows)).not.toContain([...codes.values()][0]!.replaceAll('-', ''))
    const { records } = await school.admin.send(auditApi.list, { action: '打印账号激活单', pageSize: 20 })
    expect(records).toHaveLength(12)
    expect(JSON.stringify(records)).not.toContain([...codes.values()][0]!)
    const elsewhere = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: await school.college() }])
    const reason = '新生报到发放'
    expect(await elsewhere.client.ask(activationApi.slips, { suIds: [students[0]!.suId], reason })).toMatchObject({
      reason: 'not-found',
    })
    expect(await elsewhere.client.ask(activationApi.slips, { reason })).toMatchObject({ reason: 'nobody-to-activate' })
    const teacher = await school.person('GUIDE_TEACHER')
    expect((await teacher.client.ask(activationApi.slips, { reason })).status).toBe(403)
  })
  test('printed anew, those of before are void; they run out, and are cleared away', async () => {
    const [, , student] = students
    const before = codes.get(student!.suiNumber)!
    const after = (await printSlips(school.admin, { search: student!.suiNumber })).get(student!.suiNumber)!
    expect(after).not.toBe(before)
    expect(await prove({ suiNumber: student!.suiNumber, code: before })).toMatchObject(refused)
    expect((await prove({ suiNumber: ` ${student!.suiNumber} `, code: after.toLowerCase() })).code).toBe(200)
    await school.ctx.db
      .updateTable('activationCode')
      .set({ expireTime: '2020-01-01 00:00:00' })
      .where('suId', '=', student!.suId)
      .execute()
    expect(await activate({ suiNumber: student!.suiNumber, code: after })).toMatchObject(refused)
    await cleanUpSessions(school.ctx)
    expect(
      await school.ctx.db.selectFrom('activationCode').where('suId', '=', student!.suId).selectAll().execute(),
    ).toEqual([])
  })
})

describe('activation', () => {
  test('leads from a slip to a session, with the notice agreed to, once', async () => {
    const [student] = students
    const by = { suiNumber: student!.suiNumber, code: codes.get(student!.suiNumber)! }
    expect(await school.nobody.send(activationApi.ways, { schoolId: school.schoolId })).toEqual({
      ways: ['slip', 'identity'],
      passwordProfile: 'dengbao',
    })
    const proof = await prove(by)
    expect(proof.data).toEqual({ isRight: true })
    expect(await activate({ ...by, noticeVersion: 2 })).toMatchObject({ reason: 'notice-changed' })
    expect(await activate({ ...by, newPassword: 'short' })).toMatchObject({ reason: 'password-too-weak' })
    expect(await activate({ ...by, newPassword: `Aa-${student!.suiNumber}` })).toMatchObject({
      reason: 'password-guessable',
    })
    const replies = await Promise.all(Array.from({ length: 8 }, () => activate(by)))
    const [good, ...more] = replies.filter(({ code }) => code === 200)
    expect(more).toEqual([])
    // who was let through before the first one had done it is refused by the password that is theirs by then
    const refusals = replies.flatMap(({ code, reason }) => (code === 200 ? [] : [reason]))
    expect(refusals).toHaveLength(7)
    expect(['activation-refused', 'password-used-before']).toEqual(expect.arrayContaining([...new Set(refusals)]))
    const client = new Client(school.address, good!.data.access_token, student!.suId)
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({
      suNickname: student!.suiName,
      mustChangePwd: false,
      mustAcceptNotice: false,
    })
    await school.admin.send(noticeApi.accept, { version: 1 })
    await school.rules({ noticeAccept: '1' })
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ mustAcceptNotice: false })
    await school.rules({ noticeAccept: '0' })
    expect((await client.send(messageApi.inbox, {})).records).toMatchObject([{ iiTitle: '账号已激活' }])
    expect(await activate({ ...by, newPassword: 'Summer-2026!s' })).toMatchObject(refused)
    await signIn(school.address, school.schoolId, student!.suiNumber, password)
    const { records } = await school.admin.send(auditApi.list, { action: '激活账号' })
    expect(records).toContainEqual(
      expect.objectContaining({ result: 'ok', bizName: student!.suiName, reason: '凭激活单' }),
    )
  })
  test('goes by name and the end of the document where the school allows that, however they are typed', async () => {
    const [, student] = students
    const by = { suiNumber: student!.suiNumber, suiName: ` ${student!.suiName} `, idTail: '07003x' }
    expect((await prove(by)).data).toEqual({ isRight: true })
    await school.rules({ activationWay: 'slip' })
    expect(await activate(by)).toMatchObject({ reason: 'activation-closed' })
    await school.rules({ activationWay: 'both' })
    expect((await activate(by)).code).toBe(200)
    // the slip that the student has as well is void
    expect(await activate({ suiNumber: student!.suiNumber, code: codes.get(student!.suiNumber)! })).toMatchObject(
      refused,
    )
  })
  test('lists and filters tell who has yet to do it', async () => {
    const [first] = students
    const waiting = await school.admin.send(studentApi.list, { activated: yesNo.no, pageSize: 50 })
    const done = await school.admin.send(studentApi.list, { activated: yesNo.yes, pageSize: 50 })
    expect(done.records.map(({ suId }) => suId)).toContain(first!.suId)
    expect(waiting.records.every(({ activated }) => !activated)).toBe(true)
    expect(waiting.total + done.total).toBe(12)
  })
})

describe('attackers', () => {
  test('get one answer whatever is wrong, and no name', async () => {
    await forgetTries()
    const [active, , , student, other, off] = students
    await school.ctx.db
      .updateTable('account')
      .set({ suStatus: accountStatus.disabled })
      .where('suId', '=', off!.suId)
      .execute()
    const teacher = await school.person('GUIDE_TEACHER')
    const provided = students[6]!
    await school.ctx.db
      .updateTable('account')
      .set({ lastLoginTime: '2026-01-01 08:00:00' })
      .where('suId', '=', provided.suId)
      .execute()
    const right = (one: { suiNumber: string }) => codes.get(one.suiNumber)
    const guesses: [what: string, given: object][] = [
      ['a wrong code', { suiNumber: student!.suiNumber, code: 'AAAA-AAAA-AAAA' }],
      ['a code of somebody else', { suiNumber: student!.suiNumber, code: right(other!) }],
      ['a number that nobody has', { suiNumber: 'S0nobody', code: right(student!) }],
      ['the code of an account that is off', { suiNumber: off!.suiNumber, code: right(off!) }],
      ['the code of one that a provider has signed in', { suiNumber: provided.suiNumber, code: right(provided) }],
      ['the used code of an active account', { suiNumber: active!.suiNumber, code: right(active!) }],
      ['a member of staff', { suiNumber: teacher.suiNumber, suiName: teacher.suiName, idTail: '123456' }],
      [
        'identity data of whom none are known',
        { suiNumber: student!.suiNumber, suiName: student!.suiName, idTail: '000000' },
      ],
      ['identity data of nobody', { suiNumber: 'S0nobody', suiName: '张三', idTail: '000000' }],
    ]
    const answers = await Promise.all(
      guesses.flatMap(([what, given]) =>
        [prove(given), activate(given)].map(async (reply) => ({ what, ...(await reply) })),
      ),
    )
    for (const { what, status, code, reason, msg, data, errors } of answers)
      expect({ what, status, code, reason, msg, data, errors }, what).toEqual({
        what,
        status: answers[0]!.status,
        code: 300,
        reason: 'activation-refused',
        msg: answers[0]!.msg,
        data: null,
        errors: undefined,
      })
    for (const { suiName } of students) expect(JSON.stringify(answers)).not.toContain(suiName)
  })
  test('who guess identity data are stopped, and neither a slip nor a sign-in of the same number is', async () => {
    await forgetTries()
    const [active, identified] = students
    const slip = students[7]!
    for (const { suiNumber } of [active!, slip, identified!, { suiNumber: 'S0nobody' }]) {
      const guess = (idTail: string) => prove({ suiNumber, suiName: '张三', idTail })
      for (let n = 0; n < 5; n++) expect((await guess(`00000${n}`)).reason).toBe('activation-refused')
      expect(await guess('000009')).toMatchObject({ status: 429, reason: 'too-often' })
      // right data are not looked at any more either
      expect(await prove({ suiNumber, suiName: identified!.suiName, idTail: '07003X' })).toMatchObject({ status: 429 })
    }
    await signIn(school.address, school.schoolId, active!.suiNumber, password)
    for (let n = 0; n < 70; n++) await prove({ suiNumber: slip.suiNumber, code: `AAAA-AAAA-AA${10 + n}` })
    expect(await prove({ suiNumber: slip.suiNumber, code: 'AAAA-AAAA-AAAA' })).toMatchObject({ status: 429 })
    expect((await activate({ suiNumber: slip.suiNumber, code: codes.get(slip.suiNumber)! })).code).toBe(200)
    await forgetTries()
  })
  test('a sign-in name that is locked by wrong passwords does not keep its owner from activation', async () => {
    const student = students[8]!
    for (let n = 0; n < 6; n++)
      await school.nobody.ask(sessionApi.token, {
        grant_type: 'password',
        schoolId: school.schoolId,
        username: student.suiNumber,
        password: `wrong-${n}`,
      })
    expect((await activate({ suiNumber: student.suiNumber, code: codes.get(student.suiNumber)! })).code).toBe(200)
    await forgetTries()
  })
})

test('by default students get one-time passwords from staff, and a suspended or unknown school opens nothing', async () => {
  const own = await newSchool()
  const [student] = await (await oneClass(own)).students(1)
  const { schoolId } = own
  expect(await own.nobody.send(activationApi.ways, { schoolId })).toMatchObject({ ways: [] })
  expect(await own.nobody.send(activationApi.ways, { schoolId: 'nowhere' })).toMatchObject({ ways: [] })
  const reason = '新生报到发放'
  expect(await own.admin.ask(activationApi.slips, { suIds: [student!.suId], reason })).toMatchObject({
    reason: 'activation-slips-off',
  })
  await own.rules({ activationWay: 'slip' })
  const code = (await printSlips(own.admin, { suIds: [student!.suId] })).get(student!.suiNumber)!
  // whoever gets a password from staff meanwhile has an account in use, and the slip is void
  await own.ctx.db.updateTable('person').set({ birth: '2005-06-07' }).where('suId', '=', student!.suId).execute()
  await own.admin.send(passwordApi.reset, { suId: student!.suId, birth: '2005-06-07' })
  const by = { schoolId, suiNumber: student!.suiNumber, code, newPassword: password, noticeVersion: 1 }
  expect(await own.nobody.ask(activationApi.activate, by)).toMatchObject(refused)
  expect(await own.admin.ask(activationApi.slips, { suIds: [student!.suId], reason })).toMatchObject({
    reason: 'nobody-to-activate',
  })
})
