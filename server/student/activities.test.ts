import sharp from 'sharp'
import { expect, test } from 'vitest'
import { yesNo } from '../../contract/core/codes/platform.ts'
import {
  applyStatus,
  applyWay,
  lessonKind,
  lessonStatus,
  signStatus,
  signType,
} from '../../contract/core/codes/programme.ts'
import { fileApi } from '../../contract/platform/files/files.calls.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { admissionApi } from '../../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { signingApi } from '../../contract/programme/lessons/signing.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import type { Input } from '../../contract/core/call.ts'
import { addDays, addMinutes } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { schoolSettings } from '../school/school/settings.service.ts'
import { lessonWorld, untilNoon } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient as Student } from '../testing/own-side.ts'
import { applying, closed, move } from '../testing/participants.ts'

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
    can: [],
    sessions: [{ signInTime: expect.any(String) as string }],
  })
  const { records } = await world.teacher.client.send(registrationApi.view, { liId })
  expect(records[0]).toMatchObject({ suId: me.suId, laSignStatus: signStatus.signedIn })
  // who has not come may sign in until its time is over, and is told nothing else afterwards
  await join(other, liId)
  const { signCloseMinutes } = await schoolSettings(world.school.ctx, world.school.schoolId)
  await beginsIn(world, liId, -signCloseMinutes)
  expect((await look(other, liId)).can).toEqual(['sign'])
  await beginsIn(world, liId, -signCloseMinutes - 1)
  expect((await look(other, liId)).can).toEqual([])
})

test('a place is asked for only where the course says where it is', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const liId = await applying(world, {
    applyWay: applyWay.firstCome,
    signType: [signType.activityCode, signType.location],
  })
  await join(me, liId)
  expect((await look(me, liId)).needsPlace).toBe(false)
  await world.teacher.client.send(admissionApi.saveRules, { liId, signLng: 117.2272, signLat: 31.8206 })
  expect((await look(me, liId)).needsPlace).toBe(true)
  const elsewhere = await applying(world, { applyWay: applyWay.firstCome, signLng: 117.2272, signLat: 31.8206 })
  expect((await look(me, elsewhere)).needsPlace).toBe(false)
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

test('the list is narrowed by kind, module, level, place, days and credit, and says what else one does then', async () => {
  const world = await lessonWorld()
  const { school } = world
  const [me] = (await signedIn(world, 1)) as [Student]
  const hours = untilNoon(school.clock.now())
  const applyingAt = (more: object, at: number) => {
    const startTime = addMinutes(school.clock.now(), at * 60)
    return applying(world, { applyWay: applyWay.firstCome, startTime, endTime: addMinutes(startTime, 120), ...more })
  }
  const lecture = await applyingAt({ liKind: lessonKind.lecture, placeText: '东区礼堂' }, hours)
  const clashing = await applyingAt({ placeText: '西区操场', campus: '西校区' }, hours)
  const later = await applyingAt({}, hours + 24 * 10)
  const full = await applyingAt({ quota: 1 }, hours - 2)
  await world.enrol(full, await world.students(1))
  await move(world, later, { liCredit: 50 } as never)
  const found = async (input: Input<typeof ownActivityApi.list>) =>
    (await me.client.send(ownActivityApi.list, input)).records.map(({ liId }) => liId)
  // what is full comes after what one can register for, though it begins before
  expect(new Set((await found({})).slice(0, 3))).toEqual(new Set([lecture, clashing, later]))
  expect((await found({}))[3]).toBe(full)
  expect(await found({ liKind: lessonKind.lecture })).toEqual([lecture])
  expect(await found({ placeText: '西校区' })).toEqual([clashing])
  expect(await found({ placeText: '操场', liKind: lessonKind.lecture })).toEqual([])
  const day = school.clock.now().slice(0, 10)
  expect(await found({ beginDate: addDays(day, 11) })).toEqual([later])
  expect(await found({ minCredit: '0.5', liLevel: '6', lsId: school.curriculum['SXCL']! })).toEqual([later])
  expect(await found({ lsId: newId() })).toEqual([])
  expect(await me.client.send(ownActivityApi.list, { current: 2, pageSize: 10 })).toMatchObject({
    records: [],
    total: 4,
    pages: 1,
  })
  const choices = await me.client.send(ownActivityApi.choices, {})
  expect(choices).toMatchObject({
    kinds: [lessonKind.lecture, lessonKind.activity],
    modules: [{ id: school.curriculum['SXCL'] }],
    levels: [{ id: '6' }],
  })
  await join(me, lecture)
  const { records } = await me.client.send(ownActivityApi.list, {})
  const { liName } = records.find(({ liId }) => liId === lecture)!
  // nor does one look for what one has
  expect(records.map(({ liId }) => liId).slice(2)).toEqual([full, lecture])
  expect(records.find(({ liId }) => liId === clashing)).toMatchObject({ clash: liName, isOpen: true })
  // the list only warns; whoever tries is refused by the rule of the console
  expect((await join(me, clashing)).msg).toContain(liName)
})

test('who was there gives stars within the time the school allows; staff read their mean from five answers on', async () => {
  const world = await lessonWorld()
  const { school, teacher } = world
  const students = await signedIn(world, 5)
  const [me, absent] = students as [Student, Student]
  const liId = await world.published({}, 2)
  const rate = ({ client }: Student, laStars: number) => client.ask(ownActivityApi.rate, { liId, laStars })
  const laIds = await world.enrol(liId, students)
  const sign = (ids: string[]) =>
    teacher.client.send(registrationApi.sign, { laIds: ids, laSignStatus: signStatus.madeUp, reason: '当天网络故障' })
  const ended = { startTime: addMinutes(school.clock.now(), -120), endTime: addMinutes(school.clock.now(), -60) }
  await move(world, liId, ended)
  await sign(laIds.filter((_, at) => at !== 1))
  expect(await look(me, liId)).toMatchObject({ laStars: null, can: expect.arrayContaining(['rate']) as string[] })
  expect((await rate(absent, 1)).msg).toContain('到场')
  expect((await rate(me, 6)).code).toBe(300)
  expect((await rate(me, 2)).code).toBe(200)
  expect((await rate(me, 5)).code).toBe(200)
  expect(await look(me, liId)).toMatchObject({ laStars: 5, starsUntil: addDays(ended.endTime, 7) })
  for (const one of students.slice(2)) await rate(one, 4)
  expect((await teacher.client.send(lessonApi.details, { liId })).stars).toBeNull()
  await sign([laIds[1]!])
  await rate(absent, 3)
  expect((await teacher.client.send(lessonApi.details, { liId })).stars).toEqual({ mean: 4, answers: 5 })
  // staff see that, and not who gave which
  const { records } = await teacher.client.send(registrationApi.view, { liId })
  expect(JSON.stringify(records)).not.toContain('laStars')
  await school.rules({ starDays: 0 })
  expect((await rate(me, 1)).msg).toContain('未开放')
  await school.rules({ starDays: 1 })
  await move(world, liId, { endTime: addDays(school.clock.now(), -2), startTime: addDays(school.clock.now(), -3) })
  expect((await rate(me, 1)).msg).toContain('截止')
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

test('works that a course asks for are handed in from its beginning until its results are put forward', async () => {
  const world = await lessonWorld()
  const [me, other] = (await signedIn(world, 2)) as [Student, Student]
  const liId = await applying(world, { applyWay: applyWay.firstCome, workRequest: '一篇心得' })
  const handIn = ({ client }: Student, more: Partial<Input<typeof ownActivityApi.handIn>>) =>
    client.ask(ownActivityApi.handIn, { liId, ...more })
  const { client: teacher } = world.teacher
  await join(me, liId)
  expect((await handIn(me, { workText: '早了' })).reason).toBe('work-early')
  await beginsIn(world, liId, -30)
  expect((await handIn(other, { workText: '没有报名' })).status).toBe(404)
  expect(await look(me, liId)).toMatchObject({ workRequest: '一篇心得', work: null })
  expect((await look(me, liId)).can).toContain('work')
  expect((await handIn(me, { workText: '' })).errors).toEqual([
    { field: 'workText', msg: '请填写成果说明，或上传文件' },
  ])

  const photo = async ({ client }: Student, background: string) => {
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
      .jpeg()
      .toBuffer()
    return (await client.upload(fileApi.upload, { name: '作品.jpg', bytes }, { kind: 'image' })).data!.fileId
  }
  const [first, second, foreign] = [await photo(me, 'red'), await photo(me, 'green'), await photo(other, 'blue')]
  // what somebody else has uploaded is nobody's to hand in
  expect((await handIn(me, { workFiles: [foreign] })).code).toBe(300)
  expect((await handIn(me, { workText: '收获很多', workFiles: [first] })).code).toBe(200)
  // another one takes its place, and the file that has left it is given up
  expect((await handIn(me, { workText: '收获很多', workFiles: [second] })).code).toBe(200)
  expect((await me.client.ask(ownActivityApi.workFile, { id: first })).status).toBe(404)
  const seen = await look(me, liId)
  expect(seen.work).toMatchObject({ text: '收获很多', files: [{ id: second, name: '作品.jpg', kind: 'image' }] })

  const view = (more: object) => teacher.send(registrationApi.view, { liId, ...more })
  expect((await view({ hasWork: yesNo.yes })).records).toMatchObject([{ suId: me.suId, work: seen.work }])
  expect((await view({ hasWork: yesNo.no })).total).toBe(0)
  expect((await teacher.download(registrationApi.workFile, { id: second })).type).toBe('image/jpeg')
  // neither by another student nor by who may see any file of the school, nor by another school
  expect((await other.client.ask(ownActivityApi.workFile, { id: second })).status).toBe(404)
  expect((await teacher.ask(fileApi.view, { id: second })).status).toBe(404)
  const elsewhere = await lessonWorld()
  expect((await elsewhere.teacher.client.ask(registrationApi.workFile, { id: second })).status).toBe(404)

  await move(world, liId, { liStatus: lessonStatus.resultInReview })
  expect((await handIn(me, { workText: '晚了' })).reason).toBe('work-late')
  expect((await look(me, liId)).can).not.toContain('work')
})

test('whom an activity is for, what it asks, and what giving a place back costs stands on its page', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  await world.school.rules({ applyCredibility: 60, noShowLoss: 2, blackCount: 3, blackDays: 7 })
  const plain = await applying(world, { applyWay: applyWay.firstCome })
  const narrow = await applying(world, {
    applyWay: applyWay.firstCome,
    rangeGrades: ['1999'],
    rangeColleges: [await world.school.college('文学院'), await world.school.college('法学院')],
    rangeSexes: ['1'],
    minAttendRate: 80,
  })
  expect(await look(me, plain)).toMatchObject({
    conditions: [{ label: '诚信分', text: '不低于 60 分' }],
    leaving: expect.stringMatching(
      /前可自行取消报名；此后不能参加的请在活动开始前请假；录取后未到扣诚信分 2 分；每缺席 3 次暂停报名 7 天$/,
    ) as string,
  })
  await world.school.rules({ cancelUntil: 'start' })
  expect((await look(me, plain)).leaving).toMatch(/前可自行取消报名；不能参加的请在活动开始前请假；/)
  expect((await look(me, narrow)).conditions).toEqual([
    { label: '面向学院', text: expect.stringMatching(/^(文学院、法学院|法学院、文学院)$/) as string },
    { label: '面向年级', text: '1999 级' },
    { label: '性别', text: '男' },
    { label: '诚信分', text: '不低于 60 分' },
    { label: '出勤', text: '不少于 80% 的场次，否则不予认定' },
  ])
})
