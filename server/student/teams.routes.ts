import { ownTeamApi } from '../../contract/student/teams.calls.ts'
import { routes } from '../core/request/routes.ts'
import {
  confirmOwnTeam,
  dissolveOwnTeam,
  foundOwnTeam,
  handOverTeam,
  joinTeam,
  leaveTeam,
  ownTeam,
  removeTeamMember,
  renewTeamCode,
} from './teams.service.ts'

/** The team of the student who asks. */
export const ownTeamRoutes = routes(ownTeamApi, {
  view: ownTeam,
  found: foundOwnTeam,
  join: joinTeam,
  leave: leaveTeam,
  remove: removeTeamMember,
  captain: handOverTeam,
  renewCode: renewTeamCode,
  confirm: confirmOwnTeam,
  dissolve: dissolveOwnTeam,
})
