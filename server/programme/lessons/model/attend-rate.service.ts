import { sql } from 'kysely'
import { signStatus, signType } from '../../../../contract/core/codes/programme.ts'
import type { Context } from '../../../core/request/context.ts'
import type { ReachedLesson } from './lessons.queries.ts'

/** How many sessions somebody came to, of how many. */
export interface Attendance {
  came: number
  sessions: number
}

/** Whether somebody came to fewer sessions than the course asks for (per cent). Pure. */
export const isShort = ({ came, sessions }: Attendance, minAttendRate: number): boolean =>
  came * 100 < sessions * minAttendRate

/**
 * Participants who came to too few sessions of a course (`minAttendRate`, docs/rules.md R13), by their `laId`. Only who
 * signed in to sessions is counted, by their own code as well: attendance entered by hand or by sheet speaks of the
 * whole course, whatever they scan afterwards.
 */
export async function tooSeldom(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  { liId, minAttendRate }: Pick<ReachedLesson, 'liId' | 'minAttendRate'>,
  laIds: readonly string[],
): Promise<Map<string, Attendance>> {
  if (minAttendRate === 0 || laIds.length === 0) return new Map()
  const { rows } = await sql<Attendance & { laId: string }>`
    select r."laId", n."sessions",
      (
        select count(*)::int
        from "sessionSign" x
        where x."schoolId" = r."schoolId" and x."laId" = r."laId" and x."signInTime" is not null
      ) as "came"
    from "registration" r,
      (
        select count(*)::int as "sessions"
        from "lessonSession"
        where "schoolId" = ${actor.schoolId} and "liId" = ${liId}::uuid
      ) n
    where r."schoolId" = ${actor.schoolId}
      and r."laId" = any(${laIds}::uuid[])
      and r."signMethod" in (
        ${sql.lit(signType.activityCode)}, ${sql.lit(signType.studentCode)}, ${sql.lit(signType.password)}
      )
      and r."laSignStatus" <> ${sql.lit(signStatus.exempt)}`.execute(db)
  return new Map(
    rows.filter((row) => isShort(row, minAttendRate)).map(({ laId, came, sessions }) => [laId, { came, sessions }]),
  )
}
