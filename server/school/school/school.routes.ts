import { Failure } from '../../../contract/core/failure.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { workingDayFrom } from './calendar.service.ts'
import {
  allDictionaries,
  campusDictionary,
  featureOn,
  schoolAppearances,
  schoolWithPictures,
} from './school.service.ts'
import { searchSchools } from './school-search.ts'
import { readRules } from './settings.service.ts'

export const schoolRoutes = routes(schoolApi, {
  dictByType: async (ctx, { sdtType, schoolId }) => {
    if (sdtType === 'campus') return campusDictionary(ctx, schoolId)
    const { types } = await allDictionaries(ctx, schoolId)
    // every object has a `constructor`
    const known = Object.hasOwn(types, sdtType) ? types[sdtType] : undefined
    // whoever wants to be told is told of a type that is none; a client that asks for more than there is gets none
    if (!known && ctx.origin.isStrict) throw new Failure('dictionary-unknown', { type: sdtType })
    return known ?? []
  },
  allDict: async (ctx, { schoolId }) => {
    const all = await allDictionaries(ctx, schoolId)
    // by the specification the entries are keyed by their type
    return ctx.origin.isStrict ? all : { ...all.types, ...all }
  },
  bySchoolId: (ctx, { schoolId }) => schoolWithPictures(ctx, schoolId),
  own: (ctx, { schoolId }) => schoolAppearances(ctx, schoolId),
  isGydx: async (ctx) => ({ isGydx: await featureOn(ctx, ctx.actor.schoolId, 'isGydx') }),
  isYkdx: async (ctx) => ({ isYkdx: await featureOn(ctx, ctx.actor.schoolId, 'isYkdx') }),
  message: async (ctx, { schoolId }) => ({ schools: await schoolAppearances(ctx, schoolId) }),
  search: searchSchools,
  rules: readRules,
  workday: async (ctx, { from, days }) => ({ to: await workingDayFrom(ctx, ctx.actor.schoolId, from, days) }),
})
