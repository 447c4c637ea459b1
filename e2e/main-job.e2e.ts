import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { awardApi } from '../contract/rules/awards/awards.calls.ts'
import { evaluationApi } from '../contract/rules/evaluation/evaluation.calls.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { transcriptApi } from '../contract/outcomes/transcripts/transcripts.calls.ts'
import { signIn } from '../server/testing/client.ts'
import {
  addStep,
  batch,
  participants,
  passCase,
  pattern,
  publicise,
  rateByAttendance,
  saveDialog,
  textOf,
  tickAll,
} from './actions.ts'
import { notice, tab } from './locators.ts'
import {
  choose,
  dayAfter,
  done,
  fillRange,
  importFile,
  open,
  settled,
  shown,
  signedIn,
  travel,
  travelTo,
} from './support.ts'

/**
 * The main job of the product, from a spreadsheet of students to their transcripts: each step on screen and as the
 * right person. Steps build on each other; the clock is moved where a school would wait.
 */
test.describe.configure({ mode: 'serial' })

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
const course = '普通话水平测试训练营（端到端）'
const people = 12
let day: string
test.beforeAll(async () => {
  day = dayAfter(await travel(0), 5)
})

/** A client that asks the service directly, to compare what a screen shows with what is stored. */
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const courseId = async (baseURL: string | undefined): Promise<string> =>
  (await (await service('admin', baseURL)).send(lessonApi.view, { liName: course })).records[0]!.liId

test('the administrator makes a college, a major and a class', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/academyAdmin')
  await page.getByRole('button', { name: '新增学院' }).click()
  await page.getByLabel('学院名称').last().fill('计算机学院')
  await page.getByLabel('学院编码').last().fill('JSJ')
  await saveDialog(page)
  await open(page, '/personnelAdmin/professionalAdmin')
  await page.getByRole('button', { name: '新增专业' }).click()
  const major = page.getByRole('dialog')
  await major.getByLabel('专业名称').fill('软件工程')
  await major.getByLabel('专业代码').fill('080902')
  await choose(page, major.getByLabel('所属学院'), '计算机学院')
  await saveDialog(page)
  await open(page, '/personnelAdmin/classAdmin')
  await page.getByRole('button', { name: '新增班级' }).click()
  const one = page.getByRole('dialog')
  await one.getByLabel('班级名称').fill('软件2401')
  await choose(page, one.getByLabel('所属学院'), '计算机学院')
  await choose(page, one.getByLabel('所属专业'), '软件工程')
  await one.getByLabel('年级').fill('2024')
  await saveDialog(page)
  await done(page)
})

test('and imports the students of a spreadsheet saved by another program', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/studentAdmin')
  await page.getByRole('button', { name: '批量导入' }).click()
  await importFile(page, fixture('students.xlsx'), people)
  await open(page, '/personnelAdmin/studentAdmin?suiNumber=2024010001')
  await expect(shown(page.getByRole('cell', { name: '2024010001' }))).toBeVisible()
  await done(page)
})

test('the school configures a workflow of two steps on screen', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/ProcessManagement/AddProcessManagement?wfType=1')
  await page.getByLabel('流程名称').fill('技能特长两级审批')
  await choose(page, page.getByLabel('级别'), '校级')
  await choose(page, page.getByLabel('课程体系'), '技能特长')
  await page.keyboard.press('Escape')
  for (const stage of ['发布', '结果']) {
    await addStep(page, stage, '院系团委初审', '发起人所在学院团委')
    await addStep(page, stage, '校团委终审', '指定角色', '校级审核员')
  }
  await page.getByRole('button', { name: '校验' }).click()
  await expect(shown(page.getByText(/未发现问题|校验通过|可以使用/))).toBeVisible()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.waitForURL('**/basicConfig/ProcessManagement**')
  await expect(shown(page.getByText('技能特长两级审批'))).toBeVisible()
  await done(page)
})

test('a teacher plans a course and submits it', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/courseManagement/addCurriculumList')
  await page.getByLabel('课程名称').fill(course)
  await page.getByLabel('课程体系').click()
  await page.getByRole('menuitemcheckbox', { name: '技能特长' }).click()
  await page.getByRole('menuitemcheckbox', { name: '语言证书' }).click()
  await choose(page, page.getByLabel('课程级别'), '校级')
  await page.getByLabel('课程简介').fill('面向全校的普通话水平测试集中训练，含模拟测试与点评。')
  await fillRange(page, '活动时间', `${day} 14:00`, `${day} 16:00`)
  await page.getByLabel('活动地点').fill('逸夫楼 205')
  await page.getByText('审核录取').click()
  await fillRange(page, '报名时间', `${dayAfter(day, -4)} 08:00`, `${dayAfter(day, -1)} 18:00`)
  await page.getByRole('textbox', { name: '名额' }).fill('12')
  await choose(page, page.getByRole('combobox', { name: '奖励模板' }), '等级奖')
  await expect(shown(page.getByText('技能特长两级审批'))).toBeVisible()
  await page.getByRole('button', { name: '提交审批' }).click()
  await page.waitForURL(/CurriculumList/)
  await open(page, `/courseManagement/CurriculumList?liName=${encodeURIComponent('端到端')}`)
  await expect(shown(page.getByText('发布审批中'))).toBeVisible()
  await done(page)
})

for (const [username, who] of [
  ['college', 'the college committee'],
  ['reviewer', 'the school’s reviewer'],
] as const) {
  test(`${who} approves the publication`, async ({ browser }) =>
    passCase(browser, username, '/checkAdmin/publishCheck', course))
}

test('the teacher publishes it', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const liId = await courseId(baseURL)
  await open(page, `/courseManagement/detailCurriculumList?liId=${liId}`)
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布', exact: true }).click()
  await expect(shown(page.getByText(/报名未开始|报名中/))).toBeVisible()
  await done(page)
})

test('imports the participants of a spreadsheet and admits them', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const liId = await courseId(baseURL)
  await participants(page, liId)
  await page.getByRole('button', { name: '导入名单' }).click()
  await importFile(page, fixture('participants.xlsx'), people)
  await tickAll(page)
  await batch(page, '通过')
  await expect
    .poll(async () => (await (await service('teacher', baseURL)).send(lessonApi.details, { liId })).passCount)
    .toBe(people)
  await done(page)
})

test('on the day the teacher signs everybody in', async ({ browser, baseURL }) => {
  await travelTo(`${day} 14:05:00`)
  const page = await signedIn(browser, 'teacher')
  const liId = await courseId(baseURL)
  await participants(page, liId)
  await tickAll(page)
  await batch(page, '签到')
  await expect
    .poll(async () => (await (await service('teacher', baseURL)).send(lessonApi.details, { liId })).signCount)
    .toBe(people)
  await done(page)
})

test('afterwards gives one of them an award', async ({ browser, baseURL }) => {
  await travelTo(`${day} 17:00:00`)
  const page = await signedIn(browser, 'teacher')
  const liId = await courseId(baseURL)
  await participants(page, liId)
  await shown(page.getByRole('row').filter({ hasText: '2024010001' }))
    .getByRole('checkbox')
    .check()
  await batch(page, '评定', async () => {
    await page.getByRole('dialog').getByText('获奖', { exact: true }).click()
    await choose(page, page.getByRole('dialog').getByLabel('奖项'), '一等奖')
  })
  await done(page)
})

test('rates the rest by attendance and submits the result', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'teacher')
  const liId = await courseId(baseURL)
  await participants(page, liId)
  await rateByAttendance(page)
  await expect
    .poll(async () => (await (await service('teacher', baseURL)).send(lessonApi.details, { liId })).resultCount)
    .toBe(people)
  await shown(page.getByRole('button', { name: '提交结果' })).click()
  const consequence = page.getByRole('dialog').getByRole('list', { name: '提交后' })
  await expect(consequence).toContainText(`录取 ${people} 人，已签到 ${people} 人`)
  await expect(consequence).toContainText(new RegExp(`合格 ${people} 人（其中获奖 1 人）：共 [\\d.]+ 学时`))
  await page.getByRole('dialog').getByRole('button', { name: '提交结果' }).click()
  await expect
    .poll(async () => (await (await service('teacher', baseURL)).send(lessonApi.details, { liId })).liStatus)
    .toBe('40')
  await done(page)
})

for (const [username, who] of [
  ['college', 'the college committee'],
  ['reviewer', 'the school’s reviewer'],
] as const) {
  test(`${who} approves the result`, async ({ browser }) =>
    passCase(browser, username, '/checkAdmin/resultCheck', course))
}

test('the result is put into public notice, and when that is over the course is completed', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'admin')
  const liId = await courseId(baseURL)
  await open(page, `/courseManagement/detailCurriculumList?liId=${liId}`)
  await publicise(page)
  // a notice that is taken back while its list is looked at says no error
  await tab(page, '公示名单').click()
  await expect(shown(page.getByRole('cell', { name: '合格', exact: true })).first()).toBeVisible()
  await page.getByRole('button', { name: '取消公示', exact: true }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('公示期需要调整')
  await page.getByRole('dialog').getByRole('button', { name: '取消公示' }).click()
  await expect(notice(page, '取消公示成功')).toBeVisible()
  await settled(page)
  await expect(page.locator('.notice').filter({ hasText: '不可查看公示名单' })).toHaveCount(0)
  await publicise(page)
  await done(page)
  await travelTo(`${dayAfter(day, 9)} 09:00:00`)
  await expect
    .poll(async () => (await (await service('admin', baseURL)).send(lessonApi.details, { liId })).liStatus, {
      timeout: 30_000,
    })
    .toBe('70')
})

test('the credit stands on each student’s transcript, on screen and as a PDF', async ({ browser, baseURL }) => {
  const client = await service('admin', baseURL)
  const { records } = await client.send(transcriptApi.list, { search: '202401', pageSize: 50 })
  expect(records).toHaveLength(people)
  const winner = records.find(({ suiNumber }) => suiNumber === '2024010001')!
  // what the school's rule gives for taking part, and its template on top for the award
  const [rule] = (await client.send(evaluationApi.all, { esName: '技能特长·校级' })).records
  const template = (await client.send(awardApi.select, {})).find(({ atName }) => atName === '等级奖')!
  const [base, extra] = [rule!.baseHours, template.details.find(({ adName }) => adName === '一等奖')!.hours].map(Number)
  for (const student of records) {
    const ledger = await client.send(transcriptApi.rows, { suId: student.suId })
    expect(ledger.records.map(({ name, hours, awardName }) => ({ name, hours, awardName }))).toEqual([
      {
        name: course,
        hours: String(student === winner ? base! + extra! : base),
        awardName: student === winner ? '一等奖' : '',
      },
    ])
  }
  const page = await signedIn(browser, 'admin')
  await open(page, `/transcript/transcriptDetail?suId=${winner.suId}`)
  await expect(shown(page.getByText(course))).toBeVisible()
  await expect(shown(page.getByText('一等奖'))).toBeVisible()
  const single = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出 PDF' }).click()
  expect(textOf(await (await single).path())).toMatch(pattern(winner.suiName, '2024010001', course, '一等奖'))
  await open(page, '/transcript/transcriptList?search=202401&pageSize=50')
  await tickAll(page)
  const merged = page.waitForEvent('download')
  await shown(page.locator('.batch-bar').getByRole('button', { name: '导出 PDF' })).click()
  const text = textOf(await (await merged).path())
  for (const { suiNumber, totalHours } of records) expect(text).toMatch(pattern(suiNumber, totalHours))
  await done(page)
})
