import { expect, test, type Browser } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { applyWay, lessonStatus } from '../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../contract/core/codes/rules.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { ownRecordApi } from '../contract/student/record.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { participants, passCase, publicise, rateByAttendance } from './actions.ts'
import { ownFlow } from './demo-flow.ts'
import { activate, phoneOf, printSlip, withCamera, type Student } from './phone-actions.ts'
import { dayAfter, done, newPage, open, shown, signedIn, travel, travelTo } from './support.ts'

/**
 * The students' side as a whole: from the slip that staff print to the credit on the phone. All that the student does
 * they do by touch on their own phone, nothing is typed for them, and staff see each of it as it happens. Steps build
 * on each other; the clock is moved where a school would wait.
 */
test.describe.configure({ mode: 'serial' })

const password = 'Autumn-2026!k'
const question = '您想朗读哪一篇作品？'
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
const onPhone = (browser: Browser, baseURL: string | undefined) => phoneOf(browser, baseURL, student, password)
let student: Student
let course: string
let liId: string
let day: string
let endFlow: () => Promise<unknown>

test.beforeAll(async ({ baseURL }) => {
  const [admin, teacher] = [await service('admin', baseURL), await service('teacher', baseURL)]
  const { version } = await admin.send(schoolInfoApi.settings, {})
  await admin.send(schoolInfoApi.saveSettings, { version, values: { activationWay: 'both' } })
  const flow = await ownFlow(admin, '校级审核员审结果', -3, async (suId) => [
    {
      wfsNodeName: 'RESULT',
      wfsStepName: '校级审核',
      wfsStepType: flowStepType.anyOne,
      wfsCheckerType: flowCheckerType.people,
      checkers: [await suId('周雅琴')],
    },
  ])
  endFlow = flow.end
  const now = await travel(0)
  day = dayAfter(now, 4)
  course = `晨读打卡 ${now.slice(5, 16)}`
  liId = await flow.submit(teacher, course, {
    applyWay: applyWay.firstCome,
    applyStart: `${dayAfter(now, -1)} 08:00:00`,
    applyEnd: `${dayAfter(now, 3)} 20:00:00`,
    applyQuestions: question,
    startTime: `${day} 05:30:00`,
    endTime: `${day} 06:30:00`,
  })
  await teacher.send(lessonApi.publish, { liId })
  const waiting = await admin.send(studentApi.list, {
    activated: yesNo.no,
    suiStatus: studentStatus.enrolled,
    pageSize: 50,
  })
  student = waiting.records.at(-2)!
})
test.afterAll(() => endFlow())

test('with the slip that staff print the student gets in on their phone', async ({ browser }) => {
  const code = await printSlip(browser, student.suiNumber)
  const phone = await newPage(browser, { isPhone: true })
  await activate(phone, student.suiNumber, code, password)
  await phone.getByRole('link', { name: '我', exact: true }).tap()
  await expect(phone.getByRole('heading', { level: 2, name: student.suiName })).toBeVisible()
  await done(phone)
})

test('they find an activity, answer what it asks and register, and the open list of staff shows it by itself', async ({
  browser,
  baseURL,
}) => {
  const staff = await signedIn(browser, 'teacher')
  await participants(staff, liId)
  await expect(shown(staff.getByText('还没有参与人员'))).toBeVisible()

  const phone = await onPhone(browser, baseURL)
  await phone.goto('/m')
  await phone.getByLabel('按名称查找').fill('晨读打卡')
  await phone.getByRole('link', { name: course }).first().tap()
  await expect(phone.getByRole('heading', { level: 1, name: course })).toBeVisible()
  await phone.getByRole('button', { name: '报名', exact: true }).tap()
  await phone.getByLabel(question).fill('《春》')
  await phone.getByRole('button', { name: '提交报名' }).tap()
  await expect(phone.getByText(`已录取“${course}”`)).toBeVisible()
  await expect(phone.getByRole('heading', { name: '我的报名' })).toBeVisible()
  await expect(phone.getByText('《春》')).toBeVisible()
  await done(phone)

  // nobody reloads or presses anything here
  await expect(shown(staff.getByRole('row').filter({ hasText: student.suiNumber }))).toContainText('已通过', {
    timeout: 20_000,
  })
  await done(staff)
})

test('on the day they scan the code of the screen, which counts them at once', async ({ browser, baseURL }) => {
  await travelTo(`${day} 05:20:00`)
  const screen = await signedIn(browser, 'teacher')
  await open(screen, `/courseManagement/CurriculumList/SignBoard?liId=${liId}`)
  await expect(screen.getByText('0 / 1 人已扫码签到')).toBeVisible()
  const code = screen.getByRole('img', { name: /^第 1 场签到二维码，每 \d+ 秒更换$/ })
  const phone = await onPhone(browser, baseURL)
  await withCamera(phone, { picture: (await code.getAttribute('src'))! })
  await phone.goto(`/m/activities/${liId}`)
  await phone.getByRole('link', { name: '签到', exact: true }).tap()
  await phone.getByRole('button', { name: '打开摄像头' }).tap()
  await expect(phone.getByRole('alert').filter({ hasText: '签到成功' })).toBeVisible({ timeout: 15_000 })
  await expect(screen.getByText('1 / 1 人已扫码签到')).toBeVisible()
  await expect(screen.locator('.sign-arrivals').getByText(student.suiName)).toBeVisible()
  await done(screen)
  await done(phone)
})

test('afterwards they give it stars, and staff rate who came and submit the result', async ({ browser, baseURL }) => {
  await travelTo(`${day} 09:00:00`)
  const phone = await onPhone(browser, baseURL)
  await phone.goto('/m/activities?view=mine')
  await phone.getByRole('link', { name: course }).first().tap()
  await phone.getByText('★').nth(4).tap()
  await expect(phone.getByText('已评价，感谢反馈')).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('radio', { name: '5 星，很满意' })).toBeChecked()
  await done(phone)

  const staff = await signedIn(browser, 'teacher')
  await participants(staff, liId)
  await rateByAttendance(staff)
  await expect(shown(staff.getByRole('row').filter({ hasText: student.suiNumber }))).toContainText('合格')
  await shown(staff.getByRole('button', { name: '提交结果' })).click()
  await staff.getByRole('dialog').getByRole('button', { name: '提交结果' }).click()
  const client = await service('teacher', baseURL)
  await expect
    .poll(async () => (await client.send(lessonApi.details, { liId })).liStatus)
    .toBe(lessonStatus.resultInReview)
  await done(staff)
  await passCase(browser, 'reviewer', '/checkAdmin/resultCheck', course)
})

test('they find themselves in the public notice, and when that is over the credit stands on their phone', async ({
  browser,
  baseURL,
}) => {
  const before = await (await signIn(baseURL!, 'demo', student.suiNumber, password)).send(ownRecordApi.summary, {})
  const staff = await signedIn(browser, 'admin')
  await open(staff, `/courseManagement/detailCurriculumList?liId=${liId}`)
  await publicise(staff)
  await done(staff)

  let phone = await onPhone(browser, baseURL)
  await phone.goto('/m/notices')
  // what ends last stands last
  const noticed = phone.getByRole('link', { name: course })
  const more = phone.getByRole('button', { name: '加载更多' })
  await expect(phone.locator('.s-list')).toBeVisible()
  await expect(async () => {
    if (await more.isVisible()) await more.tap()
    await expect(noticed).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  await noticed.tap()
  await phone.getByLabel('按学号查找').fill(student.suiNumber)
  // names are masked for everybody, one's own too
  await expect(phone.locator('.s-list li')).toHaveCount(1)
  await done(phone)

  await travelTo(`${dayAfter(day, 9)} 09:00:00`)
  const client = await service('admin', baseURL)
  await expect
    .poll(async () => (await client.send(lessonApi.details, { liId })).liStatus, { timeout: 30_000 })
    .toBe(lessonStatus.completed)
  phone = await onPhone(browser, baseURL)
  await phone.goto('/m')
  await phone.getByRole('link', { name: '我的记录' }).tap()
  await phone.getByRole('link', { name: /学时明细/ }).tap()
  const entry = phone.locator('details').filter({ hasText: course })
  await entry.locator('summary').tap()
  const given = Number(await entry.locator('summary b').textContent())
  expect(given).toBeGreaterThan(0)
  await expect(entry.locator('.s-explain')).toBeVisible()
  await phone.getByRole('button', { name: '返回' }).tap()
  const total = Number(before.summary.totalHours) + given
  await expect(phone.locator('.s-total')).toContainText(`${total} / ${before.summary.requiredHours} 学时`)
  await done(phone)
})
