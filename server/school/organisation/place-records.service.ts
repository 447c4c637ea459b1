import type { Context } from '../../core/request/context.ts'
import { contains, countOf } from '../../core/database/paging.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { RecordSource } from '../../core/request/record-kind.ts'
import { visibleClasses } from './classes.queries.ts'
import { visibleColleges } from './colleges.queries.ts'
import { visibleDepartments } from './departments.queries.ts'
import { visibleMajors } from './majors.queries.ts'

/** The first so many fitting records are offered. */
const offered = 20

const colleges = (ctx: Context) =>
  visibleColleges(ctx)
    .select(['college.scId', 'college.scName', 'college.scCode'])
    .orderBy('college.scSort')
    .orderBy('college.scName')
    .limit(offered)
const asCollege = ({ scId, scName, scCode }: { scId: string; scName: string; scCode: string }) => ({
  id: scId,
  name: scName,
  hint: scCode,
  location: { college: scId },
})

const college: RecordSource = {
  find: async (ctx, search) =>
    (await (search ? colleges(ctx).where(contains('college.scName', search)) : colleges(ctx)).execute()).map(asCollege),
  one: async (ctx, id) => (await colleges(ctx).where('college.scId', '=', id).execute()).map(asCollege)[0],
  count: (ctx) => countOf(visibleColleges(ctx)),
}

const majors = (ctx: Context) =>
  visibleMajors(ctx)
    .innerJoin('college', withinSchool('college.scId', 'major.scId'))
    .select(['major.smId', 'major.smName', 'major.scId', 'college.scName'])
    .orderBy('major.scSort')
    .orderBy('major.smName')
    .limit(offered)
const asMajor = ({ smId, smName, scId, scName }: { smId: string; smName: string; scId: string; scName: string }) => ({
  id: smId,
  name: smName,
  hint: scName,
  location: { college: scId, major: smId },
})

const major: RecordSource = {
  find: async (ctx, search) =>
    (await (search ? majors(ctx).where(contains('major.smName', search)) : majors(ctx)).execute()).map(asMajor),
  one: async (ctx, id) => (await majors(ctx).where('major.smId', '=', id).execute()).map(asMajor)[0],
  count: (ctx) => countOf(visibleMajors(ctx)),
}

const classes = (ctx: Context) =>
  visibleClasses(ctx)
    .innerJoin('college', withinSchool('college.scId', 'schoolClass.scId'))
    .innerJoin('major', withinSchool('major.smId', 'schoolClass.smId'))
    .select([
      'schoolClass.scClassId',
      'schoolClass.scClassName',
      'schoolClass.scClassGrade',
      'schoolClass.scId',
      'schoolClass.smId',
      'college.scName',
      'major.smName',
    ])
    .orderBy('schoolClass.scClassGrade', 'desc')
    .orderBy('schoolClass.scClassName')
    .limit(offered)
type ClassColumns = {
  scClassId: string
  scClassName: string
  scClassGrade: string
  scId: string
  smId: string
  scName: string
  smName: string
}
const asClass = ({ scClassId, scClassName, scClassGrade, scId, smId, scName, smName }: ClassColumns) => ({
  id: scClassId,
  name: scClassName,
  hint: `${scName} · ${smName} · ${scClassGrade}级`,
  location: { college: scId, major: smId, class: scClassId, grade: scClassGrade },
})

const schoolClass: RecordSource = {
  find: async (ctx, search) =>
    (await (search ? classes(ctx).where(contains('schoolClass.scClassName', search)) : classes(ctx)).execute()).map(
      asClass,
    ),
  one: async (ctx, id) => (await classes(ctx).where('schoolClass.scClassId', '=', id).execute()).map(asClass)[0],
  count: (ctx) => countOf(visibleClasses(ctx)),
}

const departments = (ctx: Context) =>
  visibleDepartments(ctx)
    .select(['department.sdId', 'department.sdName', 'department.sdCode'])
    .orderBy('department.sdSort')
    .orderBy('department.sdCode')
    .limit(offered)
const asDepartment = ({ sdId, sdName, sdCode }: { sdId: string; sdName: string; sdCode: string }) => ({
  id: sdId,
  name: sdName,
  hint: sdCode,
  location: { department: sdId },
})

const department: RecordSource = {
  find: async (ctx, search) =>
    (await (search ? departments(ctx).where(contains('department.sdName', search)) : departments(ctx)).execute()).map(
      asDepartment,
    ),
  one: async (ctx, id) => (await departments(ctx).where('department.sdId', '=', id).execute()).map(asDepartment)[0],
  count: (ctx) => countOf(visibleDepartments(ctx)),
}

/** The places of a school as records that rights reach. */
export const placeRecords = { college, major, class: schoolClass, department }
