import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Call, Input } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay } from '../../../../contract/core/codes/programme.ts'
import { quotaUnit, teamStatus } from '../../../../contract/core/codes/teams.ts'
import { admissionApi } from '../../../../contract/programme/lessons/admission.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { teamApi } from '../../../../contract/programme/lessons/teams.calls.ts'
import { fuzz } from '../../../testing/fuzz.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { applying, exact } from '../../../testing/participants.ts'
import { unique } from '../../../testing/school.ts'
import { forTeams } from '../../../testing/teams.ts'

/**
 * Acts at random on the teams of a course; whatever is done and whatever is refused, no team is ever split, no place is
 * given twice, and what registrations keep of their team is so.
 */
const acts = [
  'found',
  'join',
  'code',
  'leave',
  'captain',
  'confirm',
  'confirm',
  'pass',
  'refuse',
  'cancel',
  'dissolve',
  'cancelOne',
  'removeOne',
  'excuse',
] as const
interface Act {
  act: (typeof acts)[number]
  team: number
  who: number[]
}
const anyAct: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom(...acts),
  team: fc.nat(5),
  who: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 3 }),
})
const anyCourse = fc.record({
  unit: fc.constantFrom(quotaUnit.person, quotaUnit.team),
  way: fc.constantFrom(applyWay.firstCome, applyWay.review),
  waits: fc.boolean(),
  quota: fc.integer({ min: 2, max: 5 }),
})

test('whatever happens to teams, none is split and no place is given twice', async () => {
  const world = await lessonWorld()
  await world.school.rules({ leaveAllowed: yesNo.yes })
  const students = await world.students(10)
  let done = 0
  await fc.assert(
    fc.asyncProperty(anyCourse, fc.array(anyAct, { minLength: 12, maxLength: 25 }), async (course, list) => {
      const liId = await applying(world, {
        ...forTeams,
        applyWay: course.way,
        waitlistOn: course.waits ? yesNo.yes : yesNo.no,
        quotaUnit: course.unit,
        quota: course.quota,
      })
      for (const one of list) {
        if (await take(world, liId, students, one)) done++
        await check(world, liId, course)
      }
      // its people are free for the next course at the same hour
      const { records } = await world.teacher.client.send(teamApi.view, { liId, pageSize: 200 })
      for (const { teamId, teamStatus: status } of records)
        if (status !== teamStatus.withdrawn) await world.teacher.client.send(teamApi.dissolve, { teamId })
      expect(await exact(world, liId)).toMatchObject({ passCount: 0, pendingCount: 0 })
    }),
    fuzz(12),
  )
  expect(done).toBeGreaterThan(40)
})

/** Does what is drawn with what there is; @returns whether the service took it. */
async function take(
  { teacher: { client } }: LessonWorld,
  liId: string,
  students: readonly { suId: string; suiNumber: string }[],
  { act, team: at, who }: Act,
): Promise<boolean> {
  const ok = async <C extends Call>(call: C, input: Input<C>) => {
    const { code, status } = await client.ask(call, input)
    expect([200, 300, 404]).toContain(code)
    expect(status).toBeLessThan(500)
    return code === 200
  }
  const people = who.map((one) => students[one]!)
  const suIds = people.map(({ suId }) => suId)
  const standing = (await client.send(teamApi.view, { liId, pageSize: 200 })).records.filter(
    (team) => team.teamStatus !== teamStatus.withdrawn,
  )
  const team = standing[at % Math.max(1, standing.length)]
  if (act === 'found' || !team)
    return ok(teamApi.add, { liId, teamName: `队${unique()}`, captainId: suIds[0]!, suIds: suIds.slice(1) })
  const { teamId, members, joinCode } = team
  const member = members[who[0]! % members.length]!
  const rows = (await client.send(registrationApi.view, { liId, pageSize: 200 })).records
  const laId = rows.find(({ suId }) => suId === member.suId)?.laId
  switch (act) {
    case 'join':
      return ok(teamApi.join, { teamId, suIds })
    case 'code':
      return ok(teamApi.joinByCode, { liId, joinCode: joinCode || 'NOCODE22', suiNumber: people[0]!.suiNumber })
    case 'leave':
      return ok(teamApi.leave, { teamId, suId: member.suId })
    case 'captain':
      return ok(teamApi.captain, { teamId, suId: member.suId })
    case 'confirm':
      return ok(teamApi.confirm, { teamId })
    case 'pass':
      return ok(teamApi.pass, { teamIds: [teamId] })
    case 'refuse':
      return ok(teamApi.refuse, { teamIds: [teamId], reason: '材料不齐全' })
    case 'cancel':
      return ok(teamApi.cancel, { teamId })
    case 'dissolve':
      return ok(teamApi.dissolve, { teamId })
    case 'cancelOne':
      return laId !== undefined && ok(admissionApi.cancel, { laId })
    case 'removeOne':
      return laId !== undefined && ok(registrationApi.remove, { laId: [laId] })
    case 'excuse':
      return laId !== undefined && ok(admissionApi.leave, { laId, reason: '身体不适需要休息' })
  }
}

async function check(
  world: LessonWorld,
  liId: string,
  { unit, quota }: { unit: string; quota: number },
): Promise<void> {
  const { client } = world.teacher
  const { passCount } = await exact(world, liId)
  const teams = (await client.send(teamApi.view, { liId, pageSize: 200 })).records
  const registered = teams.filter((team) => team.teamStatus === teamStatus.confirmed)
  const admitted = registered.filter(({ members }) => members.some(({ laStatus }) => laStatus === applyStatus.accepted))
  expect(unit === quotaUnit.team ? admitted.length : passCount).toBeLessThanOrEqual(quota)
  const everybody = teams.flatMap(({ members }) => members.map(({ suId }) => suId))
  expect(new Set(everybody).size).toBe(everybody.length)
  for (const { members, captainId, waitNo } of registered) {
    expect(members.length).toBeGreaterThanOrEqual(forTeams.teamMin)
    expect(members.length).toBeLessThanOrEqual(forTeams.teamMax)
    expect(members.map(({ suId }) => suId)).toContain(captainId)
    // all of a team have come to the same, but for whom is excused
    const states = new Set(members.map(({ laStatus }) => laStatus).filter((one) => one !== applyStatus.onLeave))
    expect(states.size).toBeLessThanOrEqual(1)
    expect([...states]).not.toContain(null)
    expect(waitNo !== null).toBe(states.has(applyStatus.waitlisted))
  }
  const kept = await world.school.ctx.db
    .selectFrom('registration')
    .select(['teamId', 'suId', 'teamRank', 'teamSize'])
    .where('schoolId', '=', world.school.schoolId)
    .where('liId', '=', liId)
    .where('laStatus', 'in', [applyStatus.pending, applyStatus.accepted, applyStatus.waitlisted, applyStatus.onLeave])
    .execute()
  const told = registered.flatMap(({ teamId, members }) =>
    members.map(({ suId, teamRank }) => ({ teamId, suId, teamRank, teamSize: members.length })),
  )
  const bySuId = (one: { suId: string }, other: { suId: string }) => (one.suId < other.suId ? -1 : 1)
  expect(kept.toSorted(bySuId)).toEqual(told.toSorted(bySuId))
}
