import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { listRightOf } from '../../../contract/core/exports.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { allCalls } from '../../../contract/index.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { rightsTree } from '../../../contract/school/roles/rights-tree.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { grantRole } from './grants.service.ts'
import { up } from '../../migrations/202611270720-export-rights.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { notesIn } from '../../testing/sheet-in.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'

// what the upgrade does to roles it does to those of all schools
await useOwnDatabase()

/** Somebody with these rights for the whole school, and those of who signs people in. */
async function holding(school: TestSchool, permits: string[]) {
  const { srId } = await school.admin.send(roleApi.save, { srName: unique(), dataScope: dataScope.school, permits })
  const person = await school.person('SIGN_MGR')
  await school.admin.send(memberApi.add, { srId, suIds: [person.suId] })
  return person.client
}
const denied = { status: 403, reason: 'not-permitted' }

test('what tells of people leaves under a right of its own; places, configuration and news leave with their list', () => {
  const withTheirList = [
    '/schoolCollege/collegeExport',
    '/schoolCollege/majorExport',
    '/schoolCollege/classExport',
    '/newsInfo/newsExport',
    '/newsType/newsTypeExport',
    '/lessonsClass/lessonsClassExport',
    '/evaluationSystem/evaluationExport',
    '/schoolQualityLable/lableExport',
    '/awardTemplate/awardExport',
    '/transformation/transformationExport',
    '/workFlow/workInfoExport',
  ].map((path) => `/api/schoolbase${path}`)
  const exported = allCalls.filter(({ call }) => call.gives === 'file' && call.summary.startsWith('导出'))
  expect(exported.length).toBeGreaterThan(40)
  const underList = exported.filter(({ call }) => call.permit.endsWith(':list')).map(({ call }) => fullPath(call))
  expect(underList.toSorted()).toEqual(withTheirList.toSorted())
})

test('who may see a list may not export it, at once or in the background, and sees no button for it', async () => {
  const school = await newSchool()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  await school.students(1, { suiCollegeId, majorId, scClassId: await school.schoolClass(majorId, suiCollegeId) })
  const reader = await holding(school, ['student:list'])
  const exporter = await holding(school, ['student:list', 'student:export'])
  expect((await reader.send(studentApi.list, { current: 1, pageSize: 10 })).total).toBe(1)
  expect(await reader.ask(studentApi.exportList, {})).toMatchObject(denied)
  const background = { call: fullPath(studentApi.exportList), input: { reason: '上级主管部门年度检查' } }
  expect(await reader.ask(backgroundApi.exportFile, background)).toMatchObject(denied)
  expect((await exporter.download(studentApi.exportList, {})).name).toMatch(/^学生_.*\.xlsx$/)
  const onTheScreen = async (client: typeof reader) =>
    JSON.stringify(await client.send(sessionApi.menuTree, {})).includes('"student:export"')
  expect([await onTheScreen(reader), await onTheScreen(exporter)]).toEqual([false, true])
})

test('every right to export a list has one to see it', () => {
  const rights = new Set<string>(allCalls.map(({ call }) => call.permit))
  const exported = [...rights].filter((permit) => /:export/.test(permit))
  expect(exported.length).toBeGreaterThan(20)
  expect(exported.filter((permit) => listRightOf(permit) === permit || !rights.has(listRightOf(permit)))).toEqual([])
})

test('whoever sees more than they may export is told so: in the workbook, where it is much, and where it is nothing', async () => {
  const school = await newSchool()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const [own, other] = await Promise.all([1, 2].map(() => school.schoolClass(majorId, suiCollegeId)))
  await school.students(501, { suiCollegeId, majorId, scClassId: own! })
  await school.students(1, { suiCollegeId, majorId, scClassId: other! })
  const counsellor = (classes: string[]) =>
    school.person(
      'COUNSELOR',
      classes.map((caTarget) => ({ caType: 'class' as const, caTarget })),
    )
  // sees both classes, and may export those of which they are counsellor
  const { suId, client } = await counsellor([own!])
  await grantRole(school.ctx.db, school.schoolId, school.roles['CLASS_TUTOR']!, suId, [
    { caType: 'class', caTarget: other! },
  ])
  expect((await client.send(studentApi.list, { current: 1, pageSize: 10 })).total).toBe(502)
  expect((await client.ask(studentApi.exportList, {})).reason).toBe('export-part-reason-needed')
  expect(await client.ask(studentApi.exportList, { scClassId: other! })).toMatchObject({
    reason: 'nothing-permitted-to-export',
    msg: '当前条件下没有您可以导出的数据，请调整筛选条件或联系管理员开通导出权限',
  })
  const reason = '上级主管部门年度检查'
  const part = await notesIn((await client.download(studentApi.exportList, { reason })).bytes)
  expect(part).toMatchObject({ 行数: '501', 范围: '只含列表中导出人有导出权限的部分' })
  const all = await counsellor([own!, other!])
  expect((await all.client.ask(studentApi.exportList, {})).reason).toBe('export-reason-needed')
  expect(await notesIn((await all.client.download(studentApi.exportList, { reason })).bytes)).toEqual({
    ...part,
    导出人: expect.stringContaining(all.suiName) as string,
    导出时间: expect.any(String) as string,
    行数: '502',
    范围: undefined,
  })
})

test('the export of one statistic does not open another', async () => {
  const school = await newSchool()
  const exporter = await holding(school, ['lessonstat:list', 'lessonstat:export', 'studentstat:list'])
  expect(await exporter.ask(studentStatApi.exportDetail, {})).toMatchObject(denied)
  expect((await exporter.ask(lessonStatApi.exportDetail, {})).reason).toBe('nothing-to-export')
})

test('of the built-in roles those who only look take no list of people out; supervision takes out the trail', async () => {
  const school = await newSchool()
  const people = [studentApi.exportList, teacherApi.exportList, memberApi.exportList, issueApi.exportList] as Call[]
  for (const srCode of ['AUDITOR', 'DATA_VIEWER', 'SCHOOL_AUDIT', 'CLASS_TUTOR', 'LEAGUE_SEC']) {
    const { client } = await school.person(srCode)
    for (const call of people) expect(await client.ask(call, {}), `${srCode} ${call.summary}`).toMatchObject(denied)
    const answer = await client.fetch(auditApi.exportList, { reason: '上级主管部门年度检查' })
    expect(answer.status, srCode).toBe(srCode === 'AUDITOR' ? 200 : 403)
  }
})

test('the role editor offers the export of a page beside the right to see it', () => {
  const pages = rightsTree().flatMap(({ pages: of }) => of)
  const exportsOf = (title: string) =>
    pages
      .find((page) => page.title === title)!
      .elements.filter(({ permit }) => /:export/.test(permit))
      .map(({ permit, name }) => `${permit} ${name}`)
  for (const [title, noun] of [
    ['学生管理', 'student'],
    ['教师管理', 'teacher'],
    ['组织架构', 'department'],
    ['角色管理', 'role'],
    ['成员管理', 'role'],
    ['操作日志', 'audit'],
    ['圈子列表', 'circle'],
    ['圈子审核', 'circle'],
    ['质疑举报课程', 'question'],
    ['阈值预警', 'threshold'],
    ['登录统计', 'loginstat'],
    ['发布统计', 'lessonstat'],
    ['补录统计', 'supstat'],
    ['能力统计', 'abilitystat'],
    ['圈子统计', 'circlestat'],
    ['学生统计', 'studentstat'],
    ['教师统计', 'teacherstat'],
  ] as const)
    expect(exportsOf(title), title).toContain(`${noun}:export 导出`)
  expect(exportsOf('成绩单查看')).toContain('transcript:exportIssues 导出签发记录与申请')
})

test('a role of a school keeps the exports of the lists that it could see', async () => {
  const school = await newSchool()
  const { srId } = await school.admin.send(roleApi.save, { srName: unique(), dataScope: dataScope.school, permits: [] })
  const migrated = (permits: string[]) =>
    asOwner(async (db) => {
      const own = db.updateTable('role').where('schoolId', '=', school.schoolId).where('srId', '=', srId)
      await own.set({ permits }).execute()
      await up(db as unknown as Kysely<unknown>)
      await up(db as unknown as Kysely<unknown>)
      const [row] = await own.set({ srSort: 1 }).returning('permits').execute()
      return row!.permits
    })
  expect(await migrated(['student:list', 'supstat:list', 'transcript:list'])).toEqual([
    'student:export',
    'student:list',
    'supstat:export',
    'supstat:list',
    'transcript:exportIssues',
    'transcript:list',
  ])
  expect(await migrated(['news:list', 'student:edit', 'sup:list'])).toEqual(['news:list', 'student:edit', 'sup:list'])
})
