import { transformationApi } from '../../../contract/rules/transformation/transformation.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportTransformations } from './list-exports.ts'
import { addTransformation, deleteTransformations, editTransformation } from './transformation-write.service.ts'
import {
  effectTerms,
  listTransformations,
  previewTransformation,
  transformationDetail,
} from './transformation.service.ts'

export const transformationRoutes = routes(transformationApi, {
  all: listTransformations,
  exportList: exportTransformations,
  query: transformationDetail,
  terms: effectTerms,
  add: addTransformation,
  edit: editTransformation,
  remove: deleteTransformations,
  preview: previewTransformation,
})
