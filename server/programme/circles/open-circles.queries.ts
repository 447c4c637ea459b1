import { sql } from 'kysely'
import {
  circleApplyType,
  circleAuthStatus,
  circleJoinMode,
  circleStatus,
} from '../../../contract/core/codes/programme.ts'
import type { StudentsCircle } from '../../../contract/student/circles.calls.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { ownActs } from '../../core/request/own-acts.ts'

interface Wanted {
  ciName?: string | undefined
  /** Only those the person belongs to, or has applied for. */
  mine?: boolean | undefined
  current: number
  pageSize: number
}

/**
 * The circles in service of the whole school as a student sees them, each with their own place in it; their own first.
 */
export async function openCircles(ctx: Context, { ciName, mine, ...page }: Wanted): Promise<Page<StudentsCircle>> {
  const { suId } = ctx.actor
  const joining = sql.lit(circleApplyType.joining)
  let query = from(ctx, 'circle')
    .leftJoin('circleMember as m', (join) =>
      join
        .onRef('m.schoolId', '=', 'circle.schoolId')
        .onRef('m.ciId', '=', 'circle.ciId')
        .on('m.suId', '=', suId)
        .on('m.quitTime', 'is', null),
    )
    .leftJoin('circleApply as a', (join) =>
      join
        .onRef('a.schoolId', '=', 'circle.schoolId')
        .onRef('a.ciId', '=', 'circle.ciId')
        .on('a.cpiPersonId', '=', suId)
        .on('a.caType', '=', joining)
        .on('a.ciAuthStatus', '=', sql.lit(circleAuthStatus.pending)),
    )
    .where('circle.ciStatus', '=', circleStatus.enabled)
    .where('circle.ciAuthStatus', '=', circleAuthStatus.passed)
  if (ciName) query = query.where(contains('circle.ciName', ciName))
  if (mine) query = query.where((or) => or.or([or('m.cpiId', 'is not', null), or('a.caId', 'is not', null)]))
  const [rows, total] = await Promise.all([
    query
      .innerJoin('circleClass as class', withinSchool('class.ccId', 'circle.ciClass'))
      .innerJoin('person as leader', withinSchool('leader.suId', 'circle.cpiPersonId'))
      .leftJoin('college', withinSchool('college.scId', 'circle.ciCollegeId'))
      .select([
        'circle.ciId',
        'circle.ciName',
        'class.ccName',
        'circle.ciDesc',
        'circle.cpiPersonId',
        'leader.suiName as leaderName',
        'circle.memberMax',
        'm.joinTime',
        'a.caId',
        'a.applyBy',
      ])
      .select([
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
        sql<StudentsCircle['joinMode']>`"circle"."joinMode"`.as('joinMode'),
        sql<StudentsCircle['cmRole']>`"m"."cmRole"`.as('cmRole'),
        sql<number>`(
          select count(*)::int
          from "circleMember" n
          where n."schoolId" = "circle"."schoolId" and n."ciId" = "circle"."ciId" and n."quitTime" is null
        )`.as('memberCount'),
        sql<string>`coalesce(
          (
            select case when b."ciAuthStatus" = ${sql.lit(circleAuthStatus.refused)} then b."reason" end
            from "circleApply" b
            where b."schoolId" = "circle"."schoolId"
              and b."ciId" = "circle"."ciId"
              and b."cpiPersonId" = ${suId}::uuid
              and b."caType" = ${joining}
            order by b."applyTime" desc
            limit 1
          ), ''
        )`.as('refusal'),
      ])
      .orderBy(sql`"m"."cpiId" is null`)
      .orderBy(sql`"a"."caId" is null`)
      .orderBy('circle.ciName')
      .orderBy('circle.ciId')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ cpiPersonId, applyBy, refusal, ...row }) => ({
      ...row,
      refusal: row.cmRole === null ? refusal : '',
      can: ownActs(ctx.actor, movesOf(row, { isLeader: cpiPersonId === suId, isOwn: applyBy === suId })),
    })),
    total,
    page,
  )
}

/** Refuses a circle that takes in only those whom it invites. */
export async function assertOpenToApplicants(ctx: Context, ciId: string): Promise<void> {
  const circle = await from(ctx, 'circle').select(['ciName', 'joinMode']).where('ciId', '=', ciId).executeTakeFirst()
  if (!circle) throw new Failure('not-found')
  if (circle.joinMode === circleJoinMode.inviteOnly) throw new Failure('circle-invites-only', { name: circle.ciName })
}

/** Who leads a circle hands it over before they leave; what others applied for is for them to take back. */
function movesOf(
  { cmRole, caId, joinMode }: Pick<StudentsCircle, 'cmRole' | 'caId' | 'joinMode'>,
  { isLeader, isOwn }: { isLeader: boolean; isOwn: boolean },
): StudentsCircle['can'] {
  if (cmRole !== null) return isLeader ? [] : ['leave']
  if (caId !== null) return isOwn ? ['withdraw'] : []
  return joinMode === circleJoinMode.inviteOnly ? [] : ['join']
}
