import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes } from '../../core/request/routes.ts'
import {
  addCurriculum,
  deleteCurricula,
  editCurriculum,
  enableCurricula,
  moveCurriculum,
} from './curriculum-write.service.ts'
import {
  curriculumForEdit,
  curriculumOptions,
  curriculumTree,
  lessonLevels,
  recordingClasses,
} from './curriculum.service.ts'
import { exportCurricula } from './list-exports.ts'
import { addTemplate, curriculumTemplates } from './templates.service.ts'

export const curriculumRoutes = routes(
  curriculumApi,
  {
    all: curriculumTree,
    exportList: exportCurricula,
    dropdown: curriculumOptions,
    recordingClass: recordingClasses,
    levels: lessonLevels,
    getEdit: curriculumForEdit,
    templates: curriculumTemplates,
    addTemplate,
    add: addCurriculum,
    edit: editCurriculum,
    move: moveCurriculum,
    enable: enableCurricula,
    delLs: (ctx, { lsId }) => deleteCurricula(ctx, lsId),
    del: (ctx, { lsId }) => deleteCurricula(ctx, lsId),
  },
  { edit: keptBy('lsId', (ctx, lsId) => curriculumForEdit(ctx, { lsId })) },
)
