import { circleClassRow } from '../../../contract/programme/circles/circles.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { visibleClasses } from './categories.service.ts'
import { circleDetail } from './circles.queries.ts'

/** Members that are left out stay by themselves, and are more than a form may hold in large circles. */
export const keptCircle = keptBy('ciId', (ctx, ciId) => circleDetail(ctx, { ciId }), {
  formOf: ({ personIds: _, charter, ...circle }) => ({ ...circle, charterFile: charter?.id }),
})

export const keptClass = keptBy(
  'ccId',
  (ctx, ccId) => visibleClasses(ctx).selectAll().where('ccId', '=', ccId).executeTakeFirst(),
  { row: circleClassRow },
)
