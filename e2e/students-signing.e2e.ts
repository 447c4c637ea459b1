import { expect, test, type Browser, type Page } from '@playwright/test'
import { applyStatus, applyUnit, applyWay, signStatus, signType } from '../contract/core/codes/programme.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { signingApi } from '../contract/programme/lessons/signing.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { givePassword, phoneOf, publishedCourse, withCamera, type Student } from './phone-actions.ts'
import { clockAhead, dayAfter, done, newPage, open, setClock, shown, signedIn, travel, travelTo } from './support.ts'
import { axe, violations } from './visit.ts'

/**
 * A sign-in on phones: a code kept without network and handed in, a student who looks after the sign-in, and what the
 * teacher sees of it. Steps build on each other.
 */
test.describe.configure({ mode: 'serial' })

const password = 'Phone-2026!x'
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')
let liId: string
let teamLiId: string
/** A course that is signed in to at its place, and who takes part in it. */
let placedLiId: string
let placed: Student[]
let course: string
let manager: Student
let guest: Student

/** A phone on which a student is signed in, at the place of the course. */
async function onPhone(browser: Browser, baseURL: string | undefined, student: Student): Promise<Page> {
  const page = await phoneOf(browser, baseURL, student, password, /ERR_INTERNET_DISCONNECTED|status of 503/)
  await page.context().grantPermissions(['geolocation'])
  await page.context().setGeolocation({ ...hall, accuracy: 5 })
  return page
}

const hall = { longitude: 117.2272, latitude: 31.8206 }

test.beforeAll(async ({ baseURL }) => {
  const [teacher, admin] = [await service('teacher', baseURL), await service('admin', baseURL)]
  const now = await travel(0)
  const day = dayAfter(now, 3)
  course = `手机签到讲座 ${now.slice(5, 16)}`
  liId = await publishedCourse(baseURL, {
    liName: course,
    applyWay: applyWay.importedList,
    startTime: `${day} 05:10:00`,
    endTime: `${day} 06:00:00`,
    workRequest: '一段心得，可附现场照片',
  })
  teamLiId = await publishedCourse(baseURL, {
    liName: `手机组队赛 ${now.slice(5, 16)}`,
    applyWay: applyWay.firstCome,
    applyUnit: applyUnit.team,
    teamMin: 2,
    teamMax: 3,
    applyStart: `${dayAfter(now, -1)} 08:00:00`,
    applyEnd: `${dayAfter(now, 8)} 20:00:00`,
    startTime: `${dayAfter(now, 9)} 05:00:00`,
    endTime: `${dayAfter(now, 9)} 06:00:00`,
  })
  placedLiId = await publishedCourse(baseURL, {
    liName: `手机定位讲座 ${now.slice(5, 16)}`,
    applyWay: applyWay.importedList,
    startTime: `${day} 05:10:00`,
    endTime: `${day} 06:00:00`,
    signType: [signType.activityCode, signType.location],
    signLng: hall.longitude,
    signLat: hall.latitude,
  })
  const students: Student[] = []
  for (const { suId, suiName, suiNumber } of (
    await admin.send(studentApi.list, { pageSize: 50, suiStatus: studentStatus.enrolled, activated: yesNo.no })
  ).records.toReversed()) {
    if (students.length === 6) break
    const to = students.length < 2 ? liId : placedLiId
    if ((await teacher.ask(registrationApi.add, { liId: to, suIds: [suId] })).code !== 200) continue
    const student = { suId, suiName, suiNumber }
    await givePassword(baseURL, student, password)
    students.push(student)
  }
  ;[manager, guest] = students as [Student, Student]
  placed = students.slice(2)
  await teacher.send(lessonApi.signPrincipalAdd, { liId, suIds: [manager.suId] })
  await travelTo(`${day} 05:00:00`)
})

test('what it costs to stay away is told wherever there is a place, and not where nobody registers', async ({
  browser,
  baseURL,
}) => {
  const day = dayAfter(await travel(0), 4)
  const open = await publishedCourse(baseURL, {
    liName: `手机开放讲座 ${day}`,
    applyWay: applyWay.noRegistration,
    startTime: `${day} 05:10:00`,
    endTime: `${day} 06:00:00`,
  })
  const page = await onPhone(browser, baseURL, guest)
  const facts = page.locator('.s-card', { hasText: '计入与录取' })
  await page.goto(`/m/activities/${liId}`)
  await expect(facts).toContainText('名单由组织者导入')
  await expect(facts).toContainText('取消与缺席')
  await page.goto(`/m/activities/${open}`)
  await expect(facts).toContainText('无需报名，到场参加')
  await expect(facts).not.toContainText('取消与缺席')
  await done(page)
})

test('a code typed in without network is kept, handed in when it is back, and counts as of the scan', async ({
  browser,
  baseURL,
}) => {
  const teacher = await service('teacher', baseURL)
  // the screen of the hall, which tells what students do as they do it
  const screen = await signedIn(browser, 'teacher')
  await open(screen, `/courseManagement/CurriculumList/SignBoard?liId=${liId}`)
  await expect(screen.getByText('0 / 2 人已扫码签到')).toBeVisible()
  const page = await onPhone(browser, baseURL, guest)
  await page.goto(`/m/sign?liId=${liId}`)
  await expect(page.getByRole('heading', { level: 1, name: `签到：${course}` })).toBeVisible()
  const { code } = await teacher.send(signingApi.board, { liId })
  await page.context().setOffline(true)
  await page.getByLabel('屏幕上的数字').fill(code!)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await expect(page.getByText('已保存，等待网络')).toBeVisible()
  await page.screenshot({ path: `${process.env['SHOTS'] ?? 'test-results'}/kept.png` })
  expect((await teacher.send(signingApi.board, { liId })).signCount).toBe(0)
  await page.context().setOffline(false)
  await expect(page.getByText(`已计入：${course}，签到成功`)).toBeVisible({ timeout: 20_000 })
  await expect(screen.getByText('1 / 2 人已扫码签到')).toBeVisible({ timeout: 20_000 })
  await done(screen)
  // what is kept too long is over, and the student is told so
  await page.context().setOffline(true)
  await page.getByLabel('屏幕上的数字').fill(`${code}x`)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await expect(page.getByText('已保存，等待网络')).toBeVisible()
  await setClock(page, Date.now() + (await clockAhead()) + 11 * 60_000)
  await expect(page.getByText('已过期：10 分钟内没有网络')).toBeVisible({ timeout: 20_000 })
  await page.context().setOffline(false)
  await done(page)
})

test('a phone whose own reader of codes does not work reads one all the same, at the place of the course', async ({
  browser,
  baseURL,
}) => {
  const teacher = await service('teacher', baseURL)
  const page = await onPhone(browser, baseURL, placed[0]!)
  const { picture } = await teacher.send(signingApi.board, { liId: placedLiId })
  await withCamera(page, { picture: picture! })
  await page.goto(`/m/sign?liId=${placedLiId}`)
  await expect(page.getByRole('heading', { level: 1, name: /^签到：手机定位讲座/ })).toBeVisible()
  await page.getByRole('button', { name: '打开摄像头' }).click()
  await page.getByRole('button', { name: '允许并签到' }).click({ timeout: 15_000 })
  await expect(page.getByRole('alert').filter({ hasText: '签到成功' })).toBeVisible()
  await done(page)
})

test('a code kept without network waits for the place where that counts, and is handed in with it', async ({
  browser,
  baseURL,
}) => {
  const teacher = await service('teacher', baseURL)
  const page = await onPhone(browser, baseURL, placed[1]!)
  await page.goto('/m/sign')
  await expect(page.getByLabel('屏幕上的数字')).toBeVisible()
  const { code } = await teacher.send(signingApi.board, { liId: placedLiId })
  await page.context().setOffline(true)
  await page.getByLabel('屏幕上的数字').fill(code!)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await expect(page.getByText('已保存，等待网络')).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: '允许并签到' }).click({ timeout: 20_000 })
  await expect(page.getByText(/^已计入：手机定位讲座.*签到成功/)).toBeVisible({ timeout: 20_000 })
  await done(page)
})

test('while the service restarts a code is kept, and whoever signs out meanwhile is told what they lose', async ({
  browser,
  baseURL,
}) => {
  const teacher = await service('teacher', baseURL)
  const page = await onPhone(browser, baseURL, placed[2]!)
  await page.goto(`/m/sign?liId=${placedLiId}`)
  await expect(page.getByRole('heading', { level: 1, name: /^签到：手机定位讲座/ })).toBeVisible()
  const { code } = await teacher.send(signingApi.board, { liId: placedLiId })
  const signing = '**/student/signActivity*'
  await page.route(signing, (route) => route.fulfill({ status: 503, body: 'starting' }))
  await page.getByLabel('屏幕上的数字').fill(code!)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await page.getByRole('button', { name: '允许并签到' }).click()
  await expect(page.getByText('已保存，等待网络')).toBeVisible()
  await page.getByRole('link', { name: '我', exact: true }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByText('有 1 次签到尚未提交，退出后可能失效')).toBeVisible()
  await page.getByRole('group', { name: '退出登录' }).getByRole('button', { name: '返回' }).click()
  await page.unroute(signing)
  await page.goBack()
  await expect(page.getByText(/^已计入：手机定位讲座.*签到成功/)).toBeVisible({ timeout: 20_000 })
  await page.getByRole('link', { name: '我', exact: true }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await expect(page.getByLabel('密码', { exact: true })).toBeVisible()
  await done(page)
})

test('at the door a code that stays before the camera is taken once', async ({ browser, baseURL }) => {
  const { token } = await service('teacher', baseURL)
  const page = await newPage(browser, { isPhone: true, token: token! })
  await withCamera(page, { text: placed[3]!.suiNumber })
  await page.goto(`/m/signing/${placedLiId}`)
  await page.getByRole('button', { name: '扫学生码' }).click()
  await page.getByRole('button', { name: '打开摄像头' }).click()
  const good = page.locator('.s-outcome-good')
  await expect(good).toContainText(`${placed[3]!.suiName} ${placed[3]!.suiNumber}：已签到`)
  await page.waitForTimeout(6000)
  await expect(good).toBeVisible()
  await expect(page.locator('.s-outcome-bad')).toHaveCount(0)
  await done(page)
})

test('a code is not shown any longer than it counts once the network is gone', async ({ browser, baseURL }) => {
  const page = await onPhone(browser, baseURL, guest)
  await page.goto('/m/sign/code')
  const code = page.getByRole('img', { name: `${guest.suiName}的签到码，每 30 秒更换` })
  await expect(code).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('没有网络，签到码已停止更新')).toBeVisible({ timeout: 45_000 })
  await expect(code).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(code).toBeVisible({ timeout: 20_000 })
  await done(page)
})

test('the screen in a hall stops showing a code once the network is gone, and goes on by itself', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'teacher', { expectErrors: /ERR_INTERNET_DISCONNECTED/ })
  await open(page, `/courseManagement/CurriculumList/SignBoard?liId=${placedLiId}`)
  const code = page.getByRole('img', { name: /^第 1 场签到二维码，每 \d+ 秒更换$/ })
  await expect(code).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByRole('alert').filter({ hasText: '没有网络，签到码已停止更新' })).toBeVisible({
    timeout: 45_000,
  })
  await expect(code).toHaveCount(0)
  await page.context().setOffline(false)
  await expect(code).toBeVisible({ timeout: 20_000 })
  await done(page)
})

test('the student whom the course names shows the code, signs somebody in by number and corrects an entry', async ({
  browser,
  baseURL,
}) => {
  const page = await onPhone(browser, baseURL, manager)
  await page.goto('/m/sign')
  await page.getByRole('link', { name: '我负责签到的活动' }).click()
  await page.getByRole('link', { name: course }).click()
  await expect(page.getByRole('img', { name: /^签到码，每 \d+ 秒更换$/ })).toBeVisible()
  await page.getByRole('button', { name: '扫学生码' }).click()
  await page.getByLabel('学号').fill(manager.suiNumber)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await expect(page.getByText(`${manager.suiName} ${manager.suiNumber}：已签到`)).toBeVisible()
  await page.getByLabel('学号').fill(manager.suiNumber)
  await page.getByRole('button', { name: '签到', exact: true }).click()
  await expect(page.getByText('本场已签到，请勿重复扫码')).toBeVisible()
  await page.getByRole('button', { name: '名单' }).click()
  await page.getByLabel('按姓名或学号查找').fill(guest.suiNumber)
  await page.getByRole('button', { name: new RegExp(guest.suiNumber) }).click()
  await page.getByLabel('更正为').selectOption({ label: '未签到' })
  await page.getByLabel('原因').fill('本人不在场，由同学代签')
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByText(`已更正${guest.suiName}的签到`)).toBeVisible()
  await done(page)
  const teacher = await service('teacher', baseURL)
  const { records } = await teacher.send(registrationApi.view, { liId })
  expect(records.find(({ suId }) => suId === guest.suId)!.laSignStatus).toBe(signStatus.notSigned)

  const own = await onPhone(browser, baseURL, guest)
  await own.goto('/m/sign/code')
  await expect(own.getByRole('img', { name: `${guest.suiName}的签到码，每 30 秒更换` })).toBeVisible()
  await done(own)
})

test('a teacher whom the course names looks after it on a phone, and has nothing of the students there', async ({
  browser,
}) => {
  const page = await newPage(browser, { isPhone: true })
  await page.goto('/m')
  await page.getByLabel('学校代码').fill('demo')
  await page.getByLabel('学号').fill('teacher')
  await page.getByLabel('密码', { exact: true }).fill('Demo-2026')
  await page.getByRole('button', { name: '登录' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: '我负责签到的活动' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: '主要页面' })).toHaveCount(0)
  await page.getByRole('link', { name: course }).tap()
  await expect(page.getByRole('img', { name: /^签到码，每 \d+ 秒更换$/ })).toBeVisible()
  await page.getByRole('button', { name: '名单' }).tap()
  await page.getByLabel('按姓名或学号查找').fill(guest.suiNumber)
  await page.getByRole('button', { name: new RegExp(guest.suiNumber) }).tap()
  await page.getByLabel('更正为').selectOption({ label: '补签' })
  await page.getByLabel('原因').fill('后来赶到，已当面核对')
  await page.getByRole('button', { name: '保存' }).tap()
  await expect(page.getByText(`已更正${guest.suiName}的签到`)).toBeVisible()
  await page.goto('/m/record')
  await expect(page.getByRole('heading', { level: 1, name: '我负责签到的活动' })).toBeVisible()
  await page.getByRole('link', { name: '打开管理端' }).tap()
  await page.waitForURL('**/home')
  // on a phone the console leads back here
  await open(page, `/courseManagement/CurriculumList/SignBoard?liId=${liId}`)
  await page.getByRole('link', { name: '扫学生码、改名单' }).tap()
  await expect(page.getByRole('button', { name: '扫学生码' })).toBeVisible()
  await done(page)
})

test('a work is handed in on the phone and looked at in the list of participants', async ({ browser, baseURL }) => {
  await travel(1800)
  const page = await onPhone(browser, baseURL, guest)
  await page.goto(`/m/activities/${liId}`)
  await expect(page.getByText('一段心得，可附现场照片')).toBeVisible()
  await page.getByRole('button', { name: '提交成果' }).click()
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.locator('.s-fault')).toHaveText('请填写成果说明，或上传文件')
  await page.getByLabel('成果说明').fill('听完讲座收获很多。')
  await page.getByLabel('拍照或选择文件').setInputFiles('public/m/icon-192.png')
  await expect(page.getByRole('button', { name: /移除 icon-192/ })).toBeVisible()
  await page.evaluate(axe)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: '提交', exact: true }).click()
  await expect(page.getByRole('button', { name: '修改成果' })).toBeVisible()
  await expect(page.getByRole('img', { name: /icon-192/ })).toBeVisible()
  await done(page)

  const staff = await signedIn(browser, 'teacher')
  await open(staff, `/courseManagement/CurriculumList/Participants?liId=${liId}`)
  const row = (name: string) => shown(staff.getByRole('row').filter({ hasText: name }))
  await expect(row(manager.suiNumber)).toContainText('未提交')
  await row(guest.suiNumber).getByRole('button', { name: '查看（1 个文件）' }).click()
  const dialog = staff.getByRole('dialog', { name: `${guest.suiName}的成果` })
  await expect(dialog).toContainText('听完讲座收获很多。')
  await dialog.getByRole('button', { name: /预览icon-192/ }).click()
  await expect(staff.getByRole('img', { name: /icon-192/ })).toBeVisible()
  await done(staff)
})

/** Gives something up on a phone: it is asked about, stays after a 返回, and goes once it is confirmed. */
async function giveUp(page: Page, name: string, question: string) {
  const [button, asked] = [page.getByRole('button', { name, exact: true }), page.getByRole('group', { name })]
  await button.click()
  await expect(asked).toContainText(question)
  await asked.getByRole('button', { name: '返回' }).click()
  await expect(asked).toHaveCount(0)
  await button.click()
  await asked.getByRole('button', { name: '确认' }).click()
  await expect(asked).toHaveCount(0)
}

test('two found and join a team by its code, and nothing of it is given up unasked', async ({ browser, baseURL }) => {
  const page = await onPhone(browser, baseURL, manager)
  await page.goto(`/m/activities/${teamLiId}`)
  await page.getByRole('link', { name: '组队报名' }).click()
  await page.getByLabel('队名').fill('飞行队')
  await page.getByRole('button', { name: '创建队伍' }).click()
  await expect(page.getByText('还差 1 人（每队 2 至 3 人）')).toBeVisible()
  const code = await page.locator('.s-code').textContent()

  const other = await onPhone(browser, baseURL, guest)
  await other.goto(`/m/activities/${teamLiId}/team`)
  await other.getByLabel('邀请码').fill(code!.toLowerCase())
  await other.getByRole('button', { name: '加入队伍' }).click()
  await expect(other.getByRole('heading', { name: '飞行队' })).toBeVisible()
  await expect(other.getByRole('button', { name: '确认报名' })).toHaveCount(0)

  // leaving is asked about first, and so is sending somebody away
  await giveUp(other, '退出队伍', '退出“飞行队”？')
  await expect(other.getByLabel('邀请码')).toBeVisible()
  await other.getByLabel('邀请码').fill(code!)
  await other.getByRole('button', { name: '加入队伍' }).click()
  await expect(other.getByRole('heading', { name: '飞行队' })).toBeVisible()
  await page.reload()
  const manage = page.getByRole('button', { name: `管理${guest.suiName}` })
  await manage.click()
  await giveUp(page, '移出队伍', `把${guest.suiName}移出队伍？`)
  await expect(manage).toHaveCount(0)
  await other.reload()
  await other.getByLabel('邀请码').fill(code!)
  await other.getByRole('button', { name: '加入队伍' }).click()
  await expect(other.getByRole('heading', { name: '飞行队' })).toBeVisible()

  // and whoever gives the captaincy away gets it back only from the other
  await page.reload()
  await manage.click()
  await giveUp(page, '移交队长', `移交给${guest.suiName}？`)
  await expect(page.getByRole('button', { name: '确认报名' })).toHaveCount(0)
  await other.reload()
  await other.getByRole('button', { name: '确认报名' }).click()
  await expect(other.getByText('全队已报名：已通过')).toBeVisible()
  const teacher = await service('teacher', baseURL)
  const registered = async () =>
    (await teacher.send(registrationApi.view, { liId: teamLiId, laStatus: applyStatus.accepted })).total
  expect(await registered()).toBe(2)
  await giveUp(other, '取消整队报名', '全队都不再参加')
  await expect.poll(registered).toBe(0)
  await done(other)
  await done(page)
})
