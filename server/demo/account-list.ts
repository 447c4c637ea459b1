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
  { username: 'student', role: '学生', purpose: '正在候补一门活动，已申请成绩单', page: 'phone' },
  { username: 'senior', role: '学时将满的学生', purpose: '学时接近毕业要求，还有一门活动公示中', page: 'phone' },
  { username: 'warned', role: '被预警的学生', purpose: '学时不足已预警：看差多少、可补哪些活动', page: 'phone' },
  { username: 'captain', role: '参赛队长', purpose: '队伍还在组队中：邀请队友、确认报名', page: 'phone' },
  { username: 'freshman', role: '大一新生', purpose: '还没有任何记录，从找一门活动开始', page: 'phone' },
]
