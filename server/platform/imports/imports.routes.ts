import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import type { ImportBatch, ImportKind, ImportTarget } from '../../../contract/platform/imports/imports.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { auditDenied } from '../../core/audit/denied-audit.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { commitBatch, undoBatch } from './commit.service.ts'
import { editRow, skipRow } from './edit-row.service.ts'
import { cancelWork, discardBatch } from './ending.service.ts'
import type { AnyImporter, Importers } from './importer.ts'
import { fileColumns, listBatches, matchFile, previewRows, readBatch, uploadFile } from './imports.service.ts'
import { errorFile, templateFile } from './imports.sheets.ts'

/** The import calls for all kinds that have an importer. */
export function importRoutes(importers: Importers): Route[] {
  /** Makes a handler run with the importer of its kind, for holders of that kind's right and within its scope. */
  const withImporter =
    <I extends { kind: ImportKind }, R>(run: (ctx: Context, importer: AnyImporter, input: I) => Promise<R>) =>
    async (ctx: Context, input: I): Promise<R> => {
      const importer = importers[input.kind]
      if (!importer) throw new Failure('no-such-call')
      if (!ctx.actor.permits.has(importer.permit)) {
        await auditDenied(ctx, { action: `导入${importer.sheet.title}`, bizType: 'permit', bizId: importer.permit })
        throw new Failure('not-permitted')
      }
      return run({ ...ctx, scope: ctx.actor.scopeFor(importer.permit) }, importer, input)
    }

  return routes(importApi, {
    template: withImporter((ctx, importer, input) => templateFile(ctx, importer, targetOf(input))),
    upload: withImporter(async (ctx, importer, { commit: isCommitted, match, wait, ...input }) => {
      const isPlain = ctx.origin.isStrict !== true && match === undefined
      const commit = isCommitted ?? isPlain
      const batch = await uploadFile(ctx, importer, targetOf(input), { match, commit, wait })
      const written =
        commit && batch.can.includes('commit')
          ? await commitBatch(ctx, importer, batch.ibId, { skipFaults: true, newOnly: false }, wait)
          : batch
      // a caller who knows of no batches could only read the counts as done
      if (isPlain && wait > 0 && isBusy(written)) throw new Failure('import-goes-on')
      return written
    }),
    errors: withImporter((ctx, importer, { errorId }) => errorFile(ctx, importer, errorId)),
    batch: withImporter((ctx, importer, { ibId }) => readBatch(ctx, importer, ibId)),
    columns: withImporter((ctx, importer, input) => fileColumns(ctx, importer, input)),
    match: withImporter((ctx, importer, input) => matchFile(ctx, importer, input)),
    preview: withImporter((ctx, importer, input) => previewRows(ctx, importer, input)),
    editRow: withImporter((ctx, importer, input) => editRow(ctx, importer, input)),
    skipRow: withImporter((ctx, importer, input) => skipRow(ctx, importer, input)),
    commit: withImporter((ctx, importer, { ibId, skipFaults = false, newOnly = false, wait }) =>
      commitBatch(ctx, importer, ibId, { skipFaults, newOnly }, wait),
    ),
    undo: withImporter((ctx, importer, { ibId, wait }) => undoBatch(ctx, importer, ibId, wait)),
    discard: withImporter((ctx, importer, { ibId }) => discardBatch(ctx, importer, ibId)),
    cancel: withImporter((ctx, importer, { ibId }) => cancelWork(ctx, importer, ibId)),
    batches: withImporter((ctx, importer, { kind: _kind, current, pageSize, sort: _sort, order: _order, ...target }) =>
      listBatches(ctx, importer, target, { current, pageSize }),
    ),
  })
}

const isBusy = ({ ibStatus }: ImportBatch) => isOneOf(ibStatus, importStatus.checking, importStatus.importing)

function targetOf({ kind: _kind, ...target }: ImportTarget & { kind: ImportKind }): ImportTarget {
  return target
}
