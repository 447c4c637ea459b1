import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes } from '../../core/request/routes.ts'
import {
  addTemplate,
  awardsOfLesson,
  deleteTemplates,
  editTemplate,
  enableTemplates,
  listTemplates,
  templateDetail,
  templateOptions,
} from './awards.service.ts'
import { exportTemplates } from './list-exports.ts'
import { addReady, listReady } from './ready.service.ts'

export const awardRoutes = routes(
  awardApi,
  {
    select: templateOptions,
    list: listTemplates,
    exportList: exportTemplates,
    detail: templateDetail,
    add: addTemplate,
    edit: editTemplate,
    enable: enableTemplates,
    ready: listReady,
    addReady,
    remove: deleteTemplates,
    ofLesson: awardsOfLesson,
  },
  { edit: keptBy('atId', (ctx, atId) => templateDetail(ctx, { atId })) },
)
