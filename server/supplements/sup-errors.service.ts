import type { Checked } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { supApi } from '../../contract/supplements/supplements.calls.ts'
import type { Context } from '../core/context.ts'
import { errorFile } from '../imports/imports.sheets.ts'
import { supAwardImporter, supImporter } from './sup.importer.ts'

/** The faulty rows of an import by either template: the number does not tell by which. */
export const supErrorFile = (ctx: Context, { errorId }: Checked<typeof supApi.errorExcel>) =>
  errorFile(ctx, supImporter, errorId).catch((error: unknown) => {
    if (error instanceof Failure && error.reason === 'not-found') return errorFile(ctx, supAwardImporter, errorId)
    throw error
  })
