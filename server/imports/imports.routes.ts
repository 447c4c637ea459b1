import { Failure } from '../../contract/core/failure.ts'
import { importApi } from '../../contract/imports/imports.calls.ts'
import type { ImportKind, ImportTarget } from '../../contract/imports/imports.schema.ts'
import { audit } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { routes, type Route } from '../core/routes.ts'
import { commitBatch, discardBatch, undoBatch } from './commit.service.ts'
import { editRow } from './edit-row.service.ts'
import type { AnyImporter, Importers } from './importer.ts'
import { checkFile, listBatches, previewRows } from './imports.service.ts'
import { errorFile, templateFile } from './imports.sheets.ts'

/** The import calls for all kinds that have an importer. */
export function importRoutes(importers: Importers): Route[] {
  /** Makes a handler run with the importer of its kind, for holders of that kind's right and within its scope. */
  const withImporter =
    <I extends { kind: ImportKind }, R>(run: (ctx: Context, importer: AnyImporter, input: I) => Promise<R>) =>
    async (ctx: Context, input: I): Promise<R> => {
      const importer = importers[input.kind]
      if (!importer) throw new Failure('not-found')
      if (!ctx.actor.permits.has(importer.permit)) {
        await audit(ctx, { action: `导入${importer.sheet.title}`, result: 'refused', bizType: 'permit', bizId: importer.permit })
        throw new Failure('not-permitted')
      }
      return run({ ...ctx, scope: ctx.actor.scopeFor(importer.permit) }, importer, input)
    }

  return routes(importApi, {
    template: withImporter((ctx, importer, input) => templateFile(ctx, importer, targetOf(input))),
    upload: withImporter(async (ctx, importer, { commit, ...input }) => {
      const batch = await checkFile(ctx, importer, targetOf(input))
      return commit ? commitBatch(ctx, importer, batch.ibId, true) : batch
    }),
    errors: withImporter((ctx, importer, { errorId }) => errorFile(ctx, importer, errorId)),
    preview: withImporter((ctx, importer, input) => previewRows(ctx, importer, input)),
    editRow: withImporter((ctx, importer, input) => editRow(ctx, importer, input)),
    commit: withImporter((ctx, importer, { ibId, skipFaults }) => commitBatch(ctx, importer, ibId, skipFaults === true)),
    undo: withImporter((ctx, importer, { ibId }) => undoBatch(ctx, importer, ibId)),
    discard: withImporter((ctx, importer, { ibId }) => discardBatch(ctx, importer, ibId)),
    batches: withImporter((ctx, importer, input) => listBatches(ctx, importer, input)),
  })
}

function targetOf({ kind: _kind, ...target }: ImportTarget & { kind: ImportKind }): ImportTarget {
  return target
}
