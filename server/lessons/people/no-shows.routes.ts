import { noShowApi } from '../../../contract/lessons/no-shows.calls.ts'
import { routes } from '../../core/routes.ts'
import { noShows } from './no-shows.queries.ts'

export const noShowRoutes = routes(noShowApi, { list: noShows })
