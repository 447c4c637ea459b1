import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { applyStatus, credibilityReason, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import { backgroundApi, type BackgroundTask } from '../../../contract/platform/background/background.calls.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { teamApi } from '../../../contract/programme/lessons/teams.calls.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { runBackground, whenOver } from '../../testing/background.ts'
import type { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, oneClass, recordPlans } from '../../testing/ledger.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { applying } from '../../testing/participants.ts'
import { newSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'
import { forTeams, found, register } from '../../testing/teams.ts'

await useOwnDatabase()

let runner: JobRunner
beforeAll(async () => {
  runner = await runBackground()
})
afterAll(() => runner.stop(100))

/** Does an action to all rows of a list as the console asks for it, and gives the task once it is over. */
async function onAll(
  client: Client,
  list: Call,
  filter: Record<string, unknown>,
  act: Call,
  given: Record<string, unknown>,
): Promise<BackgroundTask> {
  const where = { list: fullPath(list), filter }
  const { total } = await client.send(backgroundApi.countAll, where)
  const { btId } = await client.send(backgroundApi.actOnAll, { ...where, act: fullPath(act), given, total })
  return whenOver(client, btId)
}

test('all transcripts that the list finds are revoked for one reason; one that was revoked before stays as it was', async () => {
  const school = await newSchool()
  const { admin } = school
  const students = await (await oneClass(school)).students(3)
  for (const student of students) await grantRecord(school, student, recordPlans[0]!)
  await admin.download(transcriptApi.export, { suIds: students.map(({ suId }) => suId) })
  const issues = async () => (await admin.send(issueApi.list, { pageSize: 50 })).records
  const [first] = await issues()
  await admin.send(issueApi.revoke, { ids: [first!.tiId], reason: '姓名有误，重新签发' })
  const task = await onAll(admin, issueApi.list, {}, issueApi.revoke, { reason: '版式有误，全部重新签发' })
  expect(task).toMatchObject({ total: 3, doneCount: 2, refusedCount: 1 })
  const after = await issues()
  expect(after.map(({ tiStatus }) => tiStatus)).toEqual(after.map(() => issueStatus.revoked))
  expect(after.find(({ tiId }) => tiId === first!.tiId)!.revokeReason).toBe('姓名有误，重新签发')
})

test('the memberships of a role end on one day, but for that of whoever asks and those of other roles', async () => {
  const school = await newSchool()
  const { admin, roles, adminId } = school
  const srId = roles['SCHOOL_ADMIN']!
  await school.person('SCHOOL_ADMIN')
  await school.person('SCHOOL_ADMIN')
  const endOf = async (id: string) =>
    new Map(
      (await admin.send(memberApi.list, { srId: id, pageSize: 50 })).records.map((row) => [row.suId, row.endDate]),
    )
  const given = { srId, endDate: '2099-01-31' }
  expect(await onAll(admin, memberApi.list, { srId }, memberApi.setEnd, given)).toMatchObject({
    total: 3,
    doneCount: 2,
    refusedCount: 1,
  })
  const ends = await endOf(srId)
  expect(ends.get(adminId)).toBeNull()
  expect([...ends.values()].filter((end) => end === '2099-01-31')).toHaveLength(2)
  // a filter that finds members of another role changes nothing of theirs
  const other = await school.person('SIGN_MGR')
  const otherRole = roles['SIGN_MGR']!
  expect(await onAll(admin, memberApi.list, { srId: otherRole }, memberApi.setEnd, given)).toMatchObject({
    doneCount: 0,
    refusedCount: 1,
  })
  expect((await endOf(otherRole)).get(other.suId)).toBeNull()
})

test('all members of a role are removed, but for who must stay; those of other roles stay', async () => {
  const school = await newSchool()
  const { admin, roles, adminId } = school
  const srId = roles['NEWS_EDITOR']!
  const members = async (id: string) =>
    (await admin.send(memberApi.list, { srId: id, pageSize: 50 })).records.map(({ suId }) => suId)
  for (let at = 0; at < 3; at++) await school.person('NEWS_EDITOR')
  expect(await onAll(admin, memberApi.list, { srId }, memberApi.remove, { srId })).toMatchObject({
    total: 3,
    doneCount: 3,
    refusedCount: 0,
  })
  expect(await members(srId)).toEqual([])
  // a school keeps an administrator
  const admins = roles['SCHOOL_ADMIN']!
  expect(await onAll(admin, memberApi.list, { srId: admins }, memberApi.remove, { srId: admins })).toMatchObject({
    doneCount: 0,
    refusedCount: 1,
  })
  expect(await members(admins)).toEqual([adminId])
  const other = await school.person('SIGN_MGR')
  expect(
    await onAll(admin, memberApi.list, { srId: roles['SIGN_MGR']! }, memberApi.remove, { srId: admins }),
  ).toMatchObject({ doneCount: 0, refusedCount: 1 })
  expect(await members(roles['SIGN_MGR']!)).toEqual([other.suId])
})

test('what is kept of all students that the list finds is taken back, but for who was held before', async () => {
  const school = await newSchool()
  const { admin } = school
  const students = await (await oneClass(school)).students(3)
  const [before] = students
  await admin.send(graduationApi.hold, { ids: [before!.suId], reason: '涉及诉讼，须保留' })
  const held = async () =>
    (await admin.send(graduationApi.erasures, {})).held.map(({ suId, holdReason }) => [suId, holdReason]).toSorted()
  const task = await onAll(admin, studentApi.list, {}, graduationApi.hold, {
    hold: true,
    reason: '校庆期间须联系校友',
  })
  expect(task).toMatchObject({ total: 3, doneCount: 2, refusedCount: 1, can: ['undo', 'results'] })
  expect((await held()).map(([, reason]) => reason).toSorted()).toEqual(
    ['校庆期间须联系校友', '校庆期间须联系校友', '涉及诉讼，须保留'].toSorted(),
  )
  // whoever is held for another reason by now stays so
  const since = students[2]!
  await admin.send(graduationApi.hold, { ids: [since.suId], hold: false, reason: '不再参加校庆' })
  await admin.send(graduationApi.hold, { ids: [since.suId], reason: '学籍档案待核对' })
  const undone = await admin.send(backgroundApi.undo, { btId: task.btId })
  expect(await whenOver(admin, undone.btId)).toMatchObject({ doneCount: 1, refusedCount: 1 })
  const left = [
    [before!.suId, '涉及诉讼，须保留'],
    [since.suId, '学籍档案待核对'],
  ].toSorted()
  expect(await held()).toEqual(left)
  // what is let go is not held anew for whatever reason it had
  const letGo = await onAll(admin, studentApi.list, {}, graduationApi.hold, { hold: '0', reason: '诉讼已经结束' })
  expect(letGo).toMatchObject({ doneCount: 2, can: ['results'] })
  expect(await admin.ask(backgroundApi.undo, { btId: letGo.btId })).toMatchObject({ reason: 'background-undo-late' })
  expect(await held()).toEqual([])
})

test('the credibility of all students that the list finds is changed, and of no others', async () => {
  const school = await newSchool()
  const { admin } = school
  const [mine, others] = [await oneClass(school), await oneClass(school)]
  await mine.students(3)
  await others.students(1)
  const points = async (scClassId: string) =>
    (await admin.send(studentApi.list, { scClassId, pageSize: 50 })).records.map(({ suiCredibility }) => suiCredibility)
  const [before] = await points(mine.scClassId)
  const given = { change: -5, reasonCode: credibilityReason.manual, reason: '集体违反活动纪律' }
  expect(
    await onAll(admin, studentApi.list, { scClassId: mine.scClassId }, credibilityApi.update, given),
  ).toMatchObject({ total: 3, doneCount: 3, refusedCount: 0 })
  expect(await points(mine.scClassId)).toEqual([before! - 5, before! - 5, before! - 5])
  expect(await points(others.scClassId)).toEqual([before!])
})

test('all courses whose result is approved go into public notice, all that are completed into the archive', async () => {
  const school = await newSchool()
  const { admin } = school
  const stored = (liStatus: string, more = {}) =>
    storeLesson(school, {
      liStatus,
      publictyDays: 4,
      startTime: '2020-01-01 08:00:00',
      ...more,
      endTime: '2020-01-01 10:00:00',
    })
  const waiting = [await stored(lessonStatus.resultPassed), await stored(lessonStatus.resultPassed)]
  const done = await stored(lessonStatus.completed)
  const draft = await stored(lessonStatus.draft)
  const notice = await onAll(admin, lessonApi.view, {}, lessonApi.publictyMany, {})
  expect(notice).toMatchObject({ total: 4, doneCount: 2, refusedCount: 2 })
  const from = school.clock.now().slice(0, 10)
  const { to } = await admin.send(schoolApi.workday, { from, days: 4 })
  for (const liId of waiting)
    expect(await admin.send(lessonApi.details, { liId })).toMatchObject({
      liStatus: lessonStatus.inNotice,
      liPublictySdate: `${from} 00:00:00`,
      liPublictyEdate: `${to} 23:59:59`,
    })
  expect(await onAll(admin, lessonApi.view, {}, lessonApi.archiveMany, {})).toMatchObject({
    doneCount: 1,
    refusedCount: 3,
  })
  expect(await admin.send(lessonApi.details, { liId: done })).toMatchObject({ liStatus: lessonStatus.archived })
  // the same for those that are ticked, each by itself
  expect(await admin.send(lessonApi.archiveMany, { liIds: [done, draft] })).toMatchObject({
    affected: 0,
    failed: [{ id: done }, { id: draft }],
  })
})

test('all teams of a course are passed; one that still forms is told', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await applying(world, { ...forTeams, quota: 20 })
  const students = await world.students(8)
  for (const at of [0, 2, 4]) await register(world, liId, students.slice(at, at + 2))
  await found(world, liId, students.slice(6))
  expect(await onAll(client, teamApi.view, { liId }, teamApi.pass, {})).toMatchObject({
    total: 4,
    doneCount: 3,
    refusedCount: 1,
  })
  const teams = (await client.send(teamApi.view, { liId, pageSize: 50 })).records
  expect(teams.filter(({ laStatus }) => laStatus === applyStatus.accepted)).toHaveLength(3)
})
