import { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import type { ActorFor } from '../../platform/imports/import-jobs.ts'
import type { Importers } from '../../platform/imports/importer.ts'
import { acceptRun, discardRun, runLeavers, runRows, undoRun } from './decide-run.service.ts'
import { runByHand } from './source-runs.service.ts'
import { listRuns, listSources } from './sources.queries.ts'
import { removeSources, saveSource, trustHost } from './sources.service.ts'
import { testSource } from './test-source.service.ts'

/** The calls of the screen 数据同步, for everything that can be imported. */
export const sourceRoutes = (importers: Importers, actorFor: ActorFor): Route[] =>
  routes(sourceApi, {
    list: listSources,
    save: (ctx, input) => saveSource(ctx, importers, input),
    remove: removeSources,
    test: testSource(importers),
    trust: trustHost,
    run: (ctx, { isId }) => runByHand(ctx, isId),
    runs: listRuns,
    rows: runRows(importers),
    leavers: runLeavers,
    accept: acceptRun(importers, actorFor),
    discard: discardRun(importers, actorFor),
    undo: undoRun(importers, actorFor),
  })
