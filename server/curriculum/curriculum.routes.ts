import { curriculumApi } from '../../contract/curriculum/curriculum.calls.ts'
import { routes } from '../core/routes.ts'
import { addCurriculum, deleteCurricula, editCurriculum, sortCurriculum } from './curriculum-write.service.ts'
import { curriculumForEdit, curriculumOptions, curriculumTree, lessonLevels, recordingClasses } from './curriculum.service.ts'

export const curriculumRoutes = routes(curriculumApi, {
  all: curriculumTree,
  dropdown: curriculumOptions,
  recordingClass: recordingClasses,
  levels: lessonLevels,
  getEdit: curriculumForEdit,
  add: addCurriculum,
  edit: editCurriculum,
  sort: sortCurriculum,
  delLs: (ctx, { lsId }) => deleteCurricula(ctx, lsId),
  del: (ctx, { lsId }) => deleteCurricula(ctx, lsId),
})
