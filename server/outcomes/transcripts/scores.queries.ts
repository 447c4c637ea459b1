import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import type { TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countUpTo, offsetOf, titleContains } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { allTakenBack } from '../../programme/credits/ledger.service.ts'
import { belowNode } from '../../programme/credits/statement.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { disputeFinder } from '../../programme/disputes/open-disputes.service.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'

/**
 * Credited records across students, newest first: one row a student and record, found by the hours entries of the
 * ledger. What was reversed is netted with its reversals. The page's entries are looked for first, what they say only
 * for those; they are counted so far and no further, for an exact number of a million costs far more than the page.
 */
export async function studentScores(
  ctx: Context,
  input: Checked<typeof transcriptApi.stuScore>,
): Promise<Output<typeof transcriptApi.stuScore>> {
  const { schoolId } = ctx.actor
  let query = from(ctx, 'creditLedger as c')
    .where('c.clType', '=', sql.lit(creditType.hours))
    .where('c.reverseOf', 'is', null)
    .where(ofVisible(ctx, input.search))
  if (input.liName) query = query.where(titleContains('c.bizName' as never, input.liName))
  if (input.lsId) query = query.where(belowNode(schoolId, input.lsId))
  if (input.llId) query = query.where(ofLevel(schoolId, input.llId))
  const [keys, { total, isCapped }] = await Promise.all([
    query
      .select('c.clId')
      .orderBy(listOrder(input, { startTime: 'c.occurTime' }, 'desc'))
      .orderBy('c.clId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countUpTo(ctx.db, query),
  ])
  return {
    ...asPage(
      await scoreRows(
        ctx,
        keys.map(({ clId }) => clId),
      ),
      total,
      input,
    ),
    isCapped,
  }
}

/**
 * That the course or record behind an entry has a level. Each part is a set of ids that is made once, however many
 * entries are looked at; of a level that nothing has, none are.
 */
const ofLevel = (schoolId: string, llId: string) => sql<boolean>`(
    exists (select from "lessonLevel" v where v."schoolId" = ${schoolId} and v."llId" = ${llId})
    and (
      c."bizId" in (select l."liId" from "lesson" l where l."schoolId" = ${schoolId} and l."liLevel" = ${llId})
      or c."bizId" in (select s."lisId" from "supplement" s where s."schoolId" = ${schoolId} and s."lisLevel" = ${llId})
    )
  )`

/**
 * That an entry is a visible student's. For one who sees the whole school it says whose it is not: matching a million
 * entries with the few people who are no students any more takes a tenth of matching them with all who are.
 */
function ofVisible(ctx: Context, search: string | undefined) {
  if (ctx.scope.whole && !search) {
    return sql<boolean>`not exists (
        select
        from "person" p
        where p."schoolId" = c."schoolId" and p."suId" = c."suId" and p."delFlag" <> '0'
      )`
  }
  let students = visibleStudents(ctx).select('person.suId')
  if (search) students = students.where(isNamed(search))
  return sql<boolean>`c."suId" in (${students})`
}

type ScoreRow = Output<typeof transcriptApi.stuScore>['records'][number]
type Found = Omit<ScoreRow, 'hours' | 'credit' | 'points' | 'liId' | 'lisId' | 'status'> & {
  bizId: string
  hours: number
  credit: number
  points: number
  reversed: boolean
}

/** What these hours entries say, in their order: two statements. */
async function scoreRows(ctx: Context, clIds: string[]): Promise<ScoreRow[]> {
  if (clIds.length === 0) return []
  const { db, actor } = ctx
  const { rows } = await sql<Found>`
      select c."clId" "recId", c."source", c."bizId", c."bizName" "name", c."moduleId", c."occurTime" "startTime",
        c."grantedAt" "grantTime", n."lsName", m."lsName" "moduleName", coalesce(v."llName", '') "levelName",
        coalesce(r."partakeMode", s."lisPartakeMode") "partakeMode",
        coalesce(r."awardName", s."lisAward", '') "awardName", coalesce(l."liSponsorName", s."lisOrg", '') "org",
        l."endTime", p."suId", p."suiName", p."suiNumber", coalesce(o."scName", '') "collegeName", net.*
      from unnest(${clIds}::uuid[]) with ordinality as k("clId", "at")
      join "creditLedger" c on c."schoolId" = ${actor.schoolId} and c."clId" = k."clId"
      join "person" p on p."schoolId" = c."schoolId" and p."suId" = c."suId"
      join "curriculum" n on n."schoolId" = c."schoolId" and n."lsId" = c."lsId"
      join "curriculum" m on m."schoolId" = c."schoolId" and m."lsId" = c."moduleId"
      left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
      left join "lesson" l on l."schoolId" = c."schoolId" and l."liId" = c."bizId"
      left join "registration" r on r."schoolId" = c."schoolId"
        and r."liId" = c."bizId"
        and r."suId" = c."suId"
        and r."delFlag" = '0'
      left join "supplement" s on s."schoolId" = c."schoolId" and s."lisId" = c."bizId"
      left join "lessonLevel" v on v."schoolId" = c."schoolId" and v."llId" = coalesce(l."liLevel", s."lisLevel")
      cross join lateral (
        select coalesce(sum(x."clValue") filter (where x."clType" = ${sql.lit(creditType.hours)}), 0)::int "hours",
          coalesce(sum(x."clValue") filter (where x."clType" = ${sql.lit(creditType.credit)}), 0)::int "credit",
          coalesce(sum(x."clValue") filter (where x."clType" = ${sql.lit(creditType.points)}), 0)::int "points",
          ${allTakenBack('x')} "reversed"
        from "creditLedger" x
        where x."schoolId" = c."schoolId"
          and x."suId" = c."suId"
          and x."bizId" = c."bizId"
          and x."moduleId" = c."moduleId"
      ) net
      order by k."at"`.execute(db)
  const isQuestioned = await disputeFinder(
    ctx,
    rows.map(({ bizId }) => bizId),
  )
  return rows.map(({ bizId, hours, credit, points, reversed, ...row }) => ({
    ...row,
    liId: row.source === 'LESSON' ? bizId : null,
    lisId: row.source === 'SUP' ? bizId : null,
    hours: fromHundredths(hours),
    credit: fromHundredths(credit),
    points: fromHundredths(points),
    status: (reversed ? '3' : isQuestioned(row.suId, bizId) ? '2' : '1') satisfies TranscriptRow['status'],
  }))
}
