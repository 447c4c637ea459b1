import { sql } from 'kysely'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { issueApi, IssueRow } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { moment, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { visibleStudentsWithPlace, studentScopeColumns } from '../../school/people/students.service.ts'

/** The issues of students that exist for whoever asks, with their students. */
export const visibleIssues = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudentsWithPlace(ctx).innerJoin('transcriptIssue as i', withinSchool('i.suId', 'person.suId'))

const columns = [
  'i.tiId',
  'i.serial',
  'i.suId',
  'person.suiName',
  'person.suiNumber',
  'i.tiExtract',
  'i.tiLang',
  'i.issueTime',
  'i.issueName',
  'i.printCount',
  'i.lastPrintTime',
  'i.endTime',
  'i.revokeName',
  'i.revokeReason',
] as const

function matchingIssues(
  ctx: Context,
  { search, suId, collegeId, tiStatus, startTime, endTime }: Partial<Checked<typeof issueApi.list>>,
) {
  let query = visibleIssues(ctx)
  if (search)
    query = query.where((or) =>
      or.or([
        or('i.serial', '=', search),
        contains('person.suiName' as never, search),
        contains('person.suiNumber' as never, search),
      ]),
    )
  if (suId) query = query.where('i.suId', '=', suId)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (tiStatus) query = query.where('i.tiStatus', '=', tiStatus)
  if (startTime) query = query.where('i.issueTime', '>=', startTime)
  if (endTime) query = query.where('i.issueTime', '<=', endTime)
  return query
}

/** Issued transcripts, the latest first. */
export async function listIssues(
  ctx: Context,
  input: Checked<typeof issueApi.list>,
): Promise<Output<typeof issueApi.list>> {
  const query = matchingIssues(ctx, input)
  const mayRevoke = ctx.actor.permits.has('transcript:revoke')
  const mayPrint = ctx.actor.permits.has('transcript:export')
  const within = (permit: 'transcript:revoke' | 'transcript:export') =>
    inScope(ctx.actor.scopeFor(permit), studentScopeColumns)
  const [rows, total] = await Promise.all([
    query
      .select(columns)
      .select([
        sql<IssueRow['tiStatus']>`i."tiStatus"`.as('tiStatus'),
        sql<string>`encode(i."digest", 'hex')`.as('digest'),
        sql<string>`coalesce("scName", '')`.as('collegeName'),
        sql<string>`coalesce("scClassName", '')`.as('className'),
        within('transcript:revoke').as('inRevoke'),
        within('transcript:export').as('inExport'),
      ])
      .orderBy(listOrder(input, { issueTime: 'i.issueTime' }, 'desc'))
      .orderBy('i.tiId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ inRevoke, inExport, ...row }) => ({
      ...row,
      can: [
        ...(mayPrint && inExport && row.tiStatus !== issueStatus.revoked ? (['reprint'] as const) : []),
        ...(mayRevoke && inRevoke && row.tiStatus !== issueStatus.revoked ? (['revoke'] as const) : []),
      ],
    })),
    total,
    input,
  )
}

type Row = Output<typeof issueApi.list>['records'][number]

/** The issues of the list as a workbook. */
export const exportIssues = pagedExport(
  '成绩单签发记录',
  [
    text('编号', 'serial', 38),
    text('学号', 'suiNumber', 18),
    text('姓名', 'suiName', 12),
    text('学院', 'collegeName', 24),
    text('班级', 'className', 20),
    text('内容', ({ tiExtract }: Row) => tiExtract || '全部', 22),
    text('状态', ({ tiStatus }: Row) => labelIn(issueStatus, tiStatus), 10),
    moment('签发时间', 'issueTime'),
    text('签发人', 'issueName', 12),
    text('打印次数', 'printCount', 10),
    text('撤销原因', 'revokeReason', 30),
    text('内容摘要', 'digest', 66),
  ],
  listIssues,
)

/** Every print of an issue. */
export async function listPrints(
  ctx: Context,
  input: Checked<typeof issueApi.prints>,
): Promise<Output<typeof issueApi.prints>> {
  const seen = await visibleIssues(ctx).select('i.tiId').where('i.tiId', '=', input.tiId).executeTakeFirst()
  if (!seen) throw new Failure('not-found')
  const query = from(ctx, 'transcriptPrint').where('tiId', '=', input.tiId)
  const [rows, total] = await Promise.all([
    query
      .select(['tpId', 'printTime', 'printName'])
      .select(sql<'1' | '2' | '3'>`"printWay"`.as('printWay'))
      .orderBy('printTime', 'desc')
      .orderBy('tpId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(rows, total, input)
}
