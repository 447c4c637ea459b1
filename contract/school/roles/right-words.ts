/** What a right's verb means, for the role editor; a verb that is not here is named by the actions it opens. */
const words: Record<string, string> = {
  list: '查看',
  edit: '新增与编辑',
  delete: '删除',
  export: '导出',
  exportIssues: '导出签发记录与申请',
  member: '成员管理',
  resetPwd: '重置密码',
  grant: '授予与收回',
  publish: '发布与取消发布',
  publicity: '公示',
  register: '报名管理',
  sign: '签到管理',
  award: '评定奖项',
  result: '提交结果',
  correct: '冲正与更正',
  enable: '启用与停用',
  audit: '审核',
  level: '级别设置',
  seal: '公章的查看与加盖',
  verify: '校验',
  revoke: '撤销',
  prompt: '提醒与帮扶',
  credibility: '诚信分管理',
  graduate: '毕业办理',
  erase: '删除个人信息',
  category: '分类管理',
  handle: '受理与处理',
  add: '登记与导入',
  identity: '查看质疑人',
  abnormal: '异常结项',
  purge: '删除已结束的',
  overCap: '批准学期超限',
}

/** The name of a right: `student:resetPwd` -> 重置密码. */
export function rightName(permit: string, acts: readonly string[]): string {
  const [noun, verb] = permit.split(':') as [string, string]
  if (noun !== 'approval' && words[verb]) return words[verb]
  return acts.slice(0, 2).join('、') || permit
}
