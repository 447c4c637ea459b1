import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { circleApplyApi, CircleApplication } from '../../../contract/programme/circles/applications.calls.ts'
import { circleAuthStatus } from '../../../contract/core/codes/programme.ts'
import type { Difference } from '../../../contract/core/difference.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { holdsOver, readableCircles, readablePerson, visibleCircles } from './circles.service.ts'

type Filters = Checked<typeof circleApplyApi.list>
const sortable = { applyTime: 'a.applyTime', auditTime: 'a.auditTime' }

function matching(
  ctx: Context,
  { ciName, ciAuthStatus, caType, ciId, createStartDate, createEndDate }: Filters,
  circles = visibleCircles(ctx),
) {
  let query = circles.innerJoin('circleApply as a', withinSchool('a.ciId', 'circle.ciId'))
  if (ciName) query = query.where(contains('circle.ciName', ciName))
  if (ciAuthStatus) query = query.where('a.ciAuthStatus', '=', ciAuthStatus)
  if (caType) query = query.where('a.caType', '=', caType)
  if (ciId) query = query.where('a.ciId', '=', ciId)
  if (createStartDate) query = query.where('a.applyTime', '>=', createStartDate)
  if (createEndDate) query = query.where('a.applyTime', '<=', createEndDate)
  return query
}

/**
 * What is asked for in the circles the person may see, the latest first; in those they only read about for the sake of
 * their classes, what is asked for students of these.
 */
export async function listApplications(ctx: Context, input: Filters) {
  const query = matching(ctx, input, readableCircles(ctx))
    .innerJoin('person as who', withinSchool('who.suId', 'a.cpiPersonId'))
    .where(readablePerson(ctx, 'who'))
  const [rows, total] = await Promise.all([
    query
      .innerJoin('circleClass as class', withinSchool('class.ccId', 'circle.ciClass'))
      .innerJoin('person as leader', withinSchool('leader.suId', 'circle.cpiPersonId'))
      .leftJoin('college', withinSchool('college.scId', 'circle.ciCollegeId'))
      .select([
        'a.caId',
        'a.caType',
        'a.ciId',
        'circle.ciName',
        'class.ccName',
        'a.cpiPersonId',
        'who.suiName as cpiPersonName',
        'leader.suiName as leaderName',
        'a.ciAuthStatus',
        'a.applyReason',
        'a.crYear',
        'a.crResult',
        'a.crStar',
      ])
      .select([
        'a.applyBy',
        'a.applyName',
        'a.applyTime',
        'a.auditName',
        'a.auditTime',
        'a.reason',
        'a.differences',
        'circle.ciCollegeId',
        'circle.guideUnitId',
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
      ])
      .select(
        sql<CircleApplication['materials']>`coalesce(
            (
              select json_agg(json_build_object('id', f."fileId", 'name', f."fileName") order by m."at")
              from unnest("a"."materials") with ordinality m("id", "at")
              join "file" f on f."schoolId" = "a"."schoolId" and f."fileId" = m."id"
            ), '[]'
          )`.as('materials'),
      )
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('a.caId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const { permits, suId } = ctx.actor
  const records = rows.map(({ applyBy, ciCollegeId, guideUnitId, ...row }): CircleApplication => {
    const isOpen = row.ciAuthStatus === circleAuthStatus.pending
    const can: CircleApplication['can'] = []
    if (isOpen && holdsOver(ctx.actor, 'circle:audit', { ciCollegeId, guideUnitId })) can.push('decide')
    if (isOpen && applyBy === suId && permits.has('circle:edit')) can.push('withdraw')
    return { ...row, differences: row.differences as unknown as Difference[], can }
  })
  return asPage(records, total, input)
}

/** How many applications wait for whoever may decide them; 0 to everybody else. */
export const waitingApplications = async (ctx: Context): Promise<number> =>
  ctx.actor.permits.has('circle:audit')
    ? countOf(
        matching(
          { ...ctx, scope: ctx.actor.scopeFor('circle:audit') },
          { current: 1, pageSize: 1, ciAuthStatus: circleAuthStatus.pending },
        ),
      )
    : 0

/** The open applications of pairs of a circle and a person, locked. */
export const openApplications = (ctx: Pick<Context, 'db' | 'actor'>, ciIds: readonly string[]) =>
  from(ctx, 'circleApply as a')
    .select(['a.caId', 'a.caType', 'a.ciId', 'a.cpiPersonId', 'a.applyBy', 'a.crYear', 'a.crResult', 'a.crStar'])
    .where(anyOf('a.ciId', ciIds))
    .where('a.ciAuthStatus', '=', circleAuthStatus.pending)
    .orderBy('a.caId')
    .forUpdate()
    .execute()
export type OpenApplication = Awaited<ReturnType<typeof openApplications>>[number]
