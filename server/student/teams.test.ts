import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { applyStatus, applyWay, signStatus } from '../../contract/core/codes/programme.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../contract/programme/lessons/teams.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { ownTeamApi } from '../../contract/student/teams.calls.ts'
import type { Reply } from '../testing/client.ts'
import { lessonWorld, type LessonWorld } from '../testing/lessons.ts'
import { beginsIn, signedIn, type StudentClient } from '../testing/own-side.ts'
import { applying, closed, rowsOf } from '../testing/participants.ts'
import { forTeams, found, register } from '../testing/teams.ts'
import { whileLocked } from '../testing/while-locked.ts'

type Answered = Promise<Reply<unknown>>

/** Two acts on a course: the second is asked for while the first waits for the course, which somebody holds. */
async function atOnce({ school }: LessonWorld, liId: string, first: () => Answered, second: () => Answered) {
  const asked: Answered[] = []
  await whileLocked(
    school.services.db,
    (held) =>
      held
        .selectFrom('lesson')
        .select('liId')
        .where('schoolId', '=', school.schoolId)
        .where('liId', '=', liId)
        .forUpdate()
        .execute(),
    async (untilWaiting) => {
      asked.push(first())
      await untilWaiting(1)
      asked.push(second())
      // it waits in the process's own queue for the course, where nobody sees it
      await sleep(200)
    },
  )
  return Promise.all(asked)
}

test('a team is founded, joined by code and confirmed on the phone; only its captain decides about it', async () => {
  const world = await lessonWorld()
  const [captain, mate, third, fourth] = (await signedIn(world, 4)) as [
    StudentClient,
    StudentClient,
    StudentClient,
    StudentClient,
  ]
  const liId = await applying(world, { ...forTeams, applyWay: applyWay.firstCome })
  const view = async ({ client }: StudentClient) => client.send(ownTeamApi.view, { liId })
  const rankOf = async (who: StudentClient) =>
    (await view(captain)).team!.members.find(({ suiName }) => suiName === who.suiName)!.memberRank
  expect(await captain.client.send(ownActivityApi.detail, { liId })).toMatchObject({ can: ['team'], verdict: '' })
  expect(await captain.client.ask(ownActivityApi.join, { liId })).toMatchObject({ reason: 'apply-by-team' })
  expect(await view(captain)).toMatchObject({ team: null, verdict: '', teamMin: 2, teamMax: 3 })

  await captain.client.send(ownTeamApi.found, { liId, teamName: '追光队' })
  const { team } = await view(captain)
  expect(team).toMatchObject({
    teamStatus: teamStatus.forming,
    blocks: ['还差 1 人（每队 2 至 3 人）'],
    members: [{ suiName: captain.suiName, isCaptain: true, isMe: true }],
    can: ['code', 'dissolve'],
  })
  expect(JSON.stringify(team)).not.toContain(captain.suiNumber)
  expect(await captain.client.ask(ownTeamApi.confirm, { liId })).toMatchObject({ reason: 'team-size' })
  const join = (who: StudentClient, joinCode: string) => who.client.ask(ownTeamApi.join, { liId, joinCode })
  expect(await join(mate, team!.joinCode.toLowerCase())).toMatchObject({ data: { teamName: '追光队' } })
  // whoever guesses has eight tries, and takes none from others
  const guesses = await Promise.all(Array.from({ length: 12 }, () => join(fourth, 'AAAAAAAA')))
  expect(guesses.filter(({ reason }) => reason === 'team-code-wrong')).toHaveLength(8)
  expect(await join(fourth, team!.joinCode)).toMatchObject({ reason: 'team-code-tries' })
  expect(await join(third, team!.joinCode)).toMatchObject({ code: 200 })

  // members see the team and may leave it; the captain alone decides
  expect((await view(mate)).team).toMatchObject({ can: ['leave'], joinCode: team!.joinCode })
  for (const [call, input] of [
    [ownTeamApi.confirm, { liId }],
    [ownTeamApi.dissolve, { liId }],
    [ownTeamApi.renewCode, { liId }],
    [ownTeamApi.captain, { liId, memberRank: 1 }],
    [ownTeamApi.remove, { liId, memberRank: 1 }],
  ] as const)
    expect(await mate.client.ask(call, input as never)).toMatchObject({ reason: 'captain-only' })
  expect(await fourth.client.ask(ownTeamApi.leave, { liId })).toMatchObject({ status: 404 })
  await captain.client.send(ownTeamApi.remove, { liId, memberRank: await rankOf(third) })
  expect((await view(third)).team).toBeNull()
  await captain.client.send(ownTeamApi.renewCode, { liId })
  expect(await join(third, team!.joinCode)).toMatchObject({ reason: 'team-code-wrong' })

  await captain.client.send(ownTeamApi.captain, { liId, memberRank: await rankOf(mate) })
  expect(await captain.client.ask(ownTeamApi.confirm, { liId })).toMatchObject({ reason: 'captain-only' })
  expect(await mate.client.send(ownTeamApi.confirm, { liId })).toEqual({ laStatus: applyStatus.accepted })
  const { records } = await world.teacher.client.send(registrationApi.view, { liId })
  expect(records.map(({ applyFrom, teamName }) => [applyFrom, teamName])).toEqual([
    ['self', '追光队'],
    ['self', '追光队'],
  ])
  expect((await view(captain)).team).toMatchObject({ laStatus: applyStatus.accepted, joinCode: '', can: ['leave'] })
  // one of two is no team any more
  expect(await captain.client.ask(ownTeamApi.leave, { liId })).toMatchObject({ reason: 'team-too-small' })
  await closed(world, liId)
  expect(await mate.client.ask(ownTeamApi.dissolve, { liId })).toMatchObject({ reason: 'cancel-late' })
  expect(await third.client.ask(ownTeamApi.found, { liId, teamName: '迟到队' })).toMatchObject({ reason: 'apply-over' })
  expect((await view(third)).verdict).toContain('已于')
})

test('who has signed in is taken out of a team by its organiser only, for that costs credibility', async () => {
  const world = await lessonWorld()
  const [captain, mate, third] = (await signedIn(world, 3)) as [StudentClient, StudentClient, StudentClient]
  const { school, teacher } = world
  await school.rules({ cancelUntil: 'start' })
  const liId = await applying(world, { ...forTeams, applyWay: applyWay.firstCome })
  const { teamId } = await register(world, liId, [captain, mate, third])
  const rows = [...(await rowsOf(world, liId)).values()]
  await beginsIn(world, liId, 10)
  const laIds = rows.flatMap(({ suId, laId }) => (suId === third.suId ? [laId] : []))
  await teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  const { members } = (await captain.client.send(ownTeamApi.view, { liId })).team!
  const { memberRank } = members.find(({ suiName }) => suiName === third.suiName)!
  expect(await captain.client.ask(ownTeamApi.remove, { liId, memberRank })).toMatchObject({
    code: 300,
    msg: `${third.suiName} 已有签到记录，不能移出队员`,
  })
  expect(await third.client.ask(ownTeamApi.leave, { liId })).toMatchObject({ reason: 'signed-already' })
  expect(await teacher.client.ask(teamApi.leave, { teamId, suId: third.suId })).toMatchObject({ code: 200 })
})

test('who is captain no more when their turn comes decides nothing, however early they asked', async () => {
  const world = await lessonWorld()
  const [captain, mate, third] = (await signedIn(world, 3)) as [StudentClient, StudentClient, StudentClient]
  const liId = await applying(world, { ...forTeams, applyWay: applyWay.firstCome })
  await found(world, liId, [captain, mate, third], '接力队')
  const { team } = await captain.client.send(ownTeamApi.view, { liId })
  const rankOf = (who: StudentClient) => team!.members.find(({ suiName }) => suiName === who.suiName)!.memberRank
  const handOver = () => captain.client.ask(ownTeamApi.captain, { liId, memberRank: rankOf(mate) })
  for (const late of [
    () => captain.client.ask(ownTeamApi.confirm, { liId }),
    () => captain.client.ask(ownTeamApi.remove, { liId, memberRank: rankOf(third) }),
    () => captain.client.ask(ownTeamApi.renewCode, { liId }),
    () => captain.client.ask(ownTeamApi.dissolve, { liId }),
  ]) {
    const [first, second] = await atOnce(world, liId, handOver, late)
    expect([first!.code, second!.reason]).toEqual([200, 'captain-only'])
    await mate.client.send(ownTeamApi.captain, { liId, memberRank: rankOf(captain) })
  }
  // and the one who has just become captain does not leave the team without one
  const [, left] = await atOnce(world, liId, handOver, () => mate.client.ask(ownTeamApi.leave, { liId }))
  expect(left!.reason).toBe('captain-stays')
  expect((await mate.client.send(ownTeamApi.view, { liId })).team).toMatchObject({ teamStatus: teamStatus.forming })
})
