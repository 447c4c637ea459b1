import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { accessRecords, testAccess, userAccess, type RecordSources } from './access.service.ts'

/** The calls that explain rights; `sources` says how the records are found that rights reach. */
export const accessRoutes = (sources: RecordSources): Route[] =>
  routes(accessApi, {
    view: (ctx, input) => userAccess(ctx, input, sources),
    records: (ctx, input) => accessRecords(ctx, input, sources),
    test: (ctx, input) => testAccess(ctx, input, sources),
  })
