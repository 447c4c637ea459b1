import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { creditType } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { transcriptSources, type TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { amount, code, moment, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, countUpTo, offsetOf, titleContains } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { allTakenBack } from '../../programme/credits/ledger.service.ts'
import { belowNode } from '../../programme/credits/statement.service.ts'
import { visibleStudents } from '../../school/people/students.service.ts'
import { disputeFinder } from '../../programme/disputes/open-disputes.service.ts'
import { isNamed } from '../../school/organisation/person-columns.ts'
import { withOpens } from './with-opens.service.ts'

/**
 * Credited records across students, newest first: one row a student and record, found by the hours entries of the
 * ledger. What was reversed is netted with its reversals. The page's entries are looked for first, what they say only
 * for those; they are counted so far and no further, for an exact number of a million costs far more than the page.
 */
export async function studentScores(
  ctx: Context,
  input: Checked<typeof transcriptApi.stuScore>,
): Promise<Output<typeof transcriptApi.stuScore>> {
  const query = matchingScores(ctx, input)
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
      await withOpens(
        ctx,
        await scoreRows(
          ctx,
          keys.map(({ clId }) => clId),
        ),
      ),
      total,
      input,
    ),
    isCapped,
  }
}

type Filters = Partial<Omit<Checked<typeof transcriptApi.stuScore>, 'current' | 'pageSize' | 'sort' | 'order'>>

/** The hours entries of visible students that fit the filters. */
function matchingScores(ctx: Context, { liName, lsId, llId, search, startTime, endTime }: Filters) {
  const { schoolId } = ctx.actor
  let query = from(ctx, 'creditLedger as c')
    .where('c.clType', '=', sql.lit(creditType.hours))
    .where('c.reverseOf', 'is', null)
    .where(ofVisible(ctx, search))
  if (liName) query = query.where(titleContains('c.bizName' as never, liName))
  if (lsId) query = query.where(belowNode(schoolId, lsId))
  if (llId) query = query.where(ofLevel(schoolId, llId))
  if (startTime) query = query.where('c.occurTime', '>=', startTime)
  if (endTime) query = query.where('c.occurTime', '<=', endTime)
  return query
}

const batch = 500
const columns = [
  text('学号', 'suiNumber', 18),
  text('姓名', 'suiName', 12),
  text('学院', 'collegeName', 24),
  text('名称', 'name', 32),
  text('来源', ({ source }: ScoreRow) => transcriptSources[source], 10),
  text('模块', 'moduleName', 14),
  text('课程体系', 'lsName', 20),
  text('级别', 'levelName', 12),
  code('参与方式', 'partake_mode', 'partakeMode', 10),
  text('奖项', 'awardName', 14),
  amount('学时', 'hours'),
  amount('学分', 'credit'),
  amount('积分', 'points'),
  text('状态', ({ status }: ScoreRow) => labelIn(recordStatus, status), 10),
  text('主办单位', 'org', 24),
  moment('活动时间', 'startTime'),
  moment('入账时间', 'grantTime'),
]

/** The records of the list as a workbook, all of them: in the order in which they were credited. */
export function exportStudentScores(ctx: Context, filters: Checked<typeof transcriptApi.exportStuScore>) {
  const rows = inBatches(async (last: ScoreRow | undefined) => {
    let keys = matchingScores(ctx, filters).select('c.clId')
    if (last) keys = keys.where('c.clId', '>', last.recId)
    const found = await keys.orderBy('c.clId').limit(batch).execute()
    return scoreRows(
      ctx,
      found.map(({ clId }) => clId),
    )
  })
  return exportList(ctx, { title: '得分明细', columns, rows, filter: filters })
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

type ScoreRow = Omit<Output<typeof transcriptApi.stuScore>['records'][number], 'opens'>
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
