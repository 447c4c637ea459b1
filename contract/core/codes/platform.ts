import { codeList, wordList, type CodeOf } from './code-list.ts'

/** What every part uses: switches, imports, news, messages and the audit trail. */

export const enableStatus = codeList({
  enabled: ['1', '启用'],
  disabled: ['0', '停用'],
})

/** Every stored yes and no, `delFlag` among them. */
export const yesNo = codeList({
  yes: ['1', '是'],
  no: ['0', '否'],
})

/** What an import makes of a row. */
export const importVerdict = wordList({
  fault: '错误',
  conflict: '冲突',
  new: '新增',
  update: '更新',
  same: '未变',
  skip: '跳过',
})

/** `ibStatus`: how far an import is. */
export const importStatus = codeList({
  ready: ['0', '待导入'],
  imported: ['1', '已导入'],
  undone: ['2', '已撤销'],
  discarded: ['3', '已放弃'],
  checking: ['4', '检查中'],
  awaitingColumns: ['5', '待匹配列'],
  importing: ['6', '导入中'],
  undoing: ['7', '撤销中'],
  checkFailed: ['8', '未能检查'],
})
export type ImportStatus = CodeOf<typeof importStatus>

/** `btKind`: what goes on in the background. Imports and prints have tables of their own. */
export const backgroundKind = wordList({
  act: '批量操作',
  export: '导出',
  import: '导入',
  print: '批量打印',
})

/** `btStatus`: how far it is. */
export const backgroundStatus = codeList({
  waiting: ['0', '等待开始'],
  running: ['1', '正在处理'],
  done: ['2', '已完成'],
  failed: ['3', '未能完成'],
  cancelled: ['4', '已取消'],
  removed: ['5', '文件已清理'],
})

/** `itemStatus`: what became of one record of an action on many. */
export const backgroundItemStatus = codeList({
  waiting: ['0', '未处理'],
  done: ['1', '成功'],
  refused: ['2', '被拒绝'],
})

/** `brKind`: backups, and drills that restore one into an empty place. */
export const backupKind = wordList({ backup: '备份', base: '基础备份', drill: '恢复演练' })

/** `brStatus`: how a backup or a drill ended. */
export const backupStatus = codeList({
  running: ['0', '进行中'],
  done: ['1', '成功'],
  failed: ['2', '失败'],
})

export const newsStatus = codeList({
  draft: ['0', '草稿'],
  published: ['1', '已发布'],
  unpublished: ['2', '已取消发布'],
})

export const newsClass = codeList({
  article: ['1', '图文'],
  notice: ['2', '通知公告'],
  link: ['3', '外部链接'],
  video: ['4', '视频'],
})

/** `bizType` of an audit row, what it is about: one kind for every sort of record, named like its table. */
export const auditKind = wordList({
  school: '学校',
  term: '学期',
  holiday: '节假日',
  settings: '规则设置',
  lesson: '课程',
  person: '人员',
  role: '角色',
  college: '学院',
  major: '专业',
  schoolClass: '班级',
  department: '部门',
  curriculum: '课程体系',
  evaluation: '评价规则',
  qualityLabel: '素质标签',
  qualityModel: '素质模型',
  awardTemplate: '奖励模板',
  workflow: '流程',
  workflowCategory: '流程分类',
  delegation: '审批代理',
  lessonLevel: '课程级别',
  transformation: '转换规则',
  supplement: '补录',
  question: '质疑',
  transcript: '成绩单',
  information: '消息',
  importSource: '数据来源',
  import: '导入',
  export: '导出',
  background: '后台任务',
  file: '文件',
  session: '登录',
  permit: '无权操作',
  audit: '操作日志',
  graduation: '毕业批次',
  threshold: '预警',
  circle: '圈子',
  circleClass: '圈子分类',
  news: '新闻',
  newsType: '新闻分类',
  webhook: '事件推送',
  serviceKey: '程序密钥',
  messageChannel: '消息通道',
})

export const auditResult = wordList({ ok: '成功', refused: '被拒绝' })

export const messageType = codeList({
  system: ['1', '系统'],
  approval: ['2', '审批'],
  reminder: ['3', '提醒'],
  warning: ['4', '预警'],
  manual: ['5', '人工'],
})

/** `jobStatus`: how far a background job is. */
export const jobStatus = codeList({
  waiting: ['0', '等待'],
  running: ['1', '运行中'],
  done: ['2', '已完成'],
  failed: ['3', '未能完成'],
  cancelled: ['4', '已取消'],
})

/** `dlStatus`: how far the delivery of an event to another system is. */
export const deliveryStatus = codeList({
  waiting: ['0', '待投递'],
  sending: ['1', '投递中'],
  delivered: ['2', '已送达'],
  dead: ['3', '未送达'],
  /** Sent perhaps: no answer came back, or the program stopped in between. Never tried again by itself. */
  unknown: ['4', '结果不明'],
  /** No longer worth sending: read inside, taken back, too old. */
  dropped: ['5', '不再发送'],
  gathering: ['6', '待汇总'],
  gathered: ['7', '已并入汇总'],
})
export type DeliveryStatus = CodeOf<typeof deliveryStatus>

/** `keyState`: whether a program's key holds; computed, never stored. */
export const serviceKeyState = codeList({
  valid: ['1', '有效'],
  ended: ['2', '已过期'],
  revoked: ['3', '已撤销'],
})
export type ServiceKeyState = CodeOf<typeof serviceKeyState>

/** `odChannel`: the way to another system. */
export const outboxChannel = wordList({ webhook: '事件推送' })

/** `odChannel`: the way to a person outside. */
export const messageChannel = wordList({ mail: '邮件', wecom: '企业微信', dingtalk: '钉钉', sms: '短信' })
export type MessageChannel = CodeOf<typeof messageChannel>

/** `messageKind`: what goes outside to a person; the first five are the types of messages inside. */
export const messageKind = codeList({
  system: ['1', '系统'],
  approval: ['2', '审批'],
  reminder: ['3', '提醒'],
  warning: ['4', '预警'],
  manual: ['5', '人工'],
  recovery: ['recovery', '找回密码'],
  digest: ['digest', '每日汇总'],
  test: ['test', '测试'],
})
export type MessageKind = CodeOf<typeof messageKind>

/** `mpMode`: how a person wants messages of a kind by a channel. */
export const messageMode = wordList({ now: '及时发送', digest: '每日汇总', off: '不发送' })
export type MessageMode = CodeOf<typeof messageMode>

/** `security`: how the way to a mail server is closed. */
export const mailSecurity = wordList({ tls: 'TLS（465）', starttls: 'STARTTLS（587）', plain: '不加密（仅限内网）' })

/** `method`: how an interface for text messages is asked. */
export const smsMethod = wordList({ POST: 'POST', GET: 'GET' })
/** `bodyKind`: what the body of such a request is. */
export const smsBody = wordList({ json: 'JSON', form: '表单', xml: 'XML' })

/** `userBy`: by what another system knows a person. */
export const userBy = wordList({ number: '学工号', account: '登录账号' })

/** `alKind`: what is wrong so that a person has to look. */
export const alarmKind = wordList({
  failedJobs: '任务未能完成',
  lateJobs: '任务无人执行',
  failingJobs: '定时任务接连失败',
  disk: '磁盘余量不足',
  backup: '备份过旧',
  walArchive: '日志归档中断',
  quota: '本校配额将满',
  quotas: '学校配额将满',
})
export type AlarmKind = CodeOf<typeof alarmKind>

/** `pbKind`: the process that holds the jobs, or one that it started to answer requests. */
export const processKind = wordList({ main: '主进程', web: '应答进程' })

/** `fileState`: whether a record names a file. Abandoned files are removed by the sweep. */
export const fileState = codeList({
  uploaded: ['0', '未使用'],
  inUse: ['1', '使用中'],
  abandoned: ['2', '待清理'],
})

/** What can be imported from a sheet; each kind has its own right. */
export const importType = wordList({
  college: '学院',
  major: '专业',
  class: '班级',
  department: '部门',
  departmentUser: '部门成员',
  student: '学生',
  teacher: '教师',
  roleUser: '角色成员',
  leagueSecretary: '团支书',
  circleMember: '圈子成员',
  lesson: '课程',
  question: '质疑举报',
  lessonApply: '课程参与人',
  signIn: '签到名单',
  supplement: '补录',
  supplementAward: '补录（按奖项）',
  threshold: '预警阈值',
  timetable: '课表',
})

/** The forms in which lists, transcripts and packages leave. */
export const exportType = wordList({ xlsx: '工作簿', csv: '文本表格', pdf: 'PDF', docx: 'Word 文档', zip: '压缩包' })
