import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Failure, type FailureName } from '../contract/core/failure.ts'
import { refusals } from '../contract/core/refusals.ts'
import { reason } from '../contract/core/fields.ts'

/** Source without tests, to see what is thrown where. */
const sources = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.includes('.test.'))
  .map((entry) => ({
    file: join(entry.parentPath, entry.name).slice(import.meta.dirname.length + 1),
    text: readFileSync(join(entry.parentPath, entry.name), 'utf8'),
  }))
const throwers = (name: string) => sources.filter(({ text }) => text.includes(`'${name}'`)).map(({ file }) => file)

/**
 * What is said when a precondition fails (docs/rules.md R3): the call, its words, our name for it, and the folder that
 * says it.
 */
const appendix: [
  call: string,
  words: string,
  name: FailureName,
  where: string,
  values?: Record<string, string | number>,
][] = [
  ['lessonsInfoAC/save', '当前状态不可编辑', 'wrong-state', 'lessons', { act: '编辑' }],
  ['submit', '未配置适用的审批流程', 'workflow-missing', 'workflow'],
  ['publishPass, publishRefuse', '该任务已被处理', 'already-decided', 'workflow'],
  ['publish', '请先通过发布审批', 'publish-not-approved', 'lessons'],
  ['unpublish', '已有签到记录，不能取消发布', 'has-sign-ins', 'lessons'],
  ['signPrincipalAdd', '签到负责人须为在校师生', 'signers-needed', 'lessons'],
  ['registerPass', '名额已满', 'quota-full', 'lessons'],
  ['registerPass', '该学生时间冲突：植树', 'time-conflict', 'lessons', { lesson: '植树' }],
  ['registerPass', '该学生在黑名单期内', 'blacklisted', 'lessons'],
  ['codePakgDownload', '未到可下载时间', 'code-package-early', 'lessons'],
  ['setAward', '超过奖项“一等奖”的名额', 'award-quota-full', 'lessons', { award: '一等奖' }],
  ['resultAudit', '还有 3 人未评定', 'not-rated-yet', 'lessons', { n: 3 }],
  ['publicty', '公示期不得少于 3 个工作日', 'publicity-too-short', 'school', { n: 3 }],
  ['exit', '请先移交负责人', 'hand-over-first', 'lessons'],
  ['del', '已发布的课程不可删除', 'lesson-published', 'lessons'],
  ['editPublicty, batchEditPublicty', '所选记录中有 2 条不可公示', 'sup-not-publishable', 'supplements', { n: 2 }],
  ['lessonsInfoSup/edit delFlag=1', '已入账记录须先冲正', 'sup-credited', 'supplements'],
  ['isNotUseing', '有进行中的活动', 'circle-has-lessons', 'circles'],
  ['graduationByGrade', '请先预览毕业名单', 'graduation-preview-first', 'graduation'],
  ['leagueSecretaryAdd', '该班级已有团支书', 'secretary-exists', 'roles'],
  ['roleDelete', '角色“团支书”仍有 2 个流程使用', 'role-in-use', 'roles', { name: '团支书', what: '2 个流程使用' }],
  ['deleteWorkInfo', '流程有 4 个运行中的实例', 'workflow-in-use', 'workflow', { n: 4 }],
  ['delLs', '下存在课程，不能删除', 'curriculum-in-use', 'curriculum', { what: '课程' }],
  ['collegeDelete', '下仍有 5 名学生', 'college-in-use', 'organisation', { what: '5 名学生' }],
  ['majorDelete', '下仍有 5 名学生', 'major-in-use', 'organisation', { what: '5 名学生' }],
  ['classDelete', '下仍有 5 名学生', 'class-in-use', 'organisation', { what: '5 名学生' }],
  ['departmentInfoDelete', '下仍有 5 名成员', 'department-in-use', 'organisation', { what: '5 名成员' }],
  ['any list in public notice', '公示期内不可修改名单', 'list-in-notice', 'lessons'],
  ['any decision', '您不是本节点的审批人', 'not-checker', 'workflow'],
  ['any record', '该记录不存在或已删除', 'not-found', 'lessons'],
  ['any save', '数据已被他人修改，请刷新后重试', 'stale-version', 'core'],
]

describe('what is refused, and how it is said (docs/rules.md R3)', () => {
  test.each(appendix)('%s: %s', (_call, words, name, where, values = {}) => {
    expect(new Failure(name, values).msg).toContain(words)
    expect(throwers(name).filter((file) => `/${file}`.includes(`/${where}/`))).not.toEqual([])
  })
  test('a refusal names its reason', () => {
    const text = (value: unknown) => reason('驳回原因').safeParse(value).error?.issues[0]?.message
    expect([text(undefined), text('不行'), text('材料不全请补充')]).toEqual([
      '请填写驳回原因',
      '驳回原因不能少于 5 个字',
      undefined,
    ])
  })
})

test('no refusal is written that nothing says', () =>
  expect(Object.keys(refusals).filter((name) => throwers(name).length === 0)).toEqual([]))
