import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { errorFile } from '../../platform/imports/imports.sheets.ts'
import { supplementAwardImporter, supplementImporter } from './supplement.importer.ts'

/** The faulty rows of an import by either template: the number does not tell by which. */
export const supplementErrorFile = (ctx: Context, { errorId }: Checked<typeof supplementApi.errorExcel>) =>
  errorFile(ctx, supplementImporter, errorId).catch((error: unknown) => {
    if (error instanceof Failure && error.reason === 'not-found')
      return errorFile(ctx, supplementAwardImporter, errorId)
    throw error
  })
