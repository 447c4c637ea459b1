import type { Checked, Output } from '../../../contract/core/call.ts'
import type { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { transcriptsOf } from './transcripts.service.ts'
import { withOpens } from './with-opens.service.ts'

/** A page of the records of a student's transcript, each with how its value came about. */
export async function transcriptEntries(
  ctx: Context,
  { suId, startTime, endTime, lsId, ...page }: Checked<typeof transcriptApi.rows>,
): Promise<Output<typeof transcriptApi.rows>> {
  const { rows } = (await transcriptsOf(ctx, [suId], { startTime, endTime, lsId }))[0]!
  const shown = rows.slice(offsetOf(page), offsetOf(page) + page.pageSize)
  return asPage(
    (await withOpens(ctx, shown)).map((row) => ({ ...row, explainId: row.recId })),
    rows.length,
    page,
  )
}
