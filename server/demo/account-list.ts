/** The accounts of the demo school, the first the one to begin with: the start prints them and the sign-in page offers them. */
export const demoAccounts: readonly {
  /** What is typed to sign in. */
  username: string
  /** Name of the role the account holds. */
  role: string
  /** What one can try as this person, in a few words. */
  purpose: string
}[] = [
  { username: 'admin', role: '校级管理员', purpose: '看全部功能：设置、人员、流程、统计、操作日志' },
  { username: 'reviewer', role: '校级审核员', purpose: '审批课程、结果与补录，处理质疑' },
  { username: 'college', role: '院系团委', purpose: '管理本学院的课程、学生与审批' },
  { username: 'counselor', role: '辅导员', purpose: '看所带班级的学时、预警与成绩单' },
  { username: 'teacher', role: '指导老师', purpose: '发起课程、审核报名、签到、评定结果' },
  { username: 'secretary', role: '团支书', purpose: '组织本班活动，为同学录入补录' },
  { username: 'viewer', role: '校领导', purpose: '只看统计图表与全校概况' },
  { username: 'auditor', role: '督查', purpose: '只读查看全部记录，校验操作日志' },
]
