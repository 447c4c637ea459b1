import { runtimeApi } from '../../../contract/school/runtime/runtime.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { diagnostics } from './diagnostics.service.ts'
import { listJobs, overview, retryJob } from './runtime.service.ts'

/**
 * The calls of the screen about the state of the program.
 * @param schema name of the last migration, which this domain does not know
 */
export const runtimeRoutes = (schema: string): Route[] =>
  routes(runtimeApi, {
    overview: overview(schema),
    jobs: listJobs,
    retry: retryJob,
    diagnostics: diagnostics(schema),
  })
