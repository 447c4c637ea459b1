import { sql } from 'kysely'
import type { Checked, Output } from '../../contract/core/call.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { transcriptApi } from '../../contract/transcripts/transcripts.calls.ts'
import type { TranscriptRow } from '../../contract/transcripts/transcripts.schema.ts'
import type { Context } from '../core/context.ts'
import { asPage, contains, countOf, offsetOf } from '../core/pages.ts'
import { visibleStudentsWithPlace } from '../people/students.service.ts'

/** Credited records across students, newest first: one row a student and record, read from the hours rows of the ledger. */
export async function studentScores(ctx: Context, input: Checked<typeof transcriptApi.stuScore>): Promise<Output<typeof transcriptApi.stuScore>> {
  let query = visibleStudentsWithPlace(ctx).innerJoin('creditLedger as c', (join) => join.onRef('c.schoolId', '=', 'person.schoolId').onRef('c.suId', '=', 'person.suId').on('c.clType', '=', '1'))
  if (input.liName) query = query.where(contains('c.bizName' as never, input.liName))
  if (input.lsId) query = query.where((eb) => eb.or([eb('c.moduleId', '=', input.lsId!), eb('c.lsId', '=', input.lsId!)]))
  if (input.search) query = query.where((eb) => eb.or([contains('person.suiName' as never, input.search!), contains('person.suiNumber' as never, input.search!)]))
  if (input.llId) query = query.where((eb) => eb.or([
    eb.exists(eb.selectFrom('lesson as l').select('l.liId').whereRef('l.schoolId', '=', 'c.schoolId').whereRef('l.liId', '=', 'c.bizId').where('l.liLevel', '=', input.llId!)),
    eb.exists(eb.selectFrom('supplement as s').select('s.lisId').whereRef('s.schoolId', '=', 'c.schoolId').whereRef('s.lisId', '=', 'c.bizId').where('s.lisLevel', '=', input.llId!)),
  ]))
  const [rows, total] = await Promise.all([
    query
      .select(['c.clId as recId', 'c.source', 'c.bizId', 'c.bizName as name', 'c.moduleId', 'c.clValue', 'c.occurTime as startTime', 'c.grantedAt as grantTime', 'person.suId', 'suiName', 'suiNumber'])
      .select([
        sql<string>`coalesce("scName", '')`.as('collegeName'),
        sql<string>`(select n."lsName" from "curriculum" n where n."schoolId" = c."schoolId" and n."lsId" = c."lsId")`.as('lsName'),
        sql<number>`coalesce((select sum(x."clValue") from "creditLedger" x where x."schoolId" = c."schoolId" and x."suId" = c."suId" and x."bizId" = c."bizId" and x."clType" = '2'), 0)::int`.as('credit'),
        sql<number>`coalesce((select sum(x."clValue") from "creditLedger" x where x."schoolId" = c."schoolId" and x."suId" = c."suId" and x."bizId" = c."bizId" and x."clType" = '3'), 0)::int`.as('points'),
        sql<string>`coalesce((select v."llName" from "lessonLevel" v where v."schoolId" = c."schoolId" and v."llId" = coalesce((select l."liLevel" from "lesson" l where l."schoolId" = c."schoolId" and l."liId" = c."bizId"), (select s."lisLevel" from "supplement" s where s."schoolId" = c."schoolId" and s."lisId" = c."bizId"))), '')`.as('levelName'),
        sql<string>`coalesce((select r."awardName" from "registration" r where r."schoolId" = c."schoolId" and r."liId" = c."bizId" and r."suId" = c."suId" and r."delFlag" = '0'), '')`.as('awardName'),
      ])
      .orderBy('c.occurTime', 'desc').orderBy('c.clId').limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  const records = rows.map(({ bizId, clValue, credit, points, source, ...row }) => ({
    ...row, source: source as TranscriptRow['source'], liId: source === 'LESSON' ? bizId : null, lisId: source === 'SUP' ? bizId : null, partakeMode: null, org: '', endTime: null,
    hours: fromHundredths(clValue), credit: fromHundredths(credit), points: fromHundredths(points), status: '1' as const,
  }))
  return asPage(records, total, input)
}
