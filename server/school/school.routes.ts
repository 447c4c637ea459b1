import { schoolApi } from '../../contract/school/school.calls.ts'
import { routes } from '../core/routes.ts'
import { allDictionaries, featureOn, schoolFaceOf, schoolFaces } from './school.service.ts'

export const schoolRoutes = routes(schoolApi, {
  dictByType: async (ctx, { sdtType, schoolId }) => (await allDictionaries(ctx, schoolId)).types[sdtType] ?? [],
  allDict: (ctx, { schoolId }) => allDictionaries(ctx, schoolId),
  bySchoolId: (ctx, { schoolId }) => schoolFaceOf(ctx, schoolId),
  own: (ctx, { schoolId }) => schoolFaces(ctx, schoolId),
  isGydx: async (ctx) => ({ isGydx: await featureOn(ctx, ctx.actor.schoolId, 'isGydx') }),
  isYkdx: async (ctx) => ({ isYkdx: await featureOn(ctx, ctx.actor.schoolId, 'isYkdx') }),
  message: async (ctx, { schoolId }) => ({ schools: await schoolFaces(ctx, schoolId) }),
})
