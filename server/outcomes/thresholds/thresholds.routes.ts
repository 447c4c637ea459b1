import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { routes } from '../../core/request/routes.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { askForCalc, baseValues, deleteBases, saveBases, tryBases } from './bases.service.ts'
import { warningDetail } from './detail.service.ts'
import { deleteHelps, saveHelp } from './helps.service.ts'
import { exportHelpList, exportPrompts, exportTemplate, exportWarnings } from './list-exports.ts'
import { warningOverview } from './overview.queries.ts'
import { countPrompts, listPrompts, promptStudents } from './prompts.service.ts'
import { listWarnings } from './warnings.queries.ts'

export const thresholdRoutes = routes(thresholdApi, {
  list: listWarnings,
  exportList: exportWarnings,
  exportHelpList,
  overview: warningOverview,
  detail: warningDetail,
  all: baseValues,
  exportTemplate,
  save: saveBases,
  del: deleteBases,
  preview: tryBases,
  recalc: (ctx) =>
    inTransaction(ctx, async (tx) => {
      await askForCalc(tx)
      await audit(tx, { action: thresholdApi.recalc.summary, bizType: 'threshold' })
      return { affected: 1 }
    }),
  promptCount: countPrompts,
  prompt: promptStudents,
  prompts: listPrompts,
  exportPrompts,
  saveHelp,
  delHelp: deleteHelps,
})
