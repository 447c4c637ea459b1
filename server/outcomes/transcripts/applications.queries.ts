import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { applicationStatus } from '../../../contract/core/codes/outcomes.ts'
import type {
  ApplicationRow,
  transcriptApplicationApi,
} from '../../../contract/outcomes/transcripts/applications.calls.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { count, moment, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentScopeColumns, visibleStudentsWithPlace } from '../../school/people/students.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'

/** The right to issue transcripts is the right to decide about applications for one. */
const issuing = 'transcript:export'

/** The applications of students that exist for whoever asks, with their students. */
export const visibleApplications = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudentsWithPlace(ctx).innerJoin('transcriptApplication as a', withinSchool('a.suId', 'person.suId'))

type Filters = Partial<Checked<typeof transcriptApplicationApi.list>> & { suId?: string }

function matching(ctx: Context, { search, suId, collegeId, taStatus, startTime, endTime }: Filters) {
  let query = visibleApplications(ctx)
  if (search)
    query = query.where((or) =>
      or.or([contains('person.suiName' as never, search), contains('person.suiNumber' as never, search)]),
    )
  if (suId) query = query.where('a.suId', '=', suId)
  if (collegeId) query = query.where('person.suiCollegeId', '=', collegeId)
  if (taStatus) query = query.where('a.taStatus', '=', taStatus)
  if (startTime) query = query.where('a.createTime', '>=', startTime)
  if (endTime) query = query.where('a.createTime', '<=', endTime)
  return query
}

/**
 * Whether the person may decide about applications at all: where the school issues centrally, only for the whole of it.
 */
export async function mayDecide(ctx: Context): Promise<boolean> {
  if (!ctx.actor.permits.has(issuing)) return false
  const { transcriptApply } = await schoolSettings(ctx, ctx.actor.schoolId)
  return transcriptApply !== 'school' || ctx.actor.scopeFor(issuing).whole
}

/** Applications for a signed transcript, the latest first. */
export async function listTranscriptApplications(
  ctx: Context,
  input: Checked<typeof transcriptApplicationApi.list> & { suId?: string },
): Promise<Output<typeof transcriptApplicationApi.list>> {
  const query = matching(ctx, input)
  const [rows, total, decides] = await Promise.all([
    query
      .leftJoin('transcriptIssue as i', withinSchool('i.tiId', 'a.tiId'))
      .select([
        'a.taId',
        'a.suId',
        'person.suiName',
        'person.suiNumber',
        'a.taPurpose',
        'a.taCopies',
        'a.createTime',
        'a.decideName',
        'a.decideTime',
        'a.decideReason',
        'a.tiId',
        'i.serial',
      ])
      .select([
        sql<ApplicationRow['taLang']>`a."taLang"`.as('taLang'),
        sql<ApplicationRow['taStatus']>`a."taStatus"`.as('taStatus'),
        sql<string>`coalesce("scName", '')`.as('collegeName'),
        sql<string>`coalesce("scClassName", '')`.as('className'),
        inScope(ctx.actor.scopeFor(issuing), studentScopeColumns).as('isReached'),
      ])
      .orderBy(listOrder(input, { createTime: 'a.createTime', decideTime: 'a.decideTime' }, 'desc'))
      .orderBy('a.taId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
    mayDecide(ctx),
  ])
  const mayPrint = ctx.actor.permits.has(issuing)
  return asPage(
    rows.map(({ isReached, ...row }) => ({
      ...row,
      can: [
        ...(decides && isReached && row.taStatus === applicationStatus.open ? (['accept', 'refuse'] as const) : []),
        ...(mayPrint && isReached && row.tiId ? (['reprint'] as const) : []),
      ],
    })),
    total,
    input,
  )
}

/** The applications of the list as a workbook. */
export const exportTranscriptApplications = pagedExport(
  '成绩单申请',
  [
    text('学号', 'suiNumber', 18),
    text('姓名', 'suiName', 12),
    text('学院', 'collegeName', 24),
    text('班级', 'className', 20),
    text('语言', ({ taLang }: ApplicationRow) => (taLang === 'en' ? '英文' : '中文'), 8),
    text('用途', 'taPurpose', 40),
    count('纸质份数', 'taCopies', 10),
    text('状态', ({ taStatus }: ApplicationRow) => labelIn(applicationStatus, taStatus), 10),
    moment('申请时间', 'createTime'),
    text('办理人', 'decideName', 12),
    moment('办理时间', 'decideTime'),
    text('说明', 'decideReason', 30),
    text('成绩单编号', 'serial', 38),
  ],
  listTranscriptApplications,
)

/**
 * How many applications wait for the person; null where there is nothing to count, for want of the right or because
 * students cannot apply.
 */
export async function waitingTranscriptApplications(ctx: Context): Promise<number | null> {
  if (!ctx.actor.permits.has(issuing)) return null
  const { transcriptApply } = await schoolSettings(ctx, ctx.actor.schoolId)
  if (transcriptApply === 'off' || (transcriptApply === 'school' && !ctx.actor.scopeFor(issuing).whole)) return null
  return countOf(matching({ ...ctx, scope: ctx.actor.scopeFor(issuing) }, { taStatus: applicationStatus.open }))
}
