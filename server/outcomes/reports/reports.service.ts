import type { Checked } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import { reportApi, reportFormats, reportSpans } from '../../../contract/outcomes/reports/reports.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportDocument } from '../../core/export/exports.ts'
import { watermarkPng } from '../../core/pdf/watermark.ts'
import { schoolAppearanceOf } from '../../school/school/school.service.ts'
import { figuresOfPeriod } from '../statistics/period-figures.service.ts'
import { spanAround } from '../statistics/periods.ts'
import { warningsFor } from '../thresholds/overview.service.ts'
import { chartPicture } from './chart-picture.ts'
import { reportOf } from './report-content.ts'
import { reportDocx } from './report-docx.ts'
import { reportPdf } from './report-pdf.ts'

const kinds = {
  pdf: { make: reportPdf, type: 'application/pdf' },
  docx: { make: reportDocx, type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' },
} as const satisfies Record<keyof typeof reportFormats, unknown>

/** The weekly or monthly report of what the asking person may see, as a document that carries their name. */
export async function exportReport(
  ctx: Context,
  { span, day, collegeId, format, reason }: Checked<typeof reportApi.export>,
): Promise<FileAnswer> {
  const period = spanAround(span, day)
  const [figures, warnings, { schName }] = await Promise.all([
    figuresOfPeriod(ctx, period, collegeId),
    warningsFor(ctx, { collegeId }),
    schoolAppearanceOf(ctx, ctx.actor.schoolId),
  ])
  const report = reportOf({ figures, warnings, span, schName })
  const at = ctx.clock.now()
  const name = `${ctx.actor.suNickname}（${ctx.actor.suLoginName}）`
  const watermark = await watermarkPng([name, at.slice(0, 16)])
  const pictures: Buffer[] = []
  for (const chart of report.sections.flatMap(({ charts }) => charts)) pictures.push(await chartPicture(chart))
  const { make, type } = kinds[format]
  const bytes = await make({ report, pictures, watermark, maker: `${name} ${at}`, at })
  const title = `第二课堂${reportSpans[span]}_${period.startTime.slice(0, 10)}至${period.endTime.slice(0, 10)}`
  const rows = report.sections.flatMap(({ tables }) => tables).reduce((sum, table) => sum + table.rows.length, 0)
  return exportDocument(ctx, {
    title,
    what: reportSpans[span],
    ending: format,
    type,
    bytes,
    rows,
    filter: { ...period, ...(collegeId && { collegeId }), format, reason },
  })
}
