import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyUnit, applyWay, partakeMode } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit, teamRole, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { addDays } from '../../../core/base/clock.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { applying, closed, exact, messageTitles, rowsOf } from '../../../testing/participants.ts'
import { forTeams, found, register, teamOf } from '../../../testing/teams.ts'

/** What the participants of a course are, in the order of these students; undefined where they are none. */
const statuses = async (world: LessonWorld, liId: string, students: readonly { suId: string }[]) => {
  const rows = [...(await rowsOf(world, liId)).values()]
  return students.map(({ suId }) => rows.find((row) => row.suId === suId)?.laStatus)
}

describe('a course for teams', () => {
  test('says how many a team has and what a place is for, and nothing of it otherwise', async () => {
    const world = await lessonWorld()
    const fault = async (more: object) => (await world.teacher.client.ask(lessonApi.save, world.form(more))).errors
    expect(await fault({ applyUnit: applyUnit.team })).toMatchObject([{ field: 'teamMin' }, { field: 'teamMax' }])
    expect(await fault({ ...forTeams, teamMin: 4 })).toMatchObject([{ field: 'teamMax' }])
    expect(await fault({ ...forTeams, quota: 1 })).toMatchObject([{ field: 'quota' }])
    expect(await fault({ ...forTeams, applyWay: applyWay.noRegistration })).toMatchObject([{ field: 'applyUnit' }])
    expect(await fault({ teamMin: 2 })).toMatchObject([{ field: 'teamMin' }])
    expect(await fault({ quotaUnit: quotaUnit.team })).toMatchObject([{ field: 'quotaUnit' }])
    const { liId } = await world.teacher.client.send(
      lessonApi.save,
      world.form({ ...forTeams, quota: 1, quotaUnit: quotaUnit.team }),
    )
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({
      teamMin: 2,
      teamMax: 3,
      quotaUnit: quotaUnit.team,
    })
  })

  test('takes nobody alone, and one for persons takes no teams', async () => {
    const world = await lessonWorld()
    const [a, b] = await world.students(2)
    const teamed = await world.published(forTeams)
    const plain = await world.published()
    const { client } = world.teacher
    expect(await client.ask(registrationApi.add, { liId: teamed, suIds: [a!.suId] })).toMatchObject({
      code: 300,
      reason: 'team-course',
    })
    expect(
      await client.ask(teamApi.add, { liId: plain, teamName: '一队', captainId: a!.suId, suIds: [b!.suId] }),
    ).toMatchObject({ code: 300, reason: 'not-a-team-course' })
  })

  test('stays so once somebody has founded a team; its size may change, and the change is told', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const more = { ...forTeams, liName: '机器人比赛' }
    const { liId } = await client.send(lessonApi.save, { ...world.form(more), submit: '1' })
    await client.send(lessonApi.publish, { liId })
    await found(world, liId, await world.students(2))
    const { version } = await client.send(lessonApi.details, { liId })
    const form = { ...world.form(more), liId, version }
    expect(await client.ask(lessonApi.save, { ...form, quotaUnit: quotaUnit.team })).toMatchObject({
      errors: [{ field: 'quotaUnit', msg: '已有人报名或组队，不能再修改；请新建一门课程' }],
    })
    const alone = { ...form, applyUnit: applyUnit.individual, teamMin: undefined, teamMax: undefined }
    expect(await client.ask(lessonApi.save, alone)).toMatchObject({ errors: [{ field: 'applyUnit' }] })
    await client.send(lessonApi.save, { ...form, teamMax: 5, quota: 12 })
    expect(await client.send(lessonApi.details, { liId })).toMatchObject({ teamMax: 5, quota: 12 })
  })
})

describe('forming', () => {
  test('founded, joined by code and number, left, renamed, handed over, with a new code', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published(forTeams)
    const [a, b, c, d] = await world.students(4)
    const { teamId, joinCode } = await found(world, liId, [a!], '一队')
    expect(joinCode).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    expect(await teamOf(world, liId, teamId)).toMatchObject({
      teamStatus: teamStatus.forming,
      captainName: a!.suiName,
      memberCount: 1,
      joinCode,
      blocks: ['还差 1 人（每队 2 至 3 人）'],
      laStatus: null,
    })
    const join = (code: string, suiNumber: string) =>
      client.ask(teamApi.joinByCode, { liId, joinCode: code, suiNumber })
    expect(await join('AAAAAAAA', b!.suiNumber)).toMatchObject({ code: 300, reason: 'team-code-wrong' })
    const typed = `${joinCode.slice(0, 4)}-${joinCode.slice(4)}`.toLowerCase()
    expect(await join(typed, b!.suiNumber)).toMatchObject({ data: { teamName: '一队', memberCount: 2 } })
    expect(await join(joinCode, b!.suiNumber)).toMatchObject({ code: 300, reason: 'team-members-unfit' })
    await client.send(teamApi.join, { teamId, suIds: [c!.suId] })
    expect(await join(joinCode, d!.suiNumber)).toMatchObject({
      code: 300,
      msg: '队伍“一队”最多 3 人，现有 3 人，请减少所选人数',
    })
    // somebody is in one team of a course
    expect(
      await client.ask(teamApi.add, { liId, teamName: '二队', captainId: d!.suId, suIds: [c!.suId] }),
    ).toMatchObject({ code: 300, msg: `以下学生不能加入队伍“二队”：${c!.suiName} 已在队伍“一队”中` })
    expect(await client.ask(teamApi.add, { liId, teamName: '一队', captainId: d!.suId })).toMatchObject({
      code: 300,
      reason: 'team-name-taken',
    })
    expect(await client.ask(teamApi.leave, { teamId, suId: a!.suId })).toMatchObject({ reason: 'captain-stays' })
    await client.send(teamApi.captain, { teamId, suId: b!.suId })
    await client.send(teamApi.leave, { teamId, suId: a!.suId })
    await client.send(teamApi.rename, { teamId, teamName: '红队' })
    const renewed = await client.send(teamApi.renewCode, { teamId })
    expect(renewed.joinCode).not.toBe(joinCode)
    expect(await join(joinCode, d!.suiNumber)).toMatchObject({ reason: 'team-code-wrong' })
    expect(await teamOf(world, liId, teamId)).toMatchObject({
      teamName: '红队',
      captainName: b!.suiName,
      blocks: [],
      members: [
        { suId: b!.suId, teamRole: teamRole.captain, teamRank: 1 },
        { suId: c!.suId, teamRole: teamRole.member, teamRank: 2 },
      ],
    })
    await client.send(teamApi.dissolve, { teamId })
    expect(await teamOf(world, liId, teamId)).toMatchObject({ teamStatus: teamStatus.withdrawn, members: [], can: [] })
    // its name and its people are free again
    await found(world, liId, [c!, d!], '红队')
  })

  test('confirming asks every rule of every member and names who cannot', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published(forTeams)
    const [a, b, c] = await world.students(3)
    const { teamId, teamName } = await found(world, liId, [a!])
    expect(await client.ask(teamApi.confirm, { teamId })).toMatchObject({
      code: 300,
      msg: `队伍“${teamName}”现有 1 人，须为 2 至 3 人才能确认，请先调整队员`,
    })
    await client.send(teamApi.join, { teamId, suIds: [b!.suId, c!.suId] })
    const other = await world.published({ quota: 5 })
    await world.enrol(other, [b!])
    await world.school.ctx.db
      .updateTable('person')
      .set({ blackUntil: addDays(world.school.clock.now(), 3) })
      .where('schoolId', '=', world.school.schoolId)
      .where('suId', '=', c!.suId)
      .execute()
    const { liName } = await client.send(lessonApi.details, { liId: other })
    const why = [`${b!.suiName}：该学生时间冲突：${liName}`, `${c!.suiName}：该学生在黑名单期内，不能报名`]
    expect((await teamOf(world, liId, teamId)).blocks).toEqual(why)
    expect(await client.ask(teamApi.confirm, { teamId })).toMatchObject({
      code: 300,
      msg: `以下学生不能加入队伍“${teamName}”：${why.join('；')}`,
    })
    expect(await exact(world, liId)).toMatchObject({ applyCount: 0 })
  })

  test('sixteen join by code at once for the last place of a team: one gets it', async () => {
    const world = await lessonWorld()
    const liId = await world.published(forTeams)
    const [a, b, ...others] = await world.students(18)
    const { teamId, joinCode } = await found(world, liId, [a!, b!])
    const replies = await Promise.all(
      others.map(({ suiNumber }) => world.teacher.client.ask(teamApi.joinByCode, { liId, joinCode, suiNumber })),
    )
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(new Set(replies.flatMap(({ code, reason }) => (code === 200 ? [] : [reason])))).toEqual(
      new Set(['team-full']),
    )
    expect((await teamOf(world, liId, teamId)).memberCount).toBe(3)
  })
})

describe('places', () => {
  test('of persons: a team gets all it needs or none, and the next that fits sits', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ ...forTeams, quota: 5, waitlistOn: yesNo.yes })
    const students = await world.students(10)
    const [first, big, small] = [students.slice(0, 3), students.slice(3, 6), students.slice(6, 8)]
    const one = await register(world, liId, first)
    expect(one.laStatus).toBe(applyStatus.accepted)
    expect(await register(world, liId, big)).toMatchObject({ laStatus: applyStatus.waitlisted })
    expect(await register(world, liId, small)).toMatchObject({ laStatus: applyStatus.accepted })
    const late = await register(world, liId, students.slice(8))
    expect(late.laStatus).toBe(applyStatus.waitlisted)
    expect((await teamOf(world, liId, late.teamId)).waitNo).toBe(2)
    expect([...(await rowsOf(world, liId)).values()].find(({ suId }) => suId === first[0]!.suId)).toMatchObject({
      teamId: one.teamId,
      teamName: one.teamName,
      teamRole: teamRole.captain,
      partakeMode: partakeMode.teamLeader,
    })
    // three places are free again: the team that waited first takes them, whole
    await world.teacher.client.send(teamApi.cancel, { teamId: one.teamId })
    expect(await statuses(world, liId, big)).toEqual(['1', '1', '1'])
    expect(await statuses(world, liId, students.slice(8))).toEqual(['3', '3'])
    expect(await messageTitles(world, big[0]!.suId)).toEqual(['进入候补', '候补转为录取'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 5 })
  })

  test('of teams: one each, however many it has', async () => {
    const world = await lessonWorld()
    const liId = await world.published({ ...forTeams, quota: 2, quotaUnit: quotaUnit.team })
    const students = await world.students(9)
    const one = await register(world, liId, students.slice(0, 2))
    await register(world, liId, students.slice(2, 5))
    const third = await found(world, liId, students.slice(5, 7))
    expect(await world.teacher.client.ask(teamApi.confirm, { teamId: third.teamId })).toMatchObject({
      code: 300,
      msg: '名额已满',
    })
    // a member more takes no other place
    await world.teacher.client.send(teamApi.join, { teamId: one.teamId, suIds: [students[7]!.suId] })
    expect(await exact(world, liId)).toMatchObject({ passCount: 6 })
    expect(await world.teacher.client.send(lessonApi.details, { liId })).toMatchObject({ quota: 2, passCount: 6 })
    await world.teacher.client.send(teamApi.dissolve, { teamId: one.teamId, reason: '成员退出比赛' })
    await world.teacher.client.send(teamApi.confirm, { teamId: third.teamId })
    expect(await exact(world, liId)).toMatchObject({ passCount: 5 })
  })

  test.each([quotaUnit.person, quotaUnit.team])(
    'two confirm at once for what is left (%s): one gets it',
    async (unit) => {
      const world = await lessonWorld()
      const quota = unit === quotaUnit.team ? 1 : 3
      const liId = await world.published({ ...forTeams, quota, quotaUnit: unit })
      const students = await world.students(4)
      const teams = [await found(world, liId, students.slice(0, 2)), await found(world, liId, students.slice(2))]
      const replies = await Promise.all(
        teams.map(({ teamId }) => world.teacher.client.ask(teamApi.confirm, { teamId })),
      )
      expect(replies.map(({ code }) => code).toSorted()).toEqual([200, 300])
      const lost = teams[replies.findIndex(({ code }) => code === 300)]!
      expect(replies.find(({ code }) => code === 300)!.msg).toBe(
        unit === quotaUnit.team ? '名额已满' : `只剩 1 个名额，队伍“${lost.teamName}”有 2 人，容不下整队`,
      )
      expect((await teamOf(world, liId, lost.teamId)).teamStatus).toBe(teamStatus.forming)
      expect(await exact(world, liId)).toMatchObject({ applyCount: 2, passCount: 2 })
    },
  )

  test('one member leaves while enough stay; else the refusal says what to do', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await world.published({ ...forTeams, quota: 10 })
    const students = await world.students(4)
    const { teamId, teamName } = await register(world, liId, students.slice(0, 3))
    const rows = [...(await rowsOf(world, liId)).values()]
    const laIdOf = (at: number) => rows.find(({ suId }) => suId === students[at]!.suId)!.laId
    expect(await client.ask(admissionApi.cancel, { laId: laIdOf(0) })).toMatchObject({
      code: 300,
      msg: `${students[0]!.suiName} 是队伍“${teamName}”的队长，请先更换队长，或解散整队`,
    })
    await client.send(admissionApi.cancel, { laId: laIdOf(1) })
    expect(await client.ask(registrationApi.remove, { laId: [laIdOf(2)], reason: '未按时提交材料' })).toMatchObject({
      code: 300,
      msg: `移出后队伍“${teamName}”只剩 1 人，少于每队最少 2 人；请先补充队员，或取消整队`,
    })
    await client.send(teamApi.join, { teamId, suIds: [students[3]!.suId] })
    await client.send(teamApi.leave, { teamId, suId: students[2]!.suId })
    expect(await statuses(world, liId, students)).toEqual(['1', '4', '6', '1'])
    expect((await teamOf(world, liId, teamId)).members.map(({ suId }) => suId)).toEqual([
      students[0]!.suId,
      students[3]!.suId,
    ])
    expect(await exact(world, liId)).toMatchObject({ passCount: 2 })
  })
})

describe('decided by a person or by lot', () => {
  test('a team is passed and refused as a whole; a refused one forms anew', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await applying(world, { ...forTeams, quota: 4 })
    const students = await world.students(6)
    const [one, two] = [students.slice(0, 3), students.slice(3)]
    const [first, second] = [await register(world, liId, one), await register(world, liId, two)]
    const rows = [...(await rowsOf(world, liId)).values()]
    const laIds = one.map(({ suId }) => rows.find((row) => row.suId === suId)!.laId)
    expect(await client.ask(registrationApi.pass, { laId: laIds[0]! })).toMatchObject({ reason: 'team-as-whole' })
    const part = await client.send(registrationApi.batchRefuse, { laIds: laIds.slice(1), reason: '材料不齐全' })
    expect(part).toMatchObject({ affected: 0, failed: [{ id: laIds[1] }, { id: laIds[2] }] })
    await client.send(registrationApi.batchPass, { laIds })
    expect(await client.ask(teamApi.pass, { teamIds: [second.teamId] })).toMatchObject({ code: 300, msg: '名额已满' })
    await client.send(teamApi.refuse, { teamIds: [second.teamId], reason: '材料不齐全' })
    expect(await statuses(world, liId, students)).toEqual(['1', '1', '1', '2', '2', '2'])
    expect(await teamOf(world, liId, second.teamId)).toMatchObject({
      teamStatus: teamStatus.forming,
      refuseReason: '材料不齐全',
      memberCount: 3,
    })
    await client.send(teamApi.cancel, { teamId: first.teamId })
    await client.send(teamApi.confirm, { teamId: second.teamId })
    expect(await client.send(teamApi.pass, { teamIds: [second.teamId] })).toEqual({ affected: 1, failed: [] })
    expect(await statuses(world, liId, students)).toEqual(['4', '4', '4', '1', '1', '1'])
    expect(await exact(world, liId)).toMatchObject({ passCount: 3, pendingCount: 0 })
  })

  test('a team draws one ticket and wins or waits as a whole', async () => {
    const world = await lessonWorld()
    const { client } = world.teacher
    const liId = await applying(world, { ...forTeams, applyWay: applyWay.draw, quota: 4, waitlistOn: yesNo.yes })
    const students = await world.students(6)
    const teams = []
    for (const at of [0, 2, 4]) teams.push(await register(world, liId, students.slice(at, at + 2)))
    expect((await client.send(admissionApi.drawInfo, { liId }))?.entrants).toBe(3)
    await closed(world, liId)
    expect(await client.send(admissionApi.draw, { liId })).toMatchObject({ affected: 4, waiting: 2, refused: 0 })
    const info = (await client.send(admissionApi.drawInfo, { liId }))!
    expect(info.ranked.map(({ laId }) => laId).toSorted()).toEqual(teams.map(({ teamId }) => teamId).toSorted())
    expect(info.ranked.map(({ laStatus }) => laStatus)).toEqual(['1', '1', '3'])
    expect(info.ranked[2]).toMatchObject({ suiNumber: '2 人' })
    const last = await teamOf(world, liId, info.ranked[2]!.laId)
    expect(last).toMatchObject({ laStatus: applyStatus.waitlisted, waitNo: 1, drawNo: 3 })
    expect(last.members.map(({ laStatus }) => laStatus)).toEqual(['3', '3'])
    await client.send(teamApi.dissolve, { teamId: info.ranked[0]!.laId, reason: '队员均退出' })
    expect((await teamOf(world, liId, last.teamId)).laStatus).toBe(applyStatus.accepted)
    expect(await exact(world, liId)).toMatchObject({ passCount: 4 })
  })
})

test('lists filter and sort by team, and nobody reaches a team of a course they do not see', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await world.published({ ...forTeams, quota: 10 })
  const students = await world.students(4)
  const second = await register(world, liId, students.slice(0, 2), '乙队')
  await register(world, liId, students.slice(2), '甲队')
  const names = async (input: object) =>
    (await client.send(registrationApi.view, { liId, ...input })).records.map(({ teamName }) => teamName)
  expect(await names({ teamName: '甲' })).toEqual(['甲队', '甲队'])
  expect(await names({ teamId: second.teamId })).toEqual(['乙队', '乙队'])
  const sorted = await names({ sort: 'teamName' })
  expect([sorted[0], sorted[1]]).toEqual([sorted[1], sorted[0]])
  expect(new Set(sorted)).toEqual(new Set(['甲队', '乙队']))
  const found = (await client.send(teamApi.view, { liId, suiNumber: students[3]!.suiNumber })).records
  expect(found.map(({ teamName }) => teamName)).toEqual(['甲队'])
  const stranger = await world.school.person('GUIDE_TEACHER')
  expect(await stranger.client.ask(teamApi.view, { liId })).toMatchObject({ status: 404 })
  for (const call of [teamApi.confirm, teamApi.cancel, teamApi.dissolve, teamApi.renewCode])
    expect(await stranger.client.ask(call, { teamId: second.teamId })).toMatchObject({ status: 404 })
  expect(await stranger.client.ask(teamApi.pass, { teamIds: [second.teamId] })).toMatchObject({ status: 404 })
})
