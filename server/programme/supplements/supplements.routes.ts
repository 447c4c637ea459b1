import type { Checked } from '../../../contract/core/call.ts'
import { studentSupplementApi } from '../../../contract/programme/supplements/student-supplements.calls.ts'
import { supplementApi, supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { routes } from '../../core/request/routes.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { templateFile } from '../../platform/imports/imports.sheets.ts'
import { keptByDeleting, keptSupplement } from './kept-form.ts'
import { dupHints } from './dup-hints.queries.ts'
import { publicSupplements } from './public-list.queries.ts'
import { supplementsOfStudent } from './student-supplements.queries.ts'
import { previewSupplement, submitSupplements, withdrawSupplement } from './supplement-approval.service.ts'
import { supplementCase } from './supplement-case.service.ts'
import { correctSupplement } from './supplement-correct.service.ts'
import { recheckCredential } from './supplement-credential.service.ts'
import { supplementDetails, supplementForEdit, supplementProof } from './supplement-detail.queries.ts'
import { supplementErrorFile } from './supplement-errors.service.ts'
import { exportSupplements } from './supplement-exports.ts'
import { countSupplements, listSupplements } from './supplement-list.queries.ts'
import { editPublicity, publiciseSupplements } from './supplement-publicity.service.ts'
import { editSupplements } from './supplement-removal.service.ts'
import { saveSupplement } from './supplement-save.service.ts'
import { supplementAwardImporter, supplementImporter } from './supplement.importer.ts'

/**
 * The call that deletes records. Without `delFlag` it is a plain caller's form of one record (`keptByDeleting`), or
 * nothing is said of what to do.
 */
async function editOrRemove(ctx: Context, kinds: CreditKinds, input: Checked<typeof supplementApi.edit> | SavedForm) {
  if (!Array.isArray(input.lisId)) {
    await saveSupplement(ctx, input as SavedForm)
    return { affected: 1 }
  }
  const { lisId, delFlag, reverse, reason } = input as Checked<typeof supplementApi.edit>
  if (delFlag === undefined) throw invalidInput([{ field: 'delFlag', msg: '请选择删除标记' }])
  return editSupplements(ctx, kinds, { lisId, delFlag, reverse, reason })
}
type SavedForm = Checked<typeof supplementApi.save>

/** @param kinds what gives credit, for corrections and reversals */
export const supplementRoutes = (kinds: CreditKinds) => [
  ...routes(studentSupplementApi, { list: supplementsOfStudent }),
  ...routes(
    supplementApi,
    {
      list: listSupplements,
      count: countSupplements,
      detail: supplementDetails,
      load: supplementForEdit,
      save: saveSupplement,
      recheckCredential,
      dupHints,
      flowPreview: previewSupplement,
      submit: submitSupplements,
      withdraw: withdrawSupplement,
      editPublicty: editPublicity,
      publicise: editPublicity,
      batchEditPublicty: publiciseSupplements,
      publictyList: publicSupplements,
      edit: (ctx, input) => editOrRemove(ctx, kinds, input),
      remove: (ctx, input) => editSupplements(ctx, kinds, input),
      correct: (ctx, input) => correctSupplement(ctx, kinds, input),
      proof: supplementProof,
      exportList: exportSupplements,
      exportTemplate: (ctx) => templateFile(ctx, supplementImporter, {}),
      exportATemplate: (ctx) => templateFile(ctx, supplementAwardImporter, {}),
      errorExcel: supplementErrorFile,
    },
    { save: keptSupplement, edit: keptByDeleting },
  ),
  ...routes(supplementCaseApi, { supCase: supplementCase }),
]
