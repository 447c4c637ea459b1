import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { Page } from '../../../contract/core/paging.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { NoticedSupplement } from '../../../contract/programme/supplements/supplements.schema.ts'
import { noteViewer } from '../../core/audit/notice-viewer.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { maskedName, maskedNumber } from '../../core/secrets/masks.ts'
import { reachSupplement, visibleSupplements } from './supplements.queries.ts'

/**
 * The records whose notice runs, as the public sees them: no full name, no full number; `suiNumber` finds the rows of a
 * whole number. Who looked is in the trail, once a day (docs/rules.md R16).
 */
export async function publicSupplements(
  ctx: Context,
  { lisId, suiNumber, ...page }: Checked<typeof supplementApi.publictyList>,
): Promise<Page<NoticedSupplement>> {
  const now = ctx.clock.now()
  if (lisId) {
    const { lisName, lisStatus, lisPublictySdate } = await reachSupplement(ctx, lisId)
    if (lisStatus !== supplementStatus.inNotice || !lisPublictySdate || lisPublictySdate > now)
      throw new Failure('not-in-notice')
    await noteViewer(ctx, { bizType: 'supplement', bizId: lisId, bizName: lisName })
  } else await noteViewer(ctx, { bizType: 'supplement', bizName: '补录公示名单' })
  let query = visibleSupplements(ctx)
    .where('supplement.delFlag', '=', sql.lit(yesNo.no))
    .where('lisStatus', '=', supplementStatus.inNotice)
    .where('lisPublictySdate', '<=', now)
  if (lisId) query = query.where('supplement.lisId', '=', lisId)
  if (suiNumber) query = query.where('suiNumber', '=', suiNumber)
  const [rows, total] = await Promise.all([
    query
      .innerJoin('lessonLevel as level', withinSchool('level.llId', 'supplement.lisLevel'))
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .select(['supplement.lisId', 'lisName', 'suiName', 'suiNumber', 'college.scName', 'lisType', 'lisAward'])
      .select(['level.llName', 'lisHours', 'lisPublictySdate', 'lisPublictyEdate', 'lisPublictyStatus'])
      .orderBy('lisPublictyEdate')
      .orderBy('supplement.lisId')
      .limit(page.pageSize)
      .offset(offsetOf(page))
      .execute(),
    countOf(query),
  ])
  const shown = rows.map((row) => ({
    lisId: row.lisId,
    lisName: row.lisName,
    suiName: maskedName(row.suiName),
    suiNumber: maskedNumber(row.suiNumber),
    collegeName: row.scName ?? '',
    lisType: row.lisType,
    lisLevelName: row.llName,
    lisAward: row.lisAward,
    hours: fromHundredths(row.lisHours),
    lisPublictySdate: row.lisPublictySdate!,
    lisPublictyEdate: row.lisPublictyEdate!,
    lisPublictyStatus: row.lisPublictyStatus,
  }))
  return asPage(shown, total, page)
}
