import { awardApi } from '../../contract/awards/awards.calls.ts'
import { routes } from '../core/routes.ts'
import { addTemplate, awardsOfLesson, deleteTemplates, editTemplate, listTemplates, templateDetail, templateOptions } from './awards.service.ts'
import { exportTemplates } from './list-exports.ts'

export const awardRoutes = routes(awardApi, {
  select: templateOptions,
  list: listTemplates,
  exportList: exportTemplates,
  detail: templateDetail,
  add: addTemplate,
  edit: editTemplate,
  remove: deleteTemplates,
  ofLesson: awardsOfLesson,
})
