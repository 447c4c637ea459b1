import { teamApi } from '../../../contract/programme/lessons/teams.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportTeams } from './lists/lessons.exports.ts'
import { listTeams } from './lists/teams.queries.ts'
import {
  cancelTeam,
  confirmTeam,
  dissolveTeam,
  passTeams,
  refuseTeams,
} from './registration/team-registration.service.ts'
import {
  addMembers,
  changeCaptain,
  foundTeam,
  joinByCode,
  removeMember,
  renameTeam,
  renewCode,
} from './registration/teams.service.ts'
import { awardTeam } from './result/team-award.service.ts'

export const teamRoutes = routes(teamApi, {
  view: listTeams,
  exportList: exportTeams,
  add: foundTeam,
  joinByCode,
  join: addMembers,
  leave: removeMember,
  captain: changeCaptain,
  rename: renameTeam,
  renewCode,
  confirm: confirmTeam,
  pass: passTeams,
  refuse: refuseTeams,
  cancel: cancelTeam,
  dissolve: dissolveTeam,
  award: awardTeam,
})
