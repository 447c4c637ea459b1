import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import { routes } from '../core/routes.ts'
import { lessonCodes } from './attendance.service.ts'
import { lessonDetails, lessonForEdit, lessonPeople } from './lesson-detail.queries.ts'
import { previewFlow } from './lesson-approval.service.ts'
import { countLessons, listLessons } from './lesson-list.queries.ts'
import { saveLesson } from './lesson-save.service.ts'
import { exportLessons } from './lessons.exports.ts'
import { cancelLesson, deleteLessons, leaveLesson, lessonFile, publishLesson, setSigners, submitLesson, unpublishLesson, withdrawLesson } from './lessons.service.ts'
import { publicise, publicList, publictyRounds, unpublicise } from './publicity.service.ts'
import { submitResult } from './result.service.ts'

export const lessonRoutes = routes(lessonApi, {
  view: listLessons,
  selectList: listLessons,
  list: listLessons,
  details: lessonDetails,
  edit: lessonForEdit,
  save: saveLesson,
  submit: submitLesson,
  withdraw: withdrawLesson,
  flowPreview: previewFlow,
  del: deleteLessons,
  publish: publishLesson,
  unpublish: unpublishLesson,
  cancel: cancelLesson,
  resultAudit: submitResult,
  publicty: publicise,
  unpublicty: unpublicise,
  publictyList: publicList,
  publictyRounds,
  signPrincipalAdd: setSigners,
  signManagers: (ctx, input) => lessonPeople(ctx, input, 'signer'),
  codePackage: lessonCodes,
  fileDownload: lessonFile,
  count: countLessons,
  listUser: (ctx, input) => lessonPeople(ctx, input),
  exit: leaveLesson,
  export: exportLessons,
})
