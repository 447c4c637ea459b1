import { expect, test } from '@playwright/test'
import { yesNo } from '../contract/core/codes/platform.ts'
import { applyWay } from '../contract/core/codes/programme.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { participants } from './actions.ts'
import { givePassword, phoneOf, publishedCourse, type Student } from './phone-actions.ts'
import { dayAfter, done, shown, signedIn, travel, travelTo } from './support.ts'

/** Places of an activity on two phones: one waits and comes in, one cannot come and asks for leave. */
test.describe.configure({ mode: 'serial' })

const password = 'Place-2026!x'
let liId: string
let course: string
let applyEnd: string
let first: Student
let second: Student

test.beforeAll(async ({ baseURL }) => {
  const now = await travel(0)
  course = `红色剧本围读 ${now.slice(5, 16)}`
  applyEnd = `${dayAfter(now, 2)} 20:00:00`
  const day = dayAfter(now, 5)
  liId = await publishedCourse(baseURL, {
    liName: course,
    applyWay: applyWay.firstCome,
    quota: 1,
    waitlistOn: yesNo.yes,
    applyStart: `${dayAfter(now, -1)} 08:00:00`,
    applyEnd,
    startTime: `${day} 05:00:00`,
    endTime: `${day} 06:00:00`,
  })
  const admin = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { records } = await admin.send(studentApi.list, {
    pageSize: 50,
    suiStatus: studentStatus.enrolled,
    activated: yesNo.no,
  })
  const able: Student[] = []
  for (const student of records) {
    if (able.length === 2) break
    await givePassword(baseURL, student, password)
    const client = await signIn(baseURL!, 'demo', student.suiNumber, password)
    const { can } = await client.send(ownActivityApi.detail, { liId })
    if (can.includes('join')) able.push(student)
  }
  ;[first, second] = able as [Student, Student]
})

test('who waits comes in when a place is given back, and is told so on their phone', async ({ browser, baseURL }) => {
  const [holder, waiter] = [
    await phoneOf(browser, baseURL, first, password),
    await phoneOf(browser, baseURL, second, password),
  ]
  await holder.goto(`/m/activities/${liId}`)
  await holder.getByRole('button', { name: '报名', exact: true }).tap()
  await expect(holder.getByText(`已录取“${course}”`)).toBeVisible()
  await waiter.goto(`/m/activities/${liId}`)
  await waiter.getByRole('button', { name: '报名', exact: true }).tap()
  await expect(waiter.getByText('候补第 1 位，有名额空出时自动录取并通知您。')).toBeVisible()

  await holder.getByRole('button', { name: '取消报名' }).tap()
  await holder.getByRole('button', { name: '确认取消' }).tap()
  await expect(holder.getByText('已取消', { exact: true })).toBeVisible()
  await done(holder)

  await waiter.getByRole('button', { name: '返回' }).tap()
  await waiter.goto('/m/messages')
  await waiter.getByText(`候补转为录取：${course}`).tap()
  await expect(waiter.getByText(`课程“${course}”有名额空出，您已由候补转为录取`)).toBeVisible()
  await waiter.goto(`/m/activities/${liId}`)
  await expect(waiter.getByText('已通过', { exact: true })).toBeVisible()
  await done(waiter)
})

test('who cannot come takes leave on their phone once cancelling is over, and staff read why', async ({
  browser,
  baseURL,
}) => {
  await travelTo(`${dayAfter(applyEnd, 1)} 09:00:00`)
  const phone = await phoneOf(browser, baseURL, second, password)
  await phone.goto(`/m/activities/${liId}`)
  await expect(phone.getByRole('button', { name: '请假' })).toBeVisible()
  await expect(phone.getByRole('button', { name: '取消报名' })).toHaveCount(0)
  await phone.getByRole('button', { name: '请假' }).tap()
  await phone.getByLabel('请假原因').fill('家中有事需要返家')
  await phone.getByRole('button', { name: '确认请假' }).tap()
  await expect(phone.getByText('已请假', { exact: true }).first()).toBeVisible()
  await expect(phone.getByText('原因：家中有事需要返家')).toBeVisible()
  await phone.goto('/m/activities?view=mine')
  await expect(phone.getByRole('link', { name: course })).toContainText('已请假')
  await done(phone)

  const staff = await signedIn(browser, 'teacher')
  await participants(staff, liId)
  await expect(shown(staff.getByRole('row').filter({ hasText: second.suiNumber }))).toContainText('已请假')
  await done(staff)
})
