import { noShowApi } from '../../../contract/programme/lessons/no-shows.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { noShows } from './lists/no-shows.queries.ts'

export const noShowRoutes = routes(noShowApi, { list: noShows })
