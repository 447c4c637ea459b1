import { sql, type RawBuilder } from 'kysely'
import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { minGroupSize } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { abilitiesOfGrades } from './ability-sums.ts'
import { cachedAnswer } from './answer-cache.ts'
import { personsAt } from './places.ts'

/** What a student is compared with. */
export interface Peers {
  /** Mean of the students of their college by ability, in hundredths; null where they are too few. */
  college: Map<string, number> | null
  /** `3/42` by hours among the students of their class, and of their major and year. */
  rankClass: string | null
  rankMajor: string | null
}

/** How many students there are, and what they have of each ability together, in hundredths. */
interface Sums {
  people: number
  scores: Map<string, number>
}

/**
 * Means over everybody, those without a score too, in hundredths; null of few, for a mean of few tells what one of them
 * has. An ability that is not there nobody has.
 */
const meansOf = ({ people, scores }: Sums = { people: 0, scores: new Map() }): Map<string, number> | null =>
  people < minGroupSize ? null : new Map([...scores].map(([sqlId, score]) => [sqlId, Math.round(score / people)]))

/**
 * Students who study now, as `s` at `pl`, whatever the asking person may see of them: figures about them name nobody.
 */
const studying = (schoolId: string): RawBuilder<unknown> =>
  sql`${personsAt} where s."schoolId" = ${schoolId} and pl."plKind" = ${sql.lit(peopleKind.students)} and pl."enrolled"`

/** What the students of a college have of each ability together. */
async function sumsOfCollege({ db, actor }: Pick<Context, 'db' | 'actor'>, collegeId: string): Promise<Sums> {
  const here = sql`${studying(actor.schoolId)} and pl."collegeId" = ${collegeId}::uuid`
  const [people, scores] = await Promise.all([
    sql<{ n: number }>`
      select count(*)::int "n"
      from ${here}`.execute(db),
    sql<{
      sqlId: string
      score: number
    }>`
      select a."sqlId", sum(a."score")::float8 "score"
      from (select s."schoolId", s."suId" from ${here}) q
      join "statAbility" a on a."schoolId" = q."schoolId" and a."suId" = q."suId"
      group by 1`.execute(db),
  ])
  return {
    people: people.rows[0]!.n,
    scores: new Map(scores.rows.map(({ sqlId, score }) => [sqlId, score])),
  }
}

/**
 * The means of a college, kept for others who ask as long as nothing changes: a batch asks for the same ones again and
 * again.
 */
const collegeMeans = (ctx: Context, collegeId: string): Promise<Map<string, number> | null> =>
  cachedAnswer({ ...ctx, scope: wholeSchool }, 'collegeMeans', { collegeId }, async () =>
    meansOf(await sumsOfCollege(ctx, collegeId)),
  )

/**
 * Means and ranks among those who study now, from the rollups of the ledger; they name nobody, so everybody of the
 * group counts whatever the asking person may see. Two statements however many students are asked for, and three a
 * college whose means are not kept.
 */
export async function peersOf(ctx: Context, suIds: readonly string[], withRanks: boolean): Promise<Map<string, Peers>> {
  const {
    db,
    actor: { schoolId },
  } = ctx
  const own = sql`
    select pl.*
    from ${personsAt}
    where s."schoolId" = ${schoolId} and s."suId" = any(${suIds as string[]}::uuid[])`
  const [places, ranks] = await Promise.all([
    sql<{
      suId: string
      collegeId: string | null
    }>`
      select s."suId", pl."collegeId"
      from ${personsAt}
      where s."schoolId" = ${schoolId} and s."suId" = any(${suIds as string[]}::uuid[])`.execute(db),
    withRanks
      ? sql<
          Record<'inClass' | 'ofClass' | 'inMajor' | 'ofMajor', number> & {
            suId: string
            hasClass: boolean
            hasMajor: boolean
          }
        >`
          select r.*
          from (
            select s."suId", pl."classId" is not null "hasClass", pl."majorId" is not null "hasMajor",
              (rank() over (partition by pl."classId" order by s."hours" desc))::int "inClass",
              (count(*) over (partition by pl."classId"))::int "ofClass",
              (rank() over (partition by pl."majorId", pl."grade" order by s."hours" desc))::int "inMajor",
              (count(*) over (partition by pl."majorId", pl."grade"))::int "ofMajor"
            from ${studying(schoolId)}
              and (
                pl."majorId" in (select o."majorId" from (${own}) o)
                or pl."classId" in (select o."classId" from (${own}) o)
              )
          ) r
          where r."suId" = any(${suIds as string[]}::uuid[])`.execute(db)
      : { rows: [] },
  ])
  const colleges = new Map<string | null, Map<string, number> | null>()
  for (const { collegeId } of places.rows)
    if (collegeId !== null && !colleges.has(collegeId)) colleges.set(collegeId, await collegeMeans(ctx, collegeId))
  const rankOf = new Map(ranks.rows.map((row) => [row.suId, row]))
  const rankText = (has: boolean | undefined, at = 0, of = 0): string | null =>
    has && of >= minGroupSize ? `${at}/${of}` : null
  return new Map(
    places.rows.map(({ suId, collegeId }) => {
      const rank = rankOf.get(suId)
      return [
        suId,
        {
          college: colleges.get(collegeId) ?? null,
          rankClass: rankText(rank?.hasClass, rank?.inClass, rank?.ofClass),
          rankMajor: rankText(rank?.hasMajor, rank?.inMajor, rank?.ofMajor),
        },
      ]
    }),
  )
}

/**
 * What students have of each ability: means of a grade and of the school (null of few), and what nine of ten of those
 * who have any do not exceed. In hundredths.
 */
interface AbilityMeans {
  gradePeople: number
  schoolPeople: number
  grade: Map<string, number> | null
  school: Map<string, number> | null
  /** Only where those who have any are not few. */
  high: Map<string, number>
}

/** The means of a grade and of the whole school, kept for others who ask as long as nothing changes. */
export async function abilityMeans(ctx: Context, grade: string | null): Promise<AbilityMeans> {
  const { grades, school, high } = await cachedAnswer({ ...ctx, scope: wholeSchool }, 'abilityMeans', {}, async () => {
    const { grades: sums, high: highs } = await abilitiesOfGrades(ctx)
    const all: Sums = { people: 0, scores: new Map() }
    for (const { people, scores } of sums.values()) {
      all.people += people
      for (const [sqlId, score] of scores) all.scores.set(sqlId, (all.scores.get(sqlId) ?? 0) + score)
    }
    return { grades: sums, school: all, high: highs }
  })
  const own = grade === null ? undefined : grades.get(grade)
  return {
    gradePeople: own?.people ?? 0,
    schoolPeople: school.people,
    grade: meansOf(own),
    school: meansOf(school),
    high,
  }
}
