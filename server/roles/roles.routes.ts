import { memberApi } from '../../contract/roles/members.calls.ts'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import { routes, type Route } from '../core/routes.ts'
import { appointSecretary, dismissSecretary } from './league-secretary.service.ts'
import { listMembers, memberArea } from './members.queries.ts'
import { addMembers, removeMembers, setArea, setEnd } from './members.service.ts'
import { findRolesOrUsers, listRoles, menuTree, roleOptions, roleResources, rolesToActFor, verifyRole } from './roles.queries.ts'
import { removeRoles, saveRole } from './roles.service.ts'
import { exportMembers, exportRoles } from './list-exports.ts'

export const roleRoutes: Route[] = [
  ...routes(roleApi, {
    list: listRoles,
    exportList: exportRoles,
    save: saveRole,
    remove: removeRoles,
    verify: verifyRole,
    resources: roleResources,
    menuTree,
    options: roleOptions,
    ownRoles: rolesToActFor,
    search: findRolesOrUsers,
  }),
  ...routes(memberApi, { list: listMembers, exportList: exportMembers, add: addMembers, remove: removeMembers, area: memberArea, setArea, setEnd, addSecretary: appointSecretary, appointSecretary, dismissSecretary }),
]
