import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/** What lists say of a course beside its figures. */
interface NamedLesson {
  liId: string
  liName: string
  lsName: string
  levelName: string
  liSponsorName: string
  liPrincipalName: string
}

/** Courses by their ids. */
export async function lessonsNamed(
  { db, actor }: Context,
  liIds: readonly string[],
): Promise<Map<string, NamedLesson>> {
  const { rows } = await sql<NamedLesson>`
      select l."liId", l."liName", l."liSponsorName", l."liPrincipalName",
        (select v."llName" from "lessonLevel" v where v."schoolId" = l."schoolId" and v."llId" = l."liLevel")
        "levelName",
        (
          select string_agg(c."lsName", ' / ' order by p."at")
          from unnest(l."lsPath") with ordinality p("id", "at")
          join "curriculum" c on c."schoolId" = l."schoolId" and c."lsId" = p."id"
        ) "lsName"
      from "lesson" l
      where l."schoolId" = ${actor.schoolId} and l."liId" = any(${liIds}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.liId, row]))
}
