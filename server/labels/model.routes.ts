import { modelApi } from '../../contract/labels/model.calls.ts'
import { routes } from '../core/routes.ts'
import { deleteModel, qualityModel, saveModel } from './model.service.ts'

export const modelRoutes = routes(modelApi, { list: qualityModel, addList: saveModel, del: deleteModel })
