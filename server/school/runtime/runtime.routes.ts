import { runtimeApi } from '../../../contract/school/runtime/runtime.calls.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { operatorApi } from '../../../contract/school/runtime/schools.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { diagnostics } from './diagnostics.service.ts'
import { listSchools, resumeByOperator, setQuotaByOperator, suspendByOperator } from './schools.service.ts'
import { listJobs, overview, retryJob } from './runtime.service.ts'

/**
 * The calls of the installation's operator.
 * @param add makes a school, which takes domains that this one does not know
 */
export const operatorRoutes = (
  add: (ctx: Context, input: Checked<typeof operatorApi.add>) => Promise<{ schoolId: string }>,
): Route[] =>
  routes(operatorApi, {
    schools: listSchools,
    suspend: suspendByOperator,
    resume: resumeByOperator,
    quota: setQuotaByOperator,
    add,
  })

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
