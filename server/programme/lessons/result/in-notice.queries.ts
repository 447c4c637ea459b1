import { sql } from 'kysely'
import { applyStatus, lessonStatus, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { asPage, countOf, offsetOf, titleContains } from '../../../core/database/paging.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import type { Context } from '../../../core/request/context.ts'

/** Courses of the whole school whose result is in public notice now, those that end first on top. */
export async function lessonsInNotice(
  ctx: Context,
  { liName, ...page }: { liName?: string | undefined; current: number; pageSize: number },
) {
  const now = ctx.clock.now()
  let query = from(ctx, 'lesson')
    .where('lesson.liStatus', 'in', [lessonStatus.inNotice, lessonStatus.questioned])
    .where('lesson.liPublictySdate', '<=', now)
    .where('lesson.liPublictyEdate', '>=', now)
  if (liName) query = query.where(titleContains('lesson.liName', liName))
  const [rows, total] = await Promise.all([
    query
      .leftJoin('college', withinSchool('college.scId', 'lesson.liCollegeId'))
      .select(['lesson.liId', 'lesson.liName', 'lesson.liStatus', 'liPublictySdate', 'liPublictyEdate'])
      .select([
        sql<string>`coalesce("college"."scName", '')`.as('collegeName'),
        sql<number>`(
          select count(*)::int
          from "registration" r
          where r."schoolId" = "lesson"."schoolId"
            and r."liId" = "lesson"."liId"
            and r."delFlag" = '0'
            and r."laStatus" = ${sql.lit(applyStatus.accepted)}
            and r."laResult" in (${sql.lit(resultStatus.passed)}, ${sql.lit(resultStatus.awarded)})
        )`.as('people'),
      ])
      .orderBy('liPublictyEdate')
      .orderBy('lesson.liId')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ liStatus, liPublictySdate, liPublictyEdate, ...row }) => ({
      ...row,
      liPublictySdate: liPublictySdate!,
      liPublictyEdate: liPublictyEdate!,
      isQuestioned: liStatus === lessonStatus.questioned,
    })),
    total,
    page,
  )
}
