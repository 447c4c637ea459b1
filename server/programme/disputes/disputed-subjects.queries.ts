import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import type { Page } from '../../../contract/core/paging.ts'
import type { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { DisputedLesson } from '../../../contract/programme/disputes/disputes.schema.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { count, moment, text } from '../../core/export/columns.ts'
import { pagedExport } from '../../core/export/exports.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { aboutSubject, visibleDisputes } from './disputes.queries.ts'

/**
 * Courses and supplement records about which there are disputes, those asked about last first, with how far they are.
 */
export async function disputedLessons(
  ctx: Context,
  input: Checked<typeof disputeApi.lessons>,
): Promise<Page<DisputedLesson>> {
  const number = (which: string) => sql<number>`(count(*) filter (where ${sql.raw(which)}))::int`
  const waiting = number(`q."qStatus" in ('${questionStatus.pending}', '${questionStatus.overdue}')`)
  const approving = number(
    `q."qStatus" = '${questionStatus.inReview}' or (q."qStatus" = '${questionStatus.upheld}' and q."qOutcome" is null)`,
  )
  let grouped = aboutSubject(visibleDisputes(ctx), input).groupBy(['q.schoolId', 'q.liId', 'q.lisId'])
  if (input.state === 'waiting') grouped = grouped.having(waiting, '>', 0)
  if (input.state === 'approving') grouped = grouped.having(approving, '>', 0)
  if (input.state === 'done') grouped = grouped.having(sql<boolean>`${waiting} + ${approving} = 0`)
  if (input.createStartDate) grouped = grouped.having(lastTime, '>=', input.createStartDate)
  if (input.createEndDate) grouped = grouped.having(lastTime, '<=', input.createEndDate)
  const counted = grouped.select([
    'q.schoolId',
    'q.liId',
    'q.lisId',
    waiting.as('waiting'),
    approving.as('approving'),
    number('true').as('total'),
    number(`q."qStatus" = '${questionStatus.upheld}'`).as('upheld'),
    number(`q."qStatus" = '${questionStatus.rejected}'`).as('refused'),
    lastTime.as('lastTime'),
  ])
  let subjects = ctx.db
    .selectFrom(counted.as('c'))
    .leftJoin('lesson as l', withinSchool('l.liId', 'c.liId'))
    .leftJoin('supplement as s', withinSchool('s.lisId', 'c.lisId'))
    .leftJoin('person as p', (join) =>
      join
        .onRef('p.schoolId', '=', 'c.schoolId')
        .on((on) => on('p.suId', '=', on.fn.coalesce('l.liPrincipalId', 's.suId'))),
    )
    .leftJoin('college as k', (join) =>
      join
        .onRef('k.schoolId', '=', 'c.schoolId')
        .on(sql<boolean>`k."scId" = case when c."lisId" is null then l."liCollegeId" else p."suiCollegeId" end`),
    )
  if (input.collegeId) subjects = subjects.where('k.scId', '=', input.collegeId)
  if (input.personName)
    subjects = subjects.where(
      sql<boolean>`(${contains('p.suiName' as never, input.personName)} or ${contains('p.suiNumber' as never, input.personName)})`,
    )
  const direction = input.order ?? (input.sort ? 'asc' : 'desc')
  const [rows, total] = await Promise.all([
    subjects
      .select([
        'c.liId',
        'c.lisId',
        sql<string>`coalesce(l."liNo", '')`.as('liNo'),
        sql<string>`coalesce(l."liName", '')`.as('liName'),
        sql<string>`coalesce(l."liStatus", '')`.as('liStatus'),
        sql<string>`coalesce(s."lisName", '')`.as('lisName'),
        sql<string>`coalesce(s."lisStatus", '')`.as('lisStatus'),
        sql<string>`coalesce(s."lisPublictyStatus", '')`.as('lisPublictyStatus'),
        sql<string | null>`coalesce(l."liPublictySdate", s."lisPublictySdate")`.as('liPublictySdate'),
        sql<string | null>`coalesce(l."liPublictyEdate", s."lisPublictyEdate")`.as('liPublictyEdate'),
        sql<string>`case when c."lisId" is null then p."suiName" else '' end`.as('liPrincipalName'),
        sql<string>`case when c."lisId" is null then '' else p."suiName" end`.as('suiName'),
        sql<string>`coalesce(k."scName", '')`.as('collegeName'),
        'c.total',
        'c.waiting',
        'c.approving',
        'c.upheld',
        'c.refused',
        'c.lastTime',
      ])
      .orderBy(sql`${sortable[input.sort ?? 'lastTime']} ${sql.raw(direction)} nulls last`)
      .orderBy('c.liId')
      .orderBy('c.lisId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(subjects),
  ])
  return asPage(rows, total, input)
}

const lastTime = sql<string>`max(q."createTime")`

/** What the list may be sorted by. */
const sortable = {
  lastTime: sql.ref('c.lastTime'),
  liName: sql`coalesce(l."liName", s."lisName")`,
  liPublictyEdate: sql`coalesce(l."liPublictyEdate", s."lisPublictyEdate")`,
  waiting: sql.ref('c.waiting'),
  approving: sql.ref('c.approving'),
  upheld: sql.ref('c.upheld'),
  refused: sql.ref('c.refused'),
  total: sql.ref('c.total'),
}

/** The matters of the list as a workbook. */
export const exportDisputedLessons = pagedExport(
  '质疑举报课程',
  [
    text('名称', ({ liName, lisName }: DisputedLesson) => liName || lisName, 32),
    text('对象', ({ lisId }: DisputedLesson) => (lisId === null ? '课程' : '补录'), 8),
    text('状态', ({ liStatus, lisStatus }: DisputedLesson) =>
      liStatus ? labelOf('lesson_status', liStatus) : labelOf('sup_status', lisStatus),
    ),
    count('待受理', 'waiting', 8),
    count('处理中', 'approving', 8),
    count('成立', 'upheld', 8),
    count('不成立', 'refused', 8),
    count('合计', 'total', 8),
    moment('公示截止', 'liPublictyEdate'),
    text('学院', 'collegeName', 24),
    text('负责人或学生', ({ liPrincipalName, suiName }: DisputedLesson) => liPrincipalName || suiName, 14),
    moment('最近登记', 'lastTime'),
  ],
  disputedLessons,
)
