import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import {
  actOnAll,
  cancelTask,
  countAll,
  exportInBackground,
  listTasks,
  removeFile,
  taskFile,
  taskResults,
  undoTask,
  type OtherWork,
} from './background.service.ts'
import type { Registry } from './registry.ts'

/** The calls of work in the background. What can be carried out, and what else goes on, comes from outside. */
export const backgroundRoutes = (registry: Registry, others: readonly OtherWork[]): Route[] =>
  routes(backgroundApi, {
    countAll: countAll(registry),
    actOnAll: actOnAll(registry),
    undo: undoTask(registry),
    exportFile: exportInBackground(registry),
    list: listTasks(registry, others),
    cancel: cancelTask,
    remove: removeFile,
    results: taskResults(registry),
    download: taskFile(registry),
  })
