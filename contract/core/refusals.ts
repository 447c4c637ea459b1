/**
 * Every business refusal and its Chinese text (answered as HTTP 200 with code 300). `{word}` places are filled by the
 * thrower. A text says what is wrong and what to do next. Source of most: DOMAIN Appendix A and E.
 */
export const refusals = {
  'invalid-input': '{first}',
  'still-in-use': '该记录正被其他数据使用，或关联的数据已不存在，请刷新后重试',
  'duplicate': '已存在相同的记录，请勿重复提交',
  'too-slow': '查询耗时过长，请缩小查询范围后重试',

  // session
  'login-refused': '账号或密码错误，或账号已临时锁定，请稍后再试',
  'change-password-first': '首次登录请先修改密码',
  'old-password-wrong': '原密码错误',
  'password-too-weak': '密码须 8–20 位，且至少包含大写字母、小写字母、数字、符号中的三类',
  'password-guessable': '密码过于常见或包含个人信息，请换一个',
  'password-used-before': '不能使用最近 5 次用过的密码',
  'password-hash-refused': '新密码须以明文经加密连接提交，以便检查强度',
  'reset-code-wrong': '验证码不正确或已失效，请重新获取',
  'birth-mismatch': '出生日期与档案不符，未重置密码',

  // organisation and people
  'college-in-use': '学院“{name}”下仍有 {what}，不能删除',
  'major-in-use': '专业“{name}”下仍有 {what}，不能删除',
  'class-in-use': '班级“{name}”下仍有 {what}，不能删除',
  'department-in-use': '部门“{name}”下仍有 {what}，不能删除',
  'out-of-reach': '所选学院、专业、班级或部门不在您的管理范围内',
  'department-loop': '上级部门不能是自己或自己的下级',
  'name-taken': '{what}“{name}”已存在',
  'number-taken': '{what}“{number}”已存在',
  'major-not-of-college': '所选专业不属于所选学院',
  'class-not-of-major': '所选班级不属于所选专业',
  'person-in-use': '{name} 已有课程、审批或学分记录，不能删除；可改为停用',

  // roles
  'role-in-use': '角色仍有 {users} 名成员、被 {flows} 个流程使用，不能删除',
  'role-built-in': '内置角色不能删除',
  'grant-exceeds-own': '不能授予您自己没有的权限或范围',
  'secretary-exists': '该班级已有团支书 {name}，确认替换后再提交',

  // configuration
  'curriculum-in-use': '该体系下存在{what}，不能删除',
  'curriculum-too-deep': '课程体系最多三级',
  'curriculum-loop': '上级体系不能是自己或自己的下级',
  'curriculum-type-outside': '适用范围不能超出上级体系“{name}”的范围',
  'evaluation-exists': '该体系与级别已有评价规则',
  'evaluation-level-closed': '课程体系“{name}”不允许级别“{level}”，请先在课程体系中放开',
  'evaluation-in-use': '已有 {n} 门课程采用该评价规则，不能删除',
  'label-in-use': '标签“{name}”{why}，不能删除；可改为停用',
  'award-template-in-use': '已有 {n} 门课程采用该奖励模板，不能删除',
  'workflow-category-in-use': '该分类下仍有 {n} 个流程，不能删除',
  'workflow-in-use': '流程有 {n} 个运行中的实例，不能删除',
  'workflow-conflict': '与流程“{name}”的适用范围重叠，请调整范围',
  'workflow-missing': '未配置适用的审批流程，请联系管理员在“流程管理”中配置',
  'workflow-no-checker': '步骤“{step}”没有可用的审批人，请联系管理员',

  // lessons
  'wrong-state': '当前状态不可{act}，请刷新后查看',
  'publish-not-approved': '请先通过发布审批',
  'has-sign-ins': '已有签到记录，不能取消发布',
  'signers-needed': '签到负责人须为在校师生，且至少一人',
  'not-rated-yet': '还有 {n} 人未评定',
  'quota-full': '名额已满',
  'award-quota-full': '超过奖项“{award}”的名额（{quota} 人）',
  'already-registered': '{name} 已在名单中',
  'time-conflict': '该学生时间冲突：{lesson}',
  'blacklisted': '该学生在黑名单期内，不能报名',
  'publicity-too-short': '公示期不得少于 {n} 个工作日',
  'code-package-early': '未到可下载时间，活动开始前 24 小时起可下载',
  'outside-range': '该学生不在报名范围内',
  'lesson-published': '已发布的课程不可删除',
  'hand-over-first': '请先移交负责人',

  // approvals
  'already-decided': '该任务已被处理',
  'not-checker': '您不是本节点的审批人',
  'opinion-needed': '驳回原因不能少于 5 个字',

  // files, sheets, exports
  'file-type-refused': '不支持的文件类型，请上传{allowed}',
  'file-missing': '请选择要上传的文件',
  'file-too-large': '文件超过 {limit}',
  'file-gone': '所选文件不存在或已失效，请重新上传',
  'files-unused': '您上传后尚未保存的文件过多，请先保存已填写的内容，或明天再试',
  'file-broken': '文件已损坏或不是有效的{what}',
  'unprintable-text': '“{name}”的成绩单中有字库未收录的字符：{signs}，请更正后再打印',
  'sheet-template-wrong': '导入模板版本不正确，请重新下载',
  'sheet-too-many-rows': '一次最多导入 {n} 行，请拆分后重试',
  'sheet-too-many-columns': '一张表最多 {n} 列，请删除多余的列后重试',
  'sheet-too-large': '文件内容过大或过于复杂，无法读取，请拆分后重试',
  'sheet-old-format': '不支持旧版 .xls 或加密的工作簿，请另存为未加密的 .xlsx 后重试',
  'sheet-heads-wrong': '表头与模板不符：{what}。请下载模板对照后重试',
  'sheet-merged': '{range} 是合并单元格，请取消合并并补全内容后重试',
  'sheet-empty': '文件中没有可导入的数据行',
  'import-has-faults': '仍有 {n} 行存在错误，请修正或选择跳过错误行',
  'import-finished': '该导入批次已处理完毕',
  'import-undo-late': '该批次的记录已被后续业务使用，不能撤销：{what}',
  'nothing-to-export': '当前条件下没有可导出的数据',
} as const satisfies Record<string, string>
