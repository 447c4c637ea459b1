import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/** Who looks after students: the counsellors and head teachers of their classes, by student. */
export async function tutorsOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ suId: string; tutors: string[] }>`
      select p."suId",
        array(select distinct t from unnest(array[k."counselorId", k."headTeacherId"]) t where t is not null) "tutors"
      from "person" p
      join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
      where p."schoolId" = ${actor.schoolId} and p."suId" = any(${[...suIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ suId, tutors }) => [suId, tutors]))
}

/** Their names, as a list of students tells them. */
export async function tutorNamesOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suIds: readonly string[],
): Promise<Map<string, { counselor: string; headTeacher: string }>> {
  const { rows } = await sql<{ suId: string; counselor: string; headTeacher: string }>`
      select p."suId", coalesce(c."suiName", '') "counselor", coalesce(h."suiName", '') "headTeacher"
      from "person" p
      left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
      left join "person" c on c."schoolId" = p."schoolId" and c."suId" = k."counselorId" and c."delFlag" = '0'
      left join "person" h on h."schoolId" = p."schoolId" and h."suId" = k."headTeacherId" and h."delFlag" = '0'
      where p."schoolId" = ${actor.schoolId} and p."suId" = any(${[...suIds]}::uuid[])`.execute(db)
  return new Map(rows.map(({ suId, ...names }) => [suId, names]))
}
