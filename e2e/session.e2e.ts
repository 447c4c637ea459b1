import { expect, test } from '@playwright/test'
import { done, fillLogin, newPage, open, settled, signedIn, travel } from './support.ts'

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
