import {
  classRow,
  collegeRow,
  departmentRow,
  majorRow,
} from '../../../contract/school/organisation/organisation.schema.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { visibleClasses } from './classes.queries.ts'
import { visibleColleges } from './colleges.queries.ts'
import { ownDepartments } from './departments.queries.ts'
import { visibleMajors } from './majors.queries.ts'

export const keptCollege = keptBy(
  'scId',
  (ctx, scId) => visibleColleges(ctx).selectAll().where('scId', '=', scId).executeTakeFirst(),
  { row: collegeRow },
)

export const keptMajor = keptBy(
  'smId',
  (ctx, smId) => visibleMajors(ctx).selectAll().where('smId', '=', smId).executeTakeFirst(),
  { row: majorRow },
)

export const keptClass = keptBy(
  'scClassId',
  (ctx, scClassId) => visibleClasses(ctx).selectAll().where('scClassId', '=', scClassId).executeTakeFirst(),
  { row: classRow },
)

export const keptDepartment = keptBy(
  'sdId',
  (ctx, sdId) => ownDepartments(ctx).selectAll().where('sdId', '=', sdId).executeTakeFirst(),
  { row: departmentRow },
)
