import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { applyStatus, credibilityReason } from '../../../contract/core/codes/programme.ts'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import { backgroundApi, type BackgroundTask } from '../../../contract/platform/background/background.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { teamApi } from '../../../contract/programme/lessons/teams.calls.ts'
import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { runBackground, whenOver } from '../../testing/background.ts'
import type { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, oneClass, recordPlans } from '../../testing/ledger.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { applying } from '../../testing/participants.ts'
import { newSchool } from '../../testing/school.ts'
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
