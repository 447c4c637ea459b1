import { expect, test } from 'vitest'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, signStatus } from '../../contract/core/codes/programme.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { addMinutes } from '../core/base/clock.ts'
import { lessonWorld } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient as Student } from '../testing/own-side.ts'
import { applying, closed } from '../testing/participants.ts'

const look = ({ client }: Student, liId: string) => client.send(ownActivityApi.detail, { liId })
const join = ({ client }: Student, liId: string) => client.ask(ownActivityApi.join, { liId })

test('students register for themselves in time, in order, and only as many as there are places', async () => {
  const world = await lessonWorld()
  const students = await signedIn(world, 4)
  const [me, other, third, fourth] = students as [Student, Student, Student, Student]
  const liId = await applying(world, { applyWay: applyWay.firstCome, quota: 1, waitlistOn: yesNo.yes })
  const later = await applying(world, {
    applyWay: applyWay.firstCome,
    applyStart: addMinutes(world.school.clock.now(), 30),
  })
  const { records } = await me.client.send(ownActivityApi.list, {})
  // what is open comes first
  expect(records.map((row) => [row.liId, row.isOpen])).toEqual([
    [liId, true],
    [later, false],
  ])
  expect(await look(me, liId)).toMatchObject({
    can: ['join'],
    verdict: '',
    laStatus: null,
    principalName: world.teacher.suiName,
  })
  expect(await look(me, later)).toMatchObject({ can: [], verdict: expect.stringContaining('报名将于') as string })

  expect(await join(me, liId)).toMatchObject({ code: 200, data: { laStatus: applyStatus.accepted } })
  expect(await join(me, liId)).toMatchObject({ code: 300 })
  expect(await join(other, liId)).toMatchObject({ data: { laStatus: applyStatus.waitlisted, waitNo: 1 } })
  expect(await join(third, liId)).toMatchObject({ data: { laStatus: applyStatus.waitlisted, waitNo: 2 } })
  // whoever goes gives their place to the first who waits
  await me.client.send(ownActivityApi.cancel, { liId })
  expect(await look(other, liId)).toMatchObject({ laStatus: applyStatus.accepted, can: ['cancel', 'leave', 'sign'] })
  expect((await other.client.send(messageApi.inbox, {})).records[0]!.iiTitle).toContain('候补')
  // staff see who came by themselves
  const { records: rows } = await world.teacher.client.send(registrationApi.view, { liId })
  expect(rows.find(({ suId }) => suId === other.suId)).toMatchObject({ applyFrom: 'self' })
  await closed(world, liId)
  expect((await join(fourth, liId)).msg).toContain('已于')
  expect((await third.client.send(ownActivityApi.list, { mine: '1' })).records.map((row) => row.liId)).toEqual([liId])
})

test('what is not for a student is not shown and not joined; a course of another school is not there', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const elsewhere = await world.school.college()
  const liId = await applying(world, { applyWay: applyWay.firstCome, rangeColleges: [elsewhere] })
  expect((await me.client.send(ownActivityApi.list, {})).total).toBe(0)
  expect((await look(me, liId)).verdict).toContain('范围')
  expect((await join(me, liId)).code).toBe(300)
  const byList = await world.published({})
  expect(await look(me, byList)).toMatchObject({ can: [], verdict: expect.stringContaining('由组织者导入') as string })
  const foreign = await lessonWorld()
  const theirs = await applying(foreign, { applyWay: applyWay.firstCome })
  expect((await me.client.ask(ownActivityApi.detail, { liId: theirs })).status).toBe(404)
  expect((await me.client.ask(ownActivityApi.join, { liId: theirs })).status).toBe(404)
  expect((await world.school.admin.ask(ownActivityApi.list, {})).status).toBe(403)
  // the right of a student opens nothing of the console
  expect((await me.client.ask(registrationApi.add, { liId, suIds: [me.suId] } as never)).status).toBe(403)
})

test('a student signs in by the code on the screen, is told at once, and staff see it', async () => {
  const world = await lessonWorld()
  const [me, other] = (await signedIn(world, 2)) as [Student, Student]
  const liId = await applying(world, { applyWay: applyWay.firstCome })
  await join(me, liId)
  await beginsIn(world, liId, 10)
  const { code } = await world.teacher.client.send(signingApi.board, { liId })
  expect((await other.client.ask(ownActivityApi.sign, { code: code! })).code).toBe(300)
  expect((await me.client.ask(ownActivityApi.sign, { code: 'EK1.nonsense.x' })).code).toBe(300)
  expect((await me.client.ask(ownActivityApi.sign, { code: '123456' })).msg).toContain('先打开')
  const signed = await me.client.send(ownActivityApi.sign, { code: code! })
  expect(signed).toMatchObject({ liId, text: expect.stringContaining('签到成功') as string })
  expect(await look(me, liId)).toMatchObject({
    laSignStatus: signStatus.signedIn,
    can: ['sign'],
    sessions: [{ signInTime: expect.any(String) as string }],
  })
  const { records } = await world.teacher.client.send(registrationApi.view, { liId })
  expect(records[0]).toMatchObject({ suId: me.suId, laSignStatus: signStatus.signedIn })
})

test('leave is asked for with a reason before the beginning, where the school allows it', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const liId = await applying(world, { applyWay: applyWay.firstCome })
  await join(me, liId)
  await world.school.rules({ leaveAllowed: yesNo.no })
  expect((await me.client.ask(ownActivityApi.leave, { liId, reason: '家中有事需要回家' })).code).toBe(300)
  await world.school.rules({ leaveAllowed: yesNo.yes })
  expect((await look(me, liId)).can).toContain('leave')
  await me.client.send(ownActivityApi.leave, { liId, reason: '家中有事需要回家' })
  expect(await look(me, liId)).toMatchObject({ laStatus: applyStatus.onLeave, can: [] })
})

test('what the organiser asks is answered at registration, shown to them and exported; unanswered nobody registers', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const liId = await applying(world, { applyWay: applyWay.review, applyQuestions: '衣服尺码？\n有什么特长' })
  expect(await look(me, liId)).toMatchObject({ questions: ['衣服尺码？', '有什么特长'], answers: [], can: ['join'] })
  const answering = (answers: { question: string; answer: string }[]) =>
    me.client.ask(ownActivityApi.join, { liId, answers })
  const size = { question: '衣服尺码？', answer: 'L' }
  expect(await answering([size])).toMatchObject({ errors: [{ field: 'answers', msg: '请回答“有什么特长”' }] })
  const given = [size, { question: '有什么特长', answer: '摄影' }]
  expect(await answering([...given, { question: '没有问过', answer: '多余' }])).toMatchObject({ code: 200 })
  expect(await look(me, liId)).toMatchObject({ answers: given })
  const { client } = world.teacher
  expect((await client.send(registrationApi.view, { liId })).records[0]).toMatchObject({ applyAnswers: given })
  const { bytes } = await client.download(registrationApi.export, { liId }, 'text/csv')
  expect(bytes.toString('utf8')).toContain('衣服尺码：L')
  // what was answered stays with its question; who comes back answers anew
  await me.client.send(ownActivityApi.cancel, { liId })
  await answering(given.map((one) => ({ ...one, answer: '改了' })))
  expect((await look(me, liId)).answers.map(({ answer }) => answer)).toEqual(['改了', '改了'])
})
