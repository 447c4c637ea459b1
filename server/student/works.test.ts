import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Input } from '../../contract/core/call.ts'
import { applyWay, lessonStatus, signStatus } from '../../contract/core/codes/programme.ts'
import { fileState, yesNo } from '../../contract/core/codes/platform.ts'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { fileApi } from '../../contract/platform/files/files.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { addMinutes } from '../core/base/clock.ts'
import { lessonWorld, type LessonWorld } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient as Student } from '../testing/own-side.ts'
import { applying, move } from '../testing/participants.ts'

const workRequest = '一篇心得'

/** A course that has begun and asks for works, with a student who takes part in it. */
async function begun(world: LessonWorld, student: Student) {
  const liId = await applying(world, { applyWay: applyWay.firstCome, workRequest })
  await student.client.send(ownActivityApi.join, { liId })
  await beginsIn(world, liId, -30)
  const { records } = await world.teacher.client.send(registrationApi.view, { liId })
  return { liId, laId: records[0]!.laId }
}

const photo = async ({ client }: Student, background = 'red') => {
  const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return (await client.upload(fileApi.upload, { name: '作品.jpg', bytes }, { kind: 'image' })).data!.fileId
}

const handIn = ({ client }: Student, liId: string, more: Partial<Input<typeof ownActivityApi.handIn>>) =>
  client.ask(ownActivityApi.handIn, { liId, ...more })

const stateOf = async ({ school }: LessonWorld, fileId: string) =>
  (
    await school.ctx.db
      .selectFrom('file')
      .select(['fileState', 'uses'])
      .where('schoolId', '=', school.schoolId)
      .where('fileId', '=', fileId)
      .executeTakeFirstOrThrow()
  ).fileState

test('the files of a deleted participation are given up', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const { liId, laId } = await begun(world, me)
  const file = await photo(me)
  expect((await handIn(me, liId, { workText: '收获很多', workFiles: [file] })).code).toBe(200)
  expect(await stateOf(world, file)).toBe(fileState.inUse)
  await world.teacher.client.send(registrationApi.delJoin, { ids: [laId] })
  expect(await stateOf(world, file)).toBe(fileState.abandoned)
  const row = await world.school.ctx.db
    .selectFrom('registration')
    .select(['workText', 'workFiles', 'workTime'])
    .where('schoolId', '=', world.school.schoolId)
    .where('laId', '=', laId)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ workText: '', workFiles: [], workTime: null })
})

test('the works of a course that is put out of sight are given up with it, of those who were removed too', async () => {
  const world = await lessonWorld()
  const [me, out] = (await signedIn(world, 2)) as [Student, Student]
  const { liId, laId } = await begun(world, me)
  const [mine, theirs] = [await photo(me), await photo(out, 'green')]
  await handIn(me, liId, { workText: '收获很多', workFiles: [mine] })
  const [gone] = await world.enrol(liId, [out])
  await handIn(out, liId, { workText: '也有收获', workFiles: [theirs] })
  await world.teacher.client.send(registrationApi.remove, { laId: [gone!] })
  expect([await stateOf(world, mine), await stateOf(world, theirs)]).toEqual([fileState.inUse, fileState.inUse])
  const reason = '重复创建，按校团委意见删除'
  await world.teacher.client.send(lessonApi.cancel, { liId, reason })
  await world.school.admin.send(lessonApi.purge, { liId, reason })
  expect([await stateOf(world, mine), await stateOf(world, theirs)]).toEqual([fileState.abandoned, fileState.abandoned])
  const rows = await world.school.ctx.db
    .selectFrom('registration')
    .select(['workText', 'workFiles', 'workTime', 'delFlag'])
    .where('schoolId', '=', world.school.schoolId)
    .where('laId', 'in', [laId, gone!])
    .execute()
  // that they took part stays
  expect(rows).toEqual(Array(2).fill({ workText: '', workFiles: [], workTime: null, delFlag: yesNo.no }))
})

test('who comes back to a course begins without the work and the stars of before', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const { liId, laId } = await begun(world, me)
  const { client: teacher } = world.teacher
  const file = await photo(me)
  await handIn(me, liId, { workText: '收获很多', workFiles: [file] })
  await world.school.ctx.db
    .updateTable('registration')
    .set({ laStars: 2, laSignStatus: signStatus.signedIn })
    .where('schoolId', '=', world.school.schoolId)
    .where('laId', '=', laId)
    .execute()
  await teacher.send(registrationApi.remove, { laId: [laId] })
  // of one who was removed it stays where the organiser can look
  expect(await stateOf(world, file)).toBe(fileState.inUse)
  await teacher.send(registrationApi.add, { liId, suIds: [me.suId] })
  expect(await me.client.send(ownActivityApi.detail, { liId })).toMatchObject({ laId, work: null, laStars: null })
  expect((await teacher.send(registrationApi.view, { liId })).records).toMatchObject([{ laId, work: null }])
  expect(await stateOf(world, file)).toBe(fileState.abandoned)
})

test('what is asked for is not emptied while works are there, at once or by a change that waits', async () => {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const { teacher, leader, school } = world
  const [me] = (await signedIn(world, 1)) as [Student]
  const pass = async () => {
    const { records } = await leader.client.send(approvalApi.publishQueue, {})
    await leader.client.send(approvalApi.publishPass, { taskIds: records.map(({ taskId }) => taskId) })
  }
  const form = world.form({ workRequest })
  const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  await pass()
  await teacher.client.send(lessonApi.publish, { liId })
  await world.enrol(liId, [me])
  const details = () => teacher.client.send(lessonApi.details, { liId })
  const save = async (more: object) =>
    teacher.client.ask(lessonApi.save, { ...form, liId, version: (await details()).version, ...more })

  // proposed before anybody could hand in, decided afterwards
  expect(await save({ workRequest: '', liHours: '3' })).toMatchObject({ data: { isChanging: true } })
  const now = school.clock.now()
  await move(world, liId, { startTime: addMinutes(now, -30) })
  expect((await handIn(me, liId, { workText: '收获很多' })).code).toBe(200)
  await pass()
  expect(await details()).toMatchObject({ workRequest, liHours: '3', liStatus: lessonStatus.published })

  await move(world, liId, { startTime: form.startTime as string })
  expect((await save({ workRequest: undefined, liHours: '3' })).errors).toEqual([
    { field: 'workRequest', msg: '已有 1 人提交成果，不能清空成果要求；请保留要求，需要时只修改文字' },
  ])
  expect((await save({ workRequest: '一篇 800 字的心得', liHours: '3' })).code).toBe(200)
  expect(await details()).toMatchObject({ workRequest: '一篇 800 字的心得' })
})

test('a file that is named twice is handed in once, and counts once for how many there may be', async () => {
  const world = await lessonWorld()
  const [me] = (await signedIn(world, 1)) as [Student]
  const { liId } = await begun(world, me)
  const [first, second] = [await photo(me), await photo(me, 'green')]
  expect((await handIn(me, liId, { workFiles: [second, first, second, first, second, first] })).code).toBe(200)
  const { work } = await me.client.send(ownActivityApi.detail, { liId })
  expect(work!.files.map(({ id }) => id)).toEqual([second, first])
})
