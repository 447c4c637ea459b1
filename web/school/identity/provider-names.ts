import type { Audience, ProviderKind } from '../../../contract/school/identity/identity.calls.ts'

/** What the screens call people and protocols. */
export const audienceNames: Record<Audience, string> = { student: '学生', teacher: '教师', administrator: '管理员' }
export const kindNames: Record<ProviderKind, string> = {
  cas: 'CAS 2.0、3.0',
  oidc: 'OpenID Connect',
  saml: 'SAML 2.0',
  ldap: 'LDAP、AD',
  wecom: '企业微信',
  dingtalk: '钉钉',
}

/** Where 学号 and 工号 come from, unless an attribute is named. */
export const numberSources: Record<ProviderKind, string> = {
  cas: '用户名',
  oidc: 'sub',
  saml: 'NameID',
  ldap: 'uid',
  wecom: '账号（userid）',
  dingtalk: '员工 UserID',
}
