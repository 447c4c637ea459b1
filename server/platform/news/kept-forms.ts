import { newsTypeRow } from '../../../contract/platform/news/news.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { newsForEdit } from './news.queries.ts'
import { visibleTypes } from './types.service.ts'

export const keptNews = keptBy('niId', newsForEdit, {
  formOf: ({ attachments, ...news }) => ({ ...news, attachments: attachments.map(({ id }) => id) }),
})

export const keptType = keptBy(
  'ntId',
  (ctx, ntId) => visibleTypes(ctx).selectAll().where('ntId', '=', ntId).executeTakeFirst(),
  { row: newsTypeRow },
)
