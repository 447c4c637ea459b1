import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { errorFile, templateFile } from '../../platform/imports/imports.sheets.ts'
import { applyImporter } from './importers/apply.importer.ts'
import { signParticipants } from './signing/attendance.service.ts'
import { exportParticipants } from './lists/lessons.exports.ts'
import { lessonFor } from './model/lessons.queries.ts'
import { countParticipants, listParticipants } from './lists/registration.queries.ts'
import {
  addParticipants,
  deleteParticipations,
  passRegistrations,
  refuseRegistrations,
  removeParticipants,
} from './registration/registration.service.ts'
import { participantWorkFile } from './registration/works.service.ts'
import { lessonAwards, rateRemaining, setAward } from './result/result.service.ts'
import { participantCreditTrace } from './credit/trace.service.ts'

export const registrationRoutes = routes(registrationApi, {
  view: listParticipants,
  add: addParticipants,
  pass: async (ctx, { laId }) => ({ affected: (await passRegistrations(ctx, [laId])).affected }),
  refuse: async (ctx, { laId, reason }) => ({ affected: (await refuseRegistrations(ctx, [laId], reason)).affected }),
  remove: removeParticipants,
  batchPass: (ctx, { laIds }) => passRegistrations(ctx, laIds),
  batchRefuse: (ctx, { laIds, reason }) => refuseRegistrations(ctx, laIds, reason),
  delJoin: deleteParticipations,
  sign: signParticipants,
  setAward,
  loadAward: lessonAwards,
  counts: countParticipants,
  workFile: participantWorkFile,
  export: exportParticipants,
  exportTemplate: async (ctx, { liId }) => {
    await lessonFor(ctx, 'register', liId, { lock: false })
    return templateFile(ctx, applyImporter, { liId })
  },
  errorExcel: (ctx, { errorId }) => errorFile(ctx, applyImporter, errorId),
  explain: participantCreditTrace,
  rateRemaining,
})
