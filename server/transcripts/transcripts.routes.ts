import { Failure } from '../../contract/core/failure.ts'
import { transcriptApi } from '../../contract/transcripts/transcripts.calls.ts'
import { auditMany } from '../core/audit.ts'
import { asPage, offsetOf } from '../core/pages.ts'
import { routes } from '../core/routes.ts'
import { studentScores } from './scores.queries.ts'
import { pictureForPrint } from '../files/files.service.ts'
import { picturesForPrint } from '../school/profile.service.ts'
import { transcriptPdf } from './transcript-pdf.ts'
import { transcriptStudents } from './transcripts.queries.ts'
import { transcriptsOf } from './transcripts.service.ts'

export const transcriptRoutes = routes(transcriptApi, {
  list: transcriptStudents,
  header: async (ctx, { suId, ...filter }) => {
    const { rows: _, ...header } = (await transcriptsOf(ctx, [suId], filter))[0]!
    return header
  },
  rows: async (ctx, { suId, startTime, endTime, lsId, ...page }) => {
    const { rows } = (await transcriptsOf(ctx, [suId], { startTime, endTime, lsId }))[0]!
    return asPage(rows.slice(offsetOf(page), offsetOf(page) + page.pageSize), rows.length, page)
  },
  stuScore: studentScores,
  export: async (ctx, { suIds, ...filter }) => {
    const transcripts = await transcriptsOf(ctx, suIds, filter)
    // all or nothing: a list of which a part is out of sight is refused, not shortened
    if (transcripts.length !== suIds.length) throw new Failure('not-found')
    const [first] = transcripts
    const name = transcripts.length === 1 ? `第二课堂成绩单-${first!.student.suiNumber}-${first!.student.suiName}.pdf` : `第二课堂成绩单-${transcripts.length}人.pdf`
    const pictures = await picturesForPrint(ctx)
    const [badge, seal] = [await pictureForPrint(ctx, pictures.badge), await pictureForPrint(ctx, pictures.seal, { isPrivate: true })]
    const body = await transcriptPdf(transcripts, { byName: ctx.actor.suNickname, at: ctx.clock.now(), badge, seal })
    // only what can be printed is noted as printed
    await auditMany(ctx, transcripts.map(({ student, serial }) => ({ action: transcriptApi.export.summary, bizType: 'transcript', bizId: student.suId, bizName: student.suiName, after: { serial } })))
    return { name, type: 'application/pdf', body }
  },
})
