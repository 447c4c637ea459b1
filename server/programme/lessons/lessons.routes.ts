import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { formOfLesson } from '../../../contract/programme/lessons/form-of-lesson.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes } from '../../core/request/routes.ts'
import { errorFile, templateFile } from '../../platform/imports/imports.sheets.ts'
import { lessonCodes } from './signing/attendance.service.ts'
import { conflictsOf } from './planning/conflicts.service.ts'
import { lessonDetails, lessonForEdit, lessonPeople } from './lists/lesson-detail.queries.ts'
import { previewFlow } from './approval/lesson-approval.service.ts'
import { countLessons, listLessons } from './lists/lesson-list.queries.ts'
import { saveLesson } from './planning/lesson-save.service.ts'
import { forEachLesson } from './for-each-lesson.service.ts'
import { makeSeries } from './planning/series.service.ts'
import { exportLessons } from './lists/lessons.exports.ts'
import { lessonImporter } from './importers/lessons.importer.ts'
import {
  archiveLesson,
  cancelLesson,
  deleteLessons,
  endAbnormally,
  leaveLesson,
  lessonFile,
  publishLesson,
  submitOrPublishLesson,
  setSigners,
  submitLesson,
  unpublishLesson,
  withdrawLesson,
} from './lessons.service.ts'
import { publicise, publicList, publictyRounds, unpublicise } from './result/publicity.service.ts'
import { purgeLesson } from './purge.service.ts'
import { submitResult } from './result/result.service.ts'
import { resultPreview } from './result/result-preview.queries.ts'

export const lessonRoutes = routes(
  lessonApi,
  {
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
    purge: purgeLesson,
    publish: submitOrPublishLesson,
    unpublish: unpublishLesson,
    cancel: cancelLesson,
    abnormal: endAbnormally,
    archive: archiveLesson,
    series: makeSeries,
    conflicts: conflictsOf,
    submitMany: (ctx, { liIds }) => forEachLesson(ctx, liIds, (liId) => submitLesson(ctx, { liId })),
    publishMany: (ctx, { liIds }) => forEachLesson(ctx, liIds, (liId) => publishLesson(ctx, { liId })),
    unpublishMany: (ctx, { liIds, reason }) =>
      forEachLesson(ctx, liIds, (liId) => unpublishLesson(ctx, { liId, reason })),
    cancelMany: (ctx, { liIds, reason }) => forEachLesson(ctx, liIds, (liId) => cancelLesson(ctx, { liId, reason })),
    publictyMany: (ctx, { liIds }) => forEachLesson(ctx, liIds, (liId) => publicise(ctx, { liId })),
    archiveMany: (ctx, { liIds }) => forEachLesson(ctx, liIds, (liId) => archiveLesson(ctx, { liId })),
    resultAudit: submitResult,
    resultPreview,
    publicty: publicise,
    unpublicty: unpublicise,
    publictyList: publicList,
    publictyRounds,
    signPrincipalAdd: setSigners,
    signManagers: async (ctx, input) =>
      (await lessonPeople(ctx, input, 'signer')).map((person) => ({ ...person, lpRole: undefined })),
    codePackage: lessonCodes,
    fileDownload: lessonFile,
    count: countLessons,
    listUser: (ctx, input) => lessonPeople(ctx, input),
    exit: leaveLesson,
    export: exportLessons,
    exportTemplate: (ctx) => templateFile(ctx, lessonImporter, {}),
    errorExcel: (ctx, { errorId }) => errorFile(ctx, lessonImporter, errorId),
  },
  {
    save: keptBy('liId', (ctx, liId) => lessonForEdit(ctx, { liId }), {
      formOf: formOfLesson,
      facts: ['liStatus', 'isQuestionedAudit', 'liPublictySdate', 'liPublictyEdate'],
    }),
  },
)
