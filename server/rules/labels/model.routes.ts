import { modelApi } from '../../../contract/rules/labels/model.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { deleteModel, qualityModel, saveModel } from './model.service.ts'

export const modelRoutes = routes(modelApi, { list: qualityModel, addList: saveModel, del: deleteModel })
