import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { keptBy } from '../../core/request/kept-form.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { appointSecretary, dismissSecretary } from './league-secretary.service.ts'
import { listMembers, memberArea } from './members.queries.ts'
import { addMembers, removeMembers, setArea, setEnd } from './members.service.ts'
import { watched } from './refused-grants.ts'
import {
  findRolesOrUsers,
  listRoles,
  menuTree,
  roleOptions,
  roleResources,
  rolesToActionFor,
  verifyRole,
} from './roles.queries.ts'
import { removeRoles, saveRole } from './roles.service.ts'
import { exportMembers, exportRoles } from './list-exports.ts'

export const roleRoutes: Route[] = [
  ...routes(
    roleApi,
    {
      list: listRoles,
      exportList: exportRoles,
      save: watched(roleApi.save.summary, saveRole),
      remove: removeRoles,
      verify: verifyRole,
      resources: roleResources,
      menuTree,
      options: roleOptions,
      ownRoles: rolesToActionFor,
      search: findRolesOrUsers,
    },
    { save: keptBy('srId', (ctx, id) => roleResources(ctx, { id })) },
  ),
  ...routes(memberApi, {
    list: listMembers,
    exportList: exportMembers,
    add: watched(memberApi.add.summary, addMembers),
    remove: watched(memberApi.remove.summary, removeMembers),
    area: memberArea,
    setArea: watched(memberApi.setArea.summary, setArea),
    setEnd: watched(memberApi.setEnd.summary, setEnd),
    addSecretary: watched(memberApi.addSecretary.summary, appointSecretary),
    appointSecretary: watched(memberApi.appointSecretary.summary, appointSecretary),
    dismissSecretary: watched(memberApi.dismissSecretary.summary, dismissSecretary),
  }),
]
