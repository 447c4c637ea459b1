import { modelPreviewApi } from '../../contract/labels/model.calls.ts'
import { routes } from '../core/routes.ts'
import { previewModel } from './model-preview.service.ts'

export const modelPreviewRoutes = routes(modelPreviewApi, { preview: previewModel })
