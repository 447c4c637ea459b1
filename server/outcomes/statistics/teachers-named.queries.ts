import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/** What lists say of a teacher. */
interface NamedTeacher {
  suId: string
  suiName: string
  suiNumber: string
  collegeName: string
  title: string | null
}

/** Teachers by their ids. */
export async function teachersNamed(
  { db, actor }: Context,
  suIds: readonly string[],
): Promise<Map<string, NamedTeacher>> {
  const { rows } = await sql<NamedTeacher>`
    select p."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName", p."title"
    from "person" p
    left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
    where p."schoolId" = ${actor.schoolId} and p."suId" = any(${suIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.suId, row]))
}
