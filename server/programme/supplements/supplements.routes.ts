import { studentSupplementApi } from '../../../contract/programme/supplements/student-supplements.calls.ts'
import { supplementApi, supplementCaseApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { routes } from '../../core/request/routes.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { templateFile } from '../../platform/imports/imports.sheets.ts'
import { keptSupplement } from './kept-form.ts'
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
      edit: (ctx, input) => editSupplements(ctx, kinds, input),
      remove: (ctx, input) => editSupplements(ctx, kinds, input),
      correct: (ctx, input) => correctSupplement(ctx, kinds, input),
      proof: supplementProof,
      exportList: exportSupplements,
      exportTemplate: (ctx) => templateFile(ctx, supplementImporter, {}),
      exportATemplate: (ctx) => templateFile(ctx, supplementAwardImporter, {}),
      errorExcel: supplementErrorFile,
    },
    { save: keptSupplement },
  ),
  ...routes(supplementCaseApi, { supCase: supplementCase }),
]
