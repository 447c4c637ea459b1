import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { nations } from '../../../contract/school/people/nations.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { classTimes, removeClassTimes } from './class-times.service.ts'
import { classOptions, gradeOptions, listClasses } from './classes.queries.ts'
import { removeClasses, saveClass } from './classes.service.ts'
import { collegeOptions, listColleges } from './colleges.queries.ts'
import { removeColleges, saveCollege } from './colleges.service.ts'
import {
  addDepartmentUsers,
  removeDepartmentUsers,
  setRelations,
  sortDepartmentUsers,
} from './department-users.service.ts'
import {
  childrenAndUsers,
  departmentsInScope,
  departmentTree,
  departmentUserOptions,
  listDepartments,
  listDepartmentUsers,
  relationsOf,
} from './departments.queries.ts'
import { moveDepartment, removeDepartments, saveDepartment } from './departments.service.ts'
import { keptClass, keptCollege, keptDepartment, keptMajor } from './kept-forms.ts'
import { exportClasses, exportColleges, exportMajors } from './list-exports.ts'
import { listMajors, majorOptions } from './majors.queries.ts'
import { removeMajors, saveMajor } from './majors.service.ts'
import { majorsAndClasses, placeTree } from './place-tree.queries.ts'
import { areasIn, citiesIn, provinces, regionTree } from './regions.service.ts'
import { exportDepartments, exportDepartmentUsers } from './department-exports.ts'

export const organisationRoutes: Route[] = [
  ...routes(
    collegeApi,
    {
      list: listColleges,
      exportList: exportColleges,
      save: saveCollege,
      remove: removeColleges,
      options: collegeOptions,
      tree: placeTree,
      majorAndClass: majorsAndClasses,
    },
    { save: keptCollege },
  ),
  ...routes(
    majorApi,
    {
      list: listMajors,
      exportList: exportMajors,
      save: saveMajor,
      remove: removeMajors,
      options: majorOptions,
    },
    { save: keptMajor },
  ),
  ...routes(
    classApi,
    {
      list: listClasses,
      exportList: exportClasses,
      save: saveClass,
      remove: removeClasses,
      times: classTimes,
      removeTimes: removeClassTimes,
      options: classOptions,
    },
    { save: keptClass },
  ),
  ...routes(
    departmentApi,
    {
      list: listDepartments,
      exportList: exportDepartments,
      save: saveDepartment,
      move: moveDepartment,
      remove: removeDepartments,
      users: listDepartmentUsers,
      exportUsers: exportDepartmentUsers,
      addUsers: addDepartmentUsers,
      removeUsers: removeDepartmentUsers,
      sortUsers: sortDepartmentUsers,
      relations: relationsOf,
      setRelations,
      childrenAndUsers,
      userOptions: departmentUserOptions,
      tree: departmentTree,
      ownDepartments: departmentsInScope,
    },
    { save: keptDepartment },
  ),
  ...routes(regionApi, {
    provinces,
    cities: (_, { id }) => citiesIn(id),
    areas: (_, { id }) => areasIn(id),
    tree: regionTree,
    nations: async () => nations.map(([id, name]) => ({ id, name })),
    grades: gradeOptions,
  }),
]
