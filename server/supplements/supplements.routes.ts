import { studentSupApi } from '../../contract/supplements/student-sups.calls.ts'
import { supApi, supCaseApi } from '../../contract/supplements/supplements.calls.ts'
import { routes } from '../core/routes.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { templateFile } from '../imports/imports.sheets.ts'
import { dupHints } from './dup-hints.queries.ts'
import { supplementsOfStudent } from './student-sups.queries.ts'
import { previewSup, submitSups, withdrawSup } from './sup-approval.service.ts'
import { supCase } from './sup-case.service.ts'
import { correctSup } from './sup-correct.service.ts'
import { supDetails, supForEdit, supProof } from './sup-detail.queries.ts'
import { supErrorFile } from './sup-errors.service.ts'
import { exportSups } from './sup-exports.ts'
import { countSups, listSups } from './sup-list.queries.ts'
import { editPublicity, publiciseSups } from './sup-publicity.service.ts'
import { editSups } from './sup-removal.service.ts'
import { saveSupplement } from './sup-save.service.ts'
import { supAwardImporter, supImporter } from './sup.importer.ts'

/** @param kinds what gives credit, for corrections and reversals */
export const supplementRoutes = (kinds: CreditKinds) => [
  ...routes(studentSupApi, { list: supplementsOfStudent }),
  ...routes(supApi, {
    list: listSups,
    count: countSups,
    detail: supDetails,
    load: supForEdit,
    save: saveSupplement,
    dupHints,
    flowPreview: previewSup,
    submit: submitSups,
    withdraw: withdrawSup,
    editPublicty: editPublicity,
    publicise: editPublicity,
    batchEditPublicty: publiciseSups,
    edit: (ctx, input) => editSups(ctx, kinds, input),
    remove: (ctx, input) => editSups(ctx, kinds, input),
    correct: (ctx, input) => correctSup(ctx, kinds, input),
    proof: supProof,
    exportList: exportSups,
    exportTemplate: (ctx) => templateFile(ctx, supImporter, {}),
    exportATemplate: (ctx) => templateFile(ctx, supAwardImporter, {}),
    errorExcel: supErrorFile,
  }),
  ...routes(supCaseApi, { supCase }),
]
