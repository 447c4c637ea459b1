import { modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { previewModel } from './model-preview.service.ts'

export const modelPreviewRoutes = routes(modelPreviewApi, { preview: previewModel })
