import { beforeAll, expect, test } from 'vitest'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { circleApplyType, circleMemberRole } from '../../../contract/core/codes/programme.ts'
import { circleMemberSheet } from '../../../contract/programme/circles/circles.sheets.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { circleLessonApi } from '../../../contract/programme/lessons/circle-lessons.calls.ts'
import { circleWorld, type CircleWorld } from '../../testing/circles.ts'
import { csvOf } from '../../testing/csv.ts'
import type { TestPerson } from '../../testing/school.ts'

/** What the league secretary of a class reads of circles that students of the class are in, and that this is all. */
let w: CircleWorld
let secretary: TestPerson
let own: { suId: string; suiName: string; suiNumber: string }[]
let joined: string
let foreign: string
const all = { current: 1, pageSize: 50 }

beforeAll(async () => {
  w = await circleWorld()
  const { school, scId, students } = w
  const majorId = await school.major(scId)
  const scClassId = await school.schoolClass(majorId, scId)
  secretary = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: scClassId }])
  own = await school.students(2, { suiCollegeId: scId, majorId, scClassId })
  joined = await w.founded({ personIds: [...students.slice(0, 2).map(({ suId }) => suId), own[0]!.suId] })
  foreign = await w.founded()
})

test('circles that students of the class are in are listed and shown, others are not', async () => {
  const { records, total } = await secretary.client.send(circleApi.list, all)
  expect([total, records.map(({ ciId }) => ciId)]).toEqual([1, [joined]])
  expect(records[0]!.can).toEqual([])
  expect((await secretary.client.ask(circleApi.detail, { ciId: foreign })).reason).toBe('not-found')
  const detail = await secretary.client.send(circleApi.detail, { ciId: joined })
  // of the members only those of the class, though their number is told
  expect([detail.memberCount, detail.persons.map(({ suId }) => suId), detail.personIds]).toEqual([
    3,
    [own[0]!.suId],
    [own[0]!.suId],
  ])
  expect((await secretary.client.send(circleApi.members, { ...all, ciId: joined })).records).toMatchObject([
    { suId: own[0]!.suId, cmRole: circleMemberRole.member },
  ])
  expect((await secretary.client.send(circleLessonApi.ofCircle, { ...all, ciId: joined })).total).toBe(0)
  const { records: ofStudent } = await secretary.client.send(circleApi.ofStudent, { ...all, suId: own[0]!.suId })
  expect(ofStudent).toMatchObject([{ ciId: joined, opens: true }])
})

test('of applications those for students of the class', async () => {
  const { school, students } = w
  const outsider = students[4]!
  for (const { suId } of [own[1]!, outsider])
    await w.teacher.client.send(circleApplyApi.apply, {
      ciId: joined,
      caType: circleApplyType.joining,
      cpiPersonId: suId,
      applyReason: '喜欢这个圈子的活动',
    })
  const { records } = await secretary.client.send(circleApplyApi.list, all)
  expect(records.map(({ cpiPersonId, can }) => ({ cpiPersonId, can }))).toEqual([
    { cpiPersonId: own[1]!.suId, can: [] },
  ])
  expect((await school.admin.send(circleApplyApi.list, { ...all, ciId: joined })).total).toBeGreaterThan(1)
})

test('nothing is written by it: not with the rights of others, not by a sheet, not as the circle of a course', async () => {
  const { school } = w
  const role = { schoolId: school.schoolId, srId: school.roles['LEAGUE_SEC']! }
  const { permits } = await school.ctx.db
    .selectFrom('role')
    .select('permits')
    .where('schoolId', '=', role.schoolId)
    .where('srId', '=', role.srId)
    .executeTakeFirstOrThrow()
  await school.ctx.db
    .updateTable('role')
    .set({ permits: [...permits, 'circle:edit', 'circle:enable', 'circle:delete', 'circle:audit'] })
    .where('schoolId', '=', role.schoolId)
    .where('srId', '=', role.srId)
    .execute()
  const wider = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: await classOf(own[0]!.suId) }])
  const { client } = wider
  expect((await client.send(circleApi.list, all)).records.map(({ ciId, can }) => ({ ciId, can }))).toEqual([
    { ciId: joined, can: [] },
  ])
  const refusals = await Promise.all([
    client.ask(circleApi.addMembers, { ciId: joined, suIds: [own[1]!.suId] }),
    client.ask(circleApi.removeMembers, { ciId: joined, suIds: [own[0]!.suId] }),
    client.ask(circleApi.remove, { ciIds: [joined], cpiPersonIds: [w.students[0]!.suId] }),
    client.ask(circleApi.disable, { ciIds: [joined], cpiPersonIds: [w.students[0]!.suId] }),
  ])
  expect(refusals.map(({ reason }) => reason)).toEqual(['not-found', 'not-found', 'not-found', 'not-found'])
  const { ciName } = await client.send(circleApi.detail, { ciId: joined })
  const checked = await client.upload(
    importApi.upload,
    csvOf(circleMemberSheet, [{ ciName, suiNumber: own[1]!.suiNumber }]),
    { kind: 'circleMember' },
  )
  const { records } = await client.send(importApi.preview, { kind: 'circleMember', ibId: checked.data.ibId, ...all })
  expect(records.map(({ verdict }) => verdict)).toEqual(['fault'])
  expect(await client.send(circleApi.options, {})).toEqual([])
})

const classOf = async (suId: string) =>
  (
    await w.school.ctx.db
      .selectFrom('person')
      .select('scClassId')
      .where('schoolId', '=', w.school.schoolId)
      .where('suId', '=', suId)
      .executeTakeFirstOrThrow()
  ).scClassId!
