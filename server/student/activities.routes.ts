import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { routes } from '../core/request/routes.ts'
import {
  activityDetail,
  cancelActivity,
  handIn,
  joinActivity,
  leaveActivity,
  rateActivity,
  signActivity,
} from './activities.service.ts'
import { ownWorkFile } from '../programme/lessons/registration/works.service.ts'
import { activityChoices, listActivities } from './activity-list.service.ts'

/** What the student who asks can take part in. */
export const ownActivityRoutes = routes(ownActivityApi, {
  list: listActivities,
  choices: activityChoices,
  detail: activityDetail,
  join: joinActivity,
  cancel: cancelActivity,
  leave: leaveActivity,
  rate: rateActivity,
  handIn,
  workFile: ownWorkFile,
  sign: signActivity,
})
