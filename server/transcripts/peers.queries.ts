import { sql } from 'kysely'
import type { Context } from '../core/context.ts'

/** Smaller groups are not compared with: a mean of few tells what one of them has. */
export const smallestPeers = 5

/** What a student is compared with. */
export interface Peers {
  /** Mean of the students of his college by ability, in hundredths; null where they are too few. */
  college: Map<string, number> | null
  /** `3/42` by hours among the students of his class, and of his major and year. */
  rankClass: string | null
  rankMajor: string | null
}

const studying = sql`pl."plKind" = '1' and pl."enrolled"`
const students = sql`"statPerson" s join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId"`

/**
 * Means and ranks among those who study now, from the rollups of the ledger; they name nobody, so everybody of the group counts whatever the asking person may see.
 * Four statements however many students are asked for.
 */
export async function peersOf({ db, actor }: Pick<Context, 'db' | 'actor'>, suIds: readonly string[], withRanks: boolean): Promise<Map<string, Peers>> {
  const { schoolId } = actor
  const own = sql`select pl.* from ${students} where s."schoolId" = ${schoolId} and s."suId" = any(${suIds as string[]}::uuid[])`
  const [places, people, sums, ranks] = await Promise.all([
    sql<{ suId: string; collegeId: string | null }>`select s."suId", pl."collegeId" from ${students} where s."schoolId" = ${schoolId} and s."suId" = any(${suIds as string[]}::uuid[])`.execute(db),
    sql<{ collegeId: string; n: number }>`select pl."collegeId", count(*)::int "n" from ${students} where s."schoolId" = ${schoolId} and ${studying} and pl."collegeId" in (select o."collegeId" from (${own}) o) group by 1`.execute(db),
    sql<{ collegeId: string; sqlId: string; score: number }>`select pl."collegeId", a."sqlId", sum(a."score")::float8 "score" from ${students} join "statAbility" a on a."schoolId" = s."schoolId" and a."suId" = s."suId"
      where s."schoolId" = ${schoolId} and ${studying} and pl."collegeId" in (select o."collegeId" from (${own}) o) group by 1, 2`.execute(db),
    withRanks
      ? sql<Record<'inClass' | 'ofClass' | 'inMajor' | 'ofMajor', number> & { suId: string; hasClass: boolean; hasMajor: boolean }>`select r.* from (
          select s."suId", pl."classId" is not null "hasClass", pl."majorId" is not null "hasMajor",
            (rank() over (partition by pl."classId" order by s."hours" desc))::int "inClass", (count(*) over (partition by pl."classId"))::int "ofClass",
            (rank() over (partition by pl."majorId", pl."grade" order by s."hours" desc))::int "inMajor", (count(*) over (partition by pl."majorId", pl."grade"))::int "ofMajor"
          from ${students} where s."schoolId" = ${schoolId} and ${studying} and (pl."majorId" in (select o."majorId" from (${own}) o) or pl."classId" in (select o."classId" from (${own}) o))) r
        where r."suId" = any(${suIds as string[]}::uuid[])`.execute(db)
      : { rows: [] },
  ])
  const size = new Map(people.rows.map(({ collegeId, n }) => [collegeId, n]))
  const means = new Map<string, Map<string, number>>()
  for (const { collegeId, sqlId, score } of sums.rows) means.set(collegeId, (means.get(collegeId) ?? new Map<string, number>()).set(sqlId, Math.round(score / size.get(collegeId)!)))
  const rankOf = new Map(ranks.rows.map((row) => [row.suId, row]))
  const told = (has: boolean | undefined, at = 0, of = 0): string | null => (has && of >= smallestPeers ? `${at}/${of}` : null)
  return new Map(places.rows.map(({ suId, collegeId }) => {
    const rank = rankOf.get(suId)
    const isEnough = collegeId !== null && (size.get(collegeId) ?? 0) >= smallestPeers
    return [suId, { college: isEnough ? (means.get(collegeId) ?? new Map<string, number>()) : null, rankClass: told(rank?.hasClass, rank?.inClass, rank?.ofClass), rankMajor: told(rank?.hasMajor, rank?.inMajor, rank?.ofMajor) }]
  }))
}
