import { savedViewApi } from '../../../contract/school/session/saved-views.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { listViews, removeView, saveView } from './saved-views.service.ts'

export const savedViewRoutes = routes(savedViewApi, { list: listViews, save: saveView, remove: removeView })
