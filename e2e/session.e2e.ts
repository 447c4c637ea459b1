import { expect, test } from '@playwright/test'
import { teacherApi } from '../contract/school/people/teachers.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { done, fillLogin, newPage, open, settled, shown, signedIn, travel } from './support.ts'

const refusedLogin = /400|401|403|404/

test('a wrong password is refused in one sentence and the field is ready again', async ({ browser }) => {
  const page = await newPage(browser, { expectErrors: refusedLogin })
  await page.goto('/')
  await fillLogin(page, 'demo', 'viewer', 'Wrong-2026')
  await expect(page.getByRole('alert')).toContainText('账号或密码错误')
  await fillLogin(page, 'demo', 'viewer', 'Demo-2026')
  await page.waitForURL('**/home')
  await done(page)
})

test('empty fields are told apart and nothing is sent', async ({ browser }) => {
  const page = await newPage(browser)
  await page.goto('/')
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.getByLabel('学校代码').fill('')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await expect(page.getByText('请输入账号')).toBeVisible()
  await expect(page.getByText('请输入密码')).toBeVisible()
  expect(sent).toEqual([])
  await done(page)
})

test('without a token every screen leads to the sign-in, and back to where one wanted to go', async ({ browser }) => {
  const page = await newPage(browser)
  await page.goto('/courseManagement/CurriculumList')
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await expect(page.getByText('登录凭证已过期，请重新登录')).toBeVisible()
  await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
  await page.waitForURL('**/courseManagement/CurriculumList')
  await done(page)
})

test('without a token an address that is no screen leads to the sign-in, and from there home', async ({ browser }) => {
  const page = await newPage(browser)
  await page.goto('/no/such/screen')
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
  await page.waitForURL('**/home')
  await done(page)
})

test('the menu shows what a role may open, and only that', async ({ browser }) => {
  const admin = await signedIn(browser, 'admin')
  const teacher = await signedIn(browser, 'teacher')
  for (const page of [admin, teacher]) await open(page, '/home')
  const menuOf = async (page: typeof admin) =>
    (await page.getByRole('navigation').first().innerText()).split('\n').map((line) => line.trim())
  expect(await menuOf(admin)).toEqual(expect.arrayContaining(['课程管理', '人员管理', '基础配置']))
  const own = await menuOf(teacher)
  expect(own).toContain('课程管理')
  expect(own).not.toContain('人员管理')
  await done(admin)
  await done(teacher)
})

test('an unknown address goes back to the last screen and says so', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/courseManagement/CurriculumList')
  await page.goto('/no/such/screen')
  await page.waitForURL(/\/(home|courseManagement\/CurriculumList)$/)
  await done(page)
})

test('an address without the record it is about says so and leads to the list', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  for (const [path, what, list] of [
    ['/courseManagement/detailCurriculumList', '课程', '课程列表'],
    ['/personnelAdmin/roleAdmin/editRole', '角色', '角色管理'],
    ['/communityAdmin/communityList/detail?ciId=', '圈子', '圈子列表'],
    ['/communityAdmin/communityList/edit', '圈子', '圈子列表'],
    ['/newsAdmin/newsList/edit', '新闻', '新闻列表'],
    ['/newsAdmin/newsList/detail', '新闻', '新闻列表'],
    ['/personalCenter/course/detail', '课程', '我指导的课程'],
    ['/personalCenter/community/detail', '圈子', '我指导的圈子'],
    ['/checkAdmin/publishCheckDetail', '课程', '发布审批'],
    ['/checkAdmin/supplementCheckDetail', '补录', '补录审批'],
    ['/checkAdmin/informCheckDetail', '质疑', '质疑举报审批'],
  ] as const) {
    await open(page, path)
    await expect(shown(page.getByRole('heading', { name: `没有指明要打开的${what}` }))).toBeVisible()
    await shown(page.getByRole('link', { name: `到“${list}”中选择` })).click()
    await expect(shown(page.getByRole('heading', { level: 1, name: list }))).toBeVisible()
  }
  await done(page)
})

test('an address of a record that is not there says so and leads to the list, also as a form', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { expectErrors: refusedLogin })
  const nobody = '01890a5d-ac96-774b-bcce-b302099a8057'
  for (const [path, what, list] of [
    [`/courseManagement/detailCurriculumList?liId=${nobody}`, '课程', '课程列表'],
    [`/courseManagement/editCurriculumList?liId=${nobody}`, '课程', '课程列表'],
    [`/courseManagement/CurriculumList/Participants?liId=${nobody}`, '课程', '课程列表'],
    [`/courseManagement/CurriculumList/SignBoard?liId=${nobody}`, '课程', '课程列表'],
    [`/communityAdmin/communityList/edit?ciId=${nobody}`, '圈子', '圈子列表'],
    [`/personnelAdmin/studentAdmin/edit?suId=${nobody}`, '学生', '学生管理'],
    [`/basicConfig/ProcessManagement/editProcessManagement?wfId=${nobody}`, '流程', '流程管理'],
    [`/basicConfig/EvaluationSystem/EditEvaluationSystem?esId=${nobody}`, '评价规则', '评价体系'],
    [`/transcript/transcriptDetail?suId=${nobody}`, '学生的成绩单', '成绩单查看'],
  ] as const) {
    await page.goto(path)
    await expect(shown(page.getByText(`该${what}不存在或无权查看`, { exact: true }))).toBeVisible()
    await shown(page.getByRole('link', { name: '返回列表' })).click()
    await expect(shown(page.getByRole('heading', { level: 1, name: list }))).toBeVisible()
  }
  await page.goto(`/checkAdmin/publishCheckDetail?liId=${nobody}`)
  await expect(shown(page.getByText('该课程不存在或无权查看', { exact: true }))).toBeVisible()
  await done(page)
})

test('a session that has ended asks for the password without losing the screen', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/courseManagement/CurriculumList')
  // what is still being asked for would be told of the end before the button is pressed
  await settled(page)
  await travel(40 * 60)
  await page.getByRole('button', { name: '刷新' }).click()
  await expect(page.getByText('登录凭证已过期，请重新登录').first()).toBeVisible()
  await page.context().close()
})

test('signing out ends the session and empties the storage', async ({ browser }) => {
  const page = await signedIn(browser, 'teacher')
  await open(page, '/home')
  await page.getByRole('button', { name: /王老师/ }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull()
  await done(page)
})

test('an administrator ends a colleague’s sessions; their window asks for the password and keeps the screen', async ({
  browser,
  baseURL,
}) => {
  const colleague = await signedIn(browser, 'auditor', { expectErrors: refusedLogin })
  await open(colleague, '/courseManagement/CurriculumList')
  await settled(colleague)
  const service = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const [person] = await service.send(teacherApi.search, { search: '郑卫国' })
  const admin = await signedIn(browser, 'admin')
  await open(admin, `/personnelAdmin/teacherAdmin/detail?suId=${person!.suId}`)
  await shown(admin.getByRole('button', { name: '退出全部设备' })).click()
  const dialog = admin.getByRole('dialog')
  await expect(dialog).toContainText('确认让“郑卫国”在全部设备上退出登录？')
  await dialog.getByRole('textbox').fill('本人来电称密码可能已泄露')
  await dialog.getByRole('button', { name: '退出全部设备' }).click()
  await expect(admin.getByText(/已退出 [1-9]\d* 台设备/)).toBeVisible()
  await expect(shown(admin.getByText('未登录', { exact: true }))).toBeVisible()
  await done(admin)

  const asked = colleague.getByRole('dialog', { name: '登录凭证已过期，请重新登录' })
  await shown(colleague.getByRole('button', { name: '刷新' })).click()
  await expect(asked).toBeVisible()
  await asked.getByLabel('郑卫国（auditor）的密码').fill('Demo-2026')
  await asked.getByRole('button', { name: '继续' }).click()
  await expect(asked).toBeHidden()
  await expect(colleague).toHaveURL(/\/courseManagement\/CurriculumList/)
  await done(colleague)
})
