import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { applyStatus, lessonStatus, signStatus } from '../../../contract/core/codes/programme.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { backgroundApi, undoMinutes } from '../../../contract/platform/background/background.calls.ts'
import { approvalApi } from '../../../contract/programme/approvals/approvals.calls.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { addMinutes } from '../../core/base/clock.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { approvalWorld, one } from '../../testing/approvals.ts'
import { runBackground, whenOver } from '../../testing/background.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool } from '../../testing/school.ts'

await useOwnDatabase()

let runner: JobRunner
beforeAll(async () => {
  runner = await runBackground()
})
afterAll(() => runner.stop(100))

test('accounts switched off together come back together, but for those that were off before', async () => {
  const school = await newSchool()
  const { admin } = school
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId)
  const students = await school.students(7, { suiCollegeId, majorId, scClassId })
  const [before] = students
  await admin.send(studentApi.switch, { ids: [before!.suId], suStatus: accountStatus.disabled })
  const list = fullPath(studentApi.list)
  const disabled = async () =>
    (await admin.send(studentApi.list, { suStatus: accountStatus.disabled, pageSize: 50 })).records.map(
      ({ suId }) => suId,
    )
  const { btId } = await admin.send(backgroundApi.actOnAll, {
    list,
    filter: { classId: scClassId },
    act: fullPath(studentApi.switch),
    given: { suStatus: accountStatus.disabled },
    total: 7,
  })
  expect(await whenOver(admin, btId)).toMatchObject({ doneCount: 6, refusedCount: 1, can: ['undo', 'results'] })
  expect(await disabled()).toHaveLength(7)
  const undone = await admin.send(backgroundApi.undo, { btId })
  expect(undone.total).toBe(6)
  expect(await whenOver(admin, undone.btId)).toMatchObject({ btTitle: '撤销：启用或停用学生账号', doneCount: 6 })
  expect(await disabled()).toEqual([before!.suId])
  expect(await admin.ask(backgroundApi.undo, { btId })).toMatchObject({ reason: 'background-undo-late' })
  expect(await admin.ask(backgroundApi.undo, { btId: undone.btId })).toMatchObject({ reason: 'background-undo-late' })
})

test('a queue is passed as a whole and taken back as a whole, longer than a single decision', async () => {
  const world = await approvalWorld('a', ({ a }) => [one(a)])
  const { client } = world.a
  const courses = [await world.submitted(), await world.submitted(), await world.submitted()]
  const states = () => Promise.all(courses.map((liId) => world.stateOf(liId)))
  const { btId } = await client.send(backgroundApi.actOnAll, {
    list: fullPath(approvalApi.publishQueue),
    filter: { tab: 'todo' },
    act: fullPath(approvalApi.publishPass),
    given: { opinion: '同意' },
    total: 3,
  })
  expect(await whenOver(client, btId)).toMatchObject({ btTitle: '通过发布审批', doneCount: 3, refusedCount: 0 })
  expect(await states()).toEqual(courses.map(() => lessonStatus.publishPassed))
  const { school } = world
  // a decision by hand could be taken back for half a minute only
  await school.ctx.db
    .updateTable('backgroundTask')
    .set({ endTime: addMinutes(school.clock.now(), 1 - undoMinutes) })
    .where('btId', '=', btId)
    .execute()
  const undone = await client.send(backgroundApi.undo, { btId })
  expect(await whenOver(client, undone.btId)).toMatchObject({ doneCount: 3, refusedCount: 0 })
  expect(await states()).toEqual(courses.map(() => lessonStatus.publishInReview))
  expect((await client.send(approvalApi.publishQueue, {})).total).toBe(3)
})

test('the participants of a course are signed in, rated and removed by what the list finds; whoever does not fit is named', async () => {
  const world = await lessonWorld()
  const { teacher, school } = world
  const liId = await world.published({ quota: 50 })
  const students = await world.students(12)
  const laIds = await world.enrol(liId, students)
  const { client } = teacher
  await client.send(registrationApi.remove, { laId: laIds[0]!, reason: '本人申请退出' })
  await school.ctx.db
    .updateTable('lesson')
    .set({ startTime: addMinutes(school.clock.now(), -60), endTime: addMinutes(school.clock.now(), 60) })
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()
  const all = async (filter: object, act: Parameters<typeof fullPath>[0], given: Record<string, unknown>) => {
    const where = { list: fullPath(registrationApi.view), filter: { liId, ...filter } }
    const { total } = await client.send(backgroundApi.countAll, where)
    const { btId } = await client.send(backgroundApi.actOnAll, { ...where, act: fullPath(act), given, total })
    return whenOver(client, btId)
  }
  const signed = await all({}, registrationApi.sign, { laSignStatus: signStatus.signedIn })
  expect(signed).toMatchObject({ btStatus: backgroundStatus.done, doneCount: 11 })
  const rows = (await client.send(registrationApi.view, { liId, pageSize: 50 })).records
  expect(rows.filter(({ laSignStatus }) => laSignStatus === signStatus.signedIn)).toHaveLength(11)
  expect(
    await all({ suiNumber: students[3]!.suiNumber }, registrationApi.remove, { reason: '不符合参与要求' }),
  ).toMatchObject({ total: 1, doneCount: 1 })
  const left = (await client.send(registrationApi.view, { liId, laStatus: applyStatus.accepted, pageSize: 50 })).records
  expect(left.map(({ suId }) => suId)).not.toContain(students[3]!.suId)
  expect(left).toHaveLength(10)
})
