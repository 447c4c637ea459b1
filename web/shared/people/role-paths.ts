/** Where the screens of roles and their members are. */
export const rolePaths = {
  list: '/personnelAdmin/roleAdmin',
  add: '/personnelAdmin/roleAdmin/addRole',
  copy: (srId: string) => `/personnelAdmin/roleAdmin/addRole?copy=${srId}`,
  edit: (srId: string) => `/personnelAdmin/roleAdmin/editRole?id=${srId}`,
  /** A person is chosen there. */
  anyAccess: '/personnelAdmin/memberAdmin/access',
  access: (suId: string) => `/personnelAdmin/memberAdmin/access?suId=${suId}`,
  members: (srId: string) => `/personnelAdmin/memberAdmin?srId=${srId}`,
}
