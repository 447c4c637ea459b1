import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { circleApi, circleClassApi } from '../../../contract/programme/circles/circles.calls.ts'
import { circleStatus } from '../../../contract/core/codes/programme.ts'
import { routes } from '../../core/request/routes.ts'
import { notTaken } from '../../core/request/kept-form.ts'
import { keptCircle, keptClass } from './kept-forms.ts'
import { listApplications } from './applications.queries.ts'
import { apply, withdraw } from './applications.service.ts'
import { addClass, classOptions, listClasses, removeClasses, updateClass } from './categories.service.ts'
import { addCircle, updateCircle } from './circle-save.service.ts'
import { circleColleges, circleDetail, findPeople, listCircles } from './circles.queries.ts'
import { circleOptions } from './circles.service.ts'
import { passApplications, refuseApplications } from './decide.service.ts'
import { exportApplications, exportCircles, exportClasses, exportMembers } from './list-exports.ts'
import { addMembers, circlesOfStudent, exitCircle, listMembers, removeMembers, setRole } from './members.service.ts'
import { removeCircles, switchCircles } from './switch.service.ts'

export const circleRoutes = [
  ...routes(
    circleApi,
    {
      list: listCircles,
      exportList: exportCircles,
      classes: classOptions,
      colleges: circleColleges,
      students: (ctx, { numberOrName }) => findPeople(ctx, numberOrName, 'student'),
      teachers: (ctx, { numberOrName }) => findPeople(ctx, numberOrName, 'teacher'),
      detail: circleDetail,
      options: circleOptions,
      remove: removeCircles,
      enable: (ctx, input) => switchCircles(ctx, input, circleStatus.enabled),
      disable: (ctx, input) => switchCircles(ctx, input, circleStatus.disabled),
      add: addCircle,
      update: updateCircle,
      exit: exitCircle,
      members: listMembers,
      exportMembers,
      addMembers,
      setRole,
      removeMembers,
      ofStudent: circlesOfStudent,
    },
    { add: notTaken('ciStatus', 'ciAuthStatus'), update: keptCircle },
  ),
  ...routes(
    circleClassApi,
    {
      list: listClasses,
      exportList: exportClasses,
      add: addClass,
      update: updateClass,
      remove: removeClasses,
    },
    { update: keptClass },
  ),
  ...routes(circleApplyApi, {
    list: listApplications,
    exportList: exportApplications,
    apply,
    withdraw,
    pass: passApplications,
    refuse: refuseApplications,
  }),
]
