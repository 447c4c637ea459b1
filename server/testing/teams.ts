import type { Input, Output } from '../../contract/core/call.ts'
import { applyUnit } from '../../contract/core/codes/programme.ts'
import type { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { teamApi, type TeamRow } from '../../contract/programme/lessons/teams.calls.ts'
import type { LessonWorld } from './lessons.ts'
import { unique } from './school.ts'

/** What makes a course one for teams of two or three. */
export const forTeams = { applyUnit: applyUnit.team, teamMin: 2, teamMax: 3 } satisfies Partial<
  Input<typeof lessonApi.save>
>

type Student = Awaited<ReturnType<LessonWorld['students']>>[number]

/** A team of a course, founded by its teacher: the first of its members is the captain. */
export async function found(
  { teacher }: LessonWorld,
  liId: string,
  [captain, ...others]: readonly Student[],
  teamName = `队${unique()}`,
): Promise<Output<typeof teamApi.add> & { teamName: string }> {
  const suIds = others.map(({ suId }) => suId)
  const team = await teacher.client.send(teamApi.add, { liId, teamName, captainId: captain!.suId, suIds })
  return { ...team, teamName }
}

/** The same, confirmed. */
export async function register(world: LessonWorld, liId: string, students: readonly Student[], teamName?: string) {
  const team = await found(world, liId, students, teamName)
  const { laStatus } = await world.teacher.client.send(teamApi.confirm, { teamId: team.teamId })
  return { ...team, laStatus }
}

/** A team as the teacher sees it. */
export const teamOf = async ({ teacher }: LessonWorld, liId: string, teamId: string): Promise<TeamRow> =>
  (await teacher.client.send(teamApi.view, { liId, pageSize: 200 })).records.find((row) => row.teamId === teamId)!
