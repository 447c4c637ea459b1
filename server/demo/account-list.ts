import type { DemoAccount } from '../../contract/school/session/demo.calls.ts'

/** The password of all demo accounts; a start in production never makes any of them. */
export const demoPassword = 'Demo-2026'

/**
 * The accounts of the demo school that anybody may try, as the sign-in page and the start of the program name them:
 * with their role, what one can try as each, and whether that is in the console or on the students' pages.
 */
export const demoAccounts: readonly Pick<DemoAccount, 'username' | 'role' | 'purpose' | 'page'>[] = [
  { username: 'admin', role: '校级管理员', purpose: '管理全校：人员、角色、流程与各项配置', page: 'console' },
  { username: 'reviewer', role: '校级审核员', purpose: '审批全校课程、结果与补录，处理质疑', page: 'console' },
  { username: 'college', role: '院系团委', purpose: '管理本院课程与学生，查看本院统计', page: 'console' },
  { username: 'counselor', role: '辅导员', purpose: '审批所带班级的申请，关注阈值预警', page: 'console' },
  { username: 'teacher', role: '指导老师', purpose: '发起课程，管理报名、签到与结果', page: 'console' },
  { username: 'secretary', role: '团支书', purpose: '组织本班活动，初审同学的补录', page: 'console' },
  { username: 'viewer', role: '校领导', purpose: '查看全校统计图表，不做修改', page: 'console' },
  { username: 'auditor', role: '督查', purpose: '查阅操作日志与各项记录', page: 'console' },
  { username: 'student', role: '学生', purpose: '用手机报名、签到，查看自己的记录', page: 'phone' },
]
