import { expect, test } from 'vitest'
import { applyStatus, lessonStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { importApi } from '../../../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { addMinutes } from '../../../core/base/clock.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { exact, move, rowsOf } from '../../../testing/participants.ts'
import { forTeams, register, teamOf } from '../../../testing/teams.ts'
import { completeLessons } from '../credit/completion.service.ts'

/** The rule of the course shares out what a team of three gets. */
const sharing = ({ school, esId }: LessonWorld) =>
  school.ctx.db
    .updateTable('evaluation')
    .set({ teamRules: JSON.stringify([{ size: 3, ratios: [60, 30, 10] }]) })
    .where('schoolId', '=', school.schoolId)
    .where('esId', '=', esId)
    .execute()
/** A team that has been to a course which is over; who is left out of `came` was not there. */
async function been(world: LessonWorld, count: number, came = count) {
  const liId = await world.published({ ...forTeams, quota: 20 }, -3)
  const students = await world.students(count)
  const team = await register(world, liId, students)
  const rows = [...(await rowsOf(world, liId)).values()]
  const laIds = students.map(({ suId }) => rows.find((row) => row.suId === suId)!.laId)
  await world.teacher.client.send(registrationApi.sign, {
    laIds: laIds.slice(0, came),
    laSignStatus: signStatus.signedIn,
  })
  return { liId, students, team, laIds }
}
const hoursOf = async (world: LessonWorld, liId: string, teamId: string) =>
  (await teamOf(world, liId, teamId)).members.map(({ suiName, laHours }) => [suiName, laHours])

test('a team wins at once, shared out by rank, and the ledger tells it in brackets', async () => {
  const world = await lessonWorld()
  await sharing(world)
  const { client } = world.teacher
  const { liId, students, team, laIds } = await been(world, 3)
  const [a, b, c] = students as [(typeof students)[0], (typeof students)[0], (typeof students)[0]]
  expect(
    await client.ask(teamApi.award, { teamId: team.teamId, laResult: resultStatus.passed, suIds: [a.suId] }),
  ).toMatchObject({ reason: 'team-ranks' })
  expect(
    await client.send(teamApi.award, {
      teamId: team.teamId,
      laResult: resultStatus.awarded,
      adId: world.awards.first,
      suIds: [b.suId, a.suId, c.suId],
    }),
  ).toEqual({ affected: 3, failed: [] })
  // 2 hours and 1 for the first prize, of which a team is one holder
  expect(await hoursOf(world, liId, team.teamId)).toEqual([
    [b.suiName, '1.8'],
    [a.suiName, '0.9'],
    [c.suiName, '0.3'],
  ])
  expect((await client.send(registrationApi.loadAward, { liId }))[0]).toMatchObject({ quota: 1, used: 1 })
  // whoever is rated by themselves keeps their share
  await client.send(registrationApi.setAward, { laIds: [laIds[0]!], laResult: resultStatus.passed })
  expect((await rowsOf(world, liId)).get(laIds[0]!)).toMatchObject({ laHours: '0.6' })
  await client.send(registrationApi.setAward, {
    laIds: [laIds[0]!],
    laResult: resultStatus.awarded,
    adId: world.awards.first,
  })
  await client.send(lessonApi.resultAudit, { liId })
  await move(world, liId, {
    liStatus: lessonStatus.inNotice,
    liPublictyEdate: addMinutes(world.school.clock.now(), -1),
  })
  expect(await completeLessons(world.school.services, world.school.schoolId)).toBe(1)
  const trace = await client.send(registrationApi.explain, { laId: laIds[1]! })
  expect(trace.entries.find(({ clType }) => clType === '学时')).toMatchObject({
    value: '1.8',
    explain: '（基础 2 学时 ＋ 一等奖 1）× 3 人团队第 1 位 0.6 ＝ 1.8 学时（评价规则第 1 版，院（系）级）',
  })
})

test('without a share for their number everybody gets the whole; who was not there is named', async () => {
  const world = await lessonWorld()
  await sharing(world)
  const { liId, students, team, laIds } = await been(world, 2, 1)
  expect(
    await world.teacher.client.send(teamApi.award, { teamId: team.teamId, laResult: resultStatus.passed }),
  ).toEqual({
    affected: 1,
    failed: [
      { id: laIds[1], name: students[1]!.suiName, msg: `${students[1]!.suiName} 没有签到记录，不能评定为合格或获奖` },
    ],
  })
  expect((await hoursOf(world, liId, team.teamId)).map(([, hours]) => hours)).toEqual(['2', '0'])
})

test('an award with one place is for one team; another one is told', async () => {
  const world = await lessonWorld()
  const { liId, team } = await been(world, 2)
  const others = await world.students(2)
  const second = await register(world, liId, others)
  const rows = [...(await rowsOf(world, liId)).values()].filter(({ teamId }) => teamId === second.teamId)
  const { client } = world.teacher
  await client.send(registrationApi.sign, { laIds: rows.map(({ laId }) => laId), laSignStatus: signStatus.signedIn })
  const give = (teamId: string) =>
    client.ask(teamApi.award, { teamId, laResult: resultStatus.awarded, adId: world.awards.first })
  expect(await give(team.teamId)).toMatchObject({ code: 200 })
  expect(await give(team.teamId)).toMatchObject({ code: 200 })
  expect(await give(second.teamId)).toMatchObject({ code: 300, msg: '超过奖项“一等奖”的名额（1 人）' })
})

test('when a rated team loses a member, the others are rated anew by their new shares', async () => {
  const world = await lessonWorld()
  await sharing(world)
  const { client } = world.teacher
  const { liId, students, team } = await been(world, 3)
  await client.send(teamApi.award, { teamId: team.teamId, laResult: resultStatus.passed })
  await client.send(teamApi.leave, { teamId: team.teamId, suId: students[2]!.suId, reason: '冒名顶替他人' })
  expect((await teamOf(world, liId, team.teamId)).members.map(({ laResult }) => laResult)).toEqual(['0', '0'])
  expect(await exact(world, liId)).toMatchObject({ passCount: 2, resultCount: 0 })
  await client.send(teamApi.award, { teamId: team.teamId, laResult: resultStatus.passed })
  expect((await hoursOf(world, liId, team.teamId)).map(([, hours]) => hours)).toEqual(['2', '2'])
})

test('a sheet names teams: whole ones are registered and taken back, others are told', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const kind = 'lessonApply'
  const liId = await world.published({ ...forTeams, quota: 10 })
  const plain = await world.published()
  const students = await world.students(6)
  const [a, b, c, d, e, f] = students
  const line = (student: { suiNumber: string; suiName: string } | undefined, more: string) =>
    `${student!.suiNumber},${student!.suiName},${more}`
  const put = async (to: string, rows: string[]) => {
    const bytes = Buffer.from(['学号,姓名,参与方式,队伍', ...rows].join('\n'))
    const { ibId } = (await client.upload(importApi.upload, { name: '名单.csv', bytes }, { kind, liId: to })).data
    const { records } = await client.send(importApi.preview, { kind, ibId, pageSize: 200 })
    return { ibId, told: records.map(({ verdict, faults }) => [verdict, ...faults.map(({ msg }) => msg)]) }
  }
  const mixed = await put(liId, [line(a, ',红队'), line(b, '团队队长,红队'), line(c, ',蓝队'), line(d, ',')])
  expect(mixed.told).toEqual([
    ['new'],
    ['new'],
    ['conflict', '队伍“蓝队”在表中有 1 人，每队须为 2 至 3 人'],
    ['fault', '该课程按团队报名，请填写队伍'],
  ])
  expect((await put(plain, [line(e, ',红队')])).told).toEqual([['fault', '该课程按个人报名，队伍须留空']])
  const { ibId } = await put(liId, [line(a, ',红队'), line(b, '团队队长,红队'), line(e, ',绿队'), line(f, ',绿队')])
  await client.send(importApi.commit, { kind, ibId })
  const { records } = await client.send(teamApi.view, { liId, sort: 'teamName' })
  expect(records.find(({ teamName }) => teamName === '红队')).toMatchObject({
    captainName: b!.suiName,
    memberCount: 2,
    laStatus: applyStatus.accepted,
  })
  expect((await put(liId, [line(c, ',红队'), line(d, ',红队')])).told).toEqual([
    ['conflict', '队伍“红队”已存在，请在“队伍”中添加队员'],
    ['conflict', '队伍“红队”已存在，请在“队伍”中添加队员'],
  ])
  expect((await put(liId, [line(a, ',红队'), line(b, ',红队')])).told).toEqual([['same'], ['same']])
  await client.send(importApi.undo, { kind, ibId })
  expect((await client.send(teamApi.view, { liId })).records.map(({ teamStatus }) => teamStatus)).toEqual(['2', '2'])
  expect(await exact(world, liId)).toMatchObject({ applyCount: 0, passCount: 0 })
  // a sheet about somebody who is in the course already, taken back, leaves their team alone
  const other = await world.published({ ...forTeams, quota: 10 })
  const { teamId } = await register(world, other, [c!, d!], '蓝队')
  const noted = await put(other, [line(c, '志愿者,蓝队')])
  expect(noted.told).toEqual([['update']])
  await client.send(importApi.commit, { kind, ibId: noted.ibId })
  await client.send(importApi.undo, { kind, ibId: noted.ibId })
  expect(await teamOf(world, other, teamId)).toMatchObject({ laStatus: applyStatus.accepted, memberCount: 2 })
})
