import { registrationApi } from '../../../contract/lessons/registration.calls.ts'
import { routes } from '../../core/routes.ts'
import { errorFile, templateFile } from '../../imports/imports.sheets.ts'
import { applyImporter } from './apply.importer.ts'
import { signParticipants } from '../signing/attendance.service.ts'
import { exportParticipants } from '../lessons.exports.ts'
import { lessonFor } from '../lessons.queries.ts'
import { countParticipants, listParticipants } from './registration.queries.ts'
import {
  addParticipants,
  deleteParticipations,
  passRegistrations,
  refuseRegistrations,
  removeParticipants,
} from './registration.service.ts'
import { lessonAwards, rateRemaining, setAward } from '../result/result.service.ts'
import { creditTrace } from '../credit/trace.service.ts'

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
  export: exportParticipants,
  exportTemplate: async (ctx, { liId }) => {
    await lessonFor(ctx, 'register', liId, { lock: false })
    return templateFile(ctx, applyImporter, { liId })
  },
  errorExcel: (ctx, { errorId }) => errorFile(ctx, applyImporter, errorId),
  explain: creditTrace,
  rateRemaining,
})
