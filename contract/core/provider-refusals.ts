/**
 * Why a sign-in by a provider came to nothing: apart from the other refusals because the sign-in pages show these by
 * the name that an address carries, and are to load no more than they need.
 */
export const providerRefusals = {
  'identity-unavailable': '统一身份认证暂时不可用，请稍后再试，或用账号密码登录',
  'identity-off': '该登录方式已停用，请选择其他方式登录',
  'identity-expired': '本次登录已过期或已经用过，请重新点击登录方式',
  'identity-refused': '统一身份认证没有确认您的身份，请重新点击登录方式',
  'identity-no-number': '统一身份认证没有给出学工号，请联系学校管理员',
  'identity-unknown': '系统中没有与您的学工号对应的可用账号，请联系学校管理员',
  'identity-not-for-you': '该登录方式不对您所属的人员开放，请选择其他方式登录',
  'identity-outsider': '您不是学校通讯录中的成员（外部联系人不能登录），请用学校的企业微信或钉钉账号',
  'identity-wrong-corp': '您选择的不是本校的钉钉组织，请重新点击登录方式并选择本校',
  'identity-unbound': '该账号还没有与本系统的账号绑定：请先用其他方式登录，在“账号与设备”中绑定',
  'identity-no-subject': '对方没有给出可以绑定的账号，请联系学校管理员',
  'school-suspended': '学校已被暂停使用，数据完整保留；请联系系统运维人员恢复后再登录',
  'school-moving': '学校正在迁移到新的系统：暂时不能登录和修改，已登录的可以继续查看；请稍后再试',
  'identity-password-wrong': '校园账号或密码错误，或尝试次数过多，请稍后再试',
} as const
