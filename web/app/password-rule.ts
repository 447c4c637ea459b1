import { passwordRuleFault, type PasswordProfile } from '../../contract/core/password-rule.ts'

/** The first thing wrong with what was typed as a new password; undefined when nothing is. */
export const newPasswordFault = (password: string, profile: PasswordProfile): string | undefined =>
  password ? passwordRuleFault(password, profile) : '请输入新密码'
