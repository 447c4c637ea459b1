import { expect, test } from '@playwright/test'
import { noticeApi } from '../contract/school/session/notice.calls.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { fact, notice } from './locators.ts'
import { done, fillLogin, newPage, open, settled, shown, signedIn } from './support.ts'

/** A school of its own publishes its privacy notice, and people agree to it before they go on. */
test.describe.configure({ mode: 'serial' })

const schoolId = 'demo2'
const held = /\/personalCenter\/privacyNotice$/

test('anybody reads it from the sign-in page', async ({ browser }) => {
  const page = await newPage(browser)
  await page.goto('/')
  await page.getByLabel('学校代码').fill(schoolId)
  await page.getByRole('link', { name: '隐私告知' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('隐私告知')
  await expect(page.getByText('第 1 版')).toBeVisible()
  await expect(page.getByRole('heading', { name: '六、您的权利' })).toBeVisible()
  await page.getByRole('link', { name: '返回登录' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeVisible()
  await done(page)
})

test('the administrator publishes a new version and has to agree first', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { schoolId })
  await open(page, '/basicConfig/schoolInfo?tab=notice')
  await expect(fact(page, '登录须同意')).toHaveText('未开启')
  await page.getByRole('button', { name: '编辑并发布新版' }).click()
  const dialog = page.getByRole('dialog')
  const content = dialog.getByRole('textbox', { name: '告知内容' })
  await content.fill(`${await content.inputValue()}\n\n八、本校补充\n校外实践的材料由实践单位保存。`)
  await dialog.getByRole('button', { name: '发布', exact: true }).click()
  await expect(notice(page, '隐私告知已发布')).toBeVisible()
  await page.waitForURL(held)
  await expect(shown(page.getByRole('heading', { name: '八、本校补充' }))).toBeVisible()
  await page.getByRole('button', { name: '我已阅读并同意' }).click()
  await page.waitForURL('**/home')
  await open(page, '/basicConfig/schoolInfo?tab=notice')
  await expect(fact(page, '当前版本')).toHaveText('第 2 版')
  await expect(fact(page, '登录须同意')).toHaveText('已开启')
  await expect(fact(page, '已同意')).toContainText('1 人 /')
  await settled(page)
  await done(page)
})

test('who signs in reads it, may leave, and goes on once they agree', async ({ browser, baseURL }) => {
  const admin = await signIn(baseURL!, schoolId, 'admin', 'Demo-2026')
  const { current } = await admin.send(noticeApi.history, {})
  await admin.send(noticeApi.publish, { version: current.version, content: `${current.content}\n又一条补充。` })
  const page = await newPage(browser)
  const enter = async () => {
    await page.goto('/')
    await fillLogin(page, schoolId, 'admin', 'Demo-2026')
    await page.waitForURL(held)
    await expect(shown(page.getByText('又一条补充。'))).toBeVisible()
  }
  await enter()
  await page.goto('/personnelAdmin/teacherAdmin')
  await page.waitForURL(held)
  await page.getByRole('button', { name: '不同意，退出登录' }).click()
  await expect(page.getByRole('button', { name: '登录', exact: true })).toBeEnabled()
  await enter()
  await page.getByRole('button', { name: '我已阅读并同意' }).click()
  await page.waitForURL('**/home')
  await page.reload()
  await expect(shown(page.getByRole('heading', { level: 1 }))).toBeVisible()
  expect(page.url()).toMatch(/home$/)
  await settled(page)
  await done(page)

  // other journeys of this school go on without the question
  expect(await admin.send(noticeApi.history, {})).toMatchObject({ agreed: 1, isAsked: true })
  const { version } = await admin.send(schoolInfoApi.settings, {})
  await admin.send(schoolInfoApi.saveSettings, { version, values: { noticeAccept: '0' } })
})
