import { sql } from 'kysely'
import type { Context } from '../core/context.ts'

/** What the students who study now have of an ability, in hundredths: sums over a grade and over the school, and what nine of ten of those who have any do not exceed. */
export interface AbilityMeans {
  sqlId: string
  gradeSum: number
  schoolSum: number
  high: number
}

/**
 * The means of all abilities over the whole school; they name nobody and are open to whoever may see transcripts. One statement for
 * the sums and one for the number of students.
 */
export async function abilityMeans({ db, actor }: Context, suiGrade: string | null): Promise<{ gradePeople: number; schoolPeople: number; means: AbilityMeans[] }> {
  const { schoolId } = actor
  const studying = sql`p."schoolId" = ${schoolId} and p."suiType" = '1' and p."suiStatus" = '1' and p."delFlag" = '0'`
  const [people, sums] = [
    await sql<{ grade: number; school: number }>`select count(*) filter (where p."suiGrade" = ${suiGrade})::int "grade", count(*)::int "school" from "person" p where ${studying}`.execute(db),
    await sql<AbilityMeans>`
      select t."sqlId", coalesce(sum(t."score") filter (where t."suiGrade" = ${suiGrade}), 0)::int "gradeSum", sum(t."score")::int "schoolSum", ceil(percentile_cont(0.9) within group (order by t."score"))::int "high" from (
        select c."sqlId", p."suiGrade", sum(c."clValue") "score" from "creditLedger" c join "person" p on p."schoolId" = c."schoolId" and p."suId" = c."suId"
        where c."schoolId" = ${schoolId} and c."clType" = '5' and ${studying} group by c."sqlId", c."suId", p."suiGrade"
      ) t group by t."sqlId"`.execute(db),
  ]
  return { gradePeople: people.rows[0]!.grade, schoolPeople: people.rows[0]!.school, means: sums.rows }
}

/** For each ability the modules whose present scoring rules build it, the heaviest first. */
export async function abilityModules({ db, actor }: Context): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ sqlId: string; modules: string[] }>`
    select t."sqlId", array_agg(t."lsName" order by t."weight" desc, t."lsName") "modules" from (
      select r ->> 'sqlId' "sqlId", m."lsName", sum((r ->> 'weight')::numeric) "weight" from "evaluation" e cross join lateral jsonb_array_elements(e."abilityRules") r
        join "curriculum" n on n."schoolId" = e."schoolId" and n."lsId" = e."lsId" join "curriculum" m on m."schoolId" = n."schoolId" and m."lsId" = n."lsPath"[1]
      where e."schoolId" = ${actor.schoolId} and e."current" and e."enable" = '1' and m."enable" = '1' group by r ->> 'sqlId', m."lsName"
    ) t group by t."sqlId"`.execute(db)
  return new Map(rows.map(({ sqlId, modules }) => [sqlId, modules]))
}
