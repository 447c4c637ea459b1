import { expect, test } from '@playwright/test'
import { field, notice, row } from './locators.ts'
import { choose, done, gradeOf, open, settled, shown, signedIn } from './support.ts'

/** What holds for every list and every screen of figures: nothing false stands on them, and they never strand anybody. */

const students = '/personnelAdmin/studentAdmin'
const [first, second] = [`${gradeOf(3)}110001`, `${gradeOf(3)}110002`]

test('a page beyond the end leads to the last one, and going back leads away from it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/academyAdmin')
  await open(page, `${students}?current=999`)
  await expect(page).toHaveURL(/current=30$/)
  await expect(shown(page.getByText('第 291-300 条，共 300 条'))).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/academyAdmin/)
  await done(page)
})

test('without a network a new filter says so and shows no other rows; back again it is asked anew', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin', { expectErrors: /ERR_INTERNET_DISCONNECTED/ })
  await open(page, students)
  await expect(row(page, first)).toBeVisible()
  await page.context().setOffline(true)
  await field(page, '姓名或学号').fill(second)
  await field(page, '姓名或学号').press('Enter')
  await expect(notice(page, '请求超时，请重试')).toBeVisible()
  await expect(shown(page.getByText('未能取得数据'))).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: first })).toHaveCount(0)
  await page.context().setOffline(false)
  await shown(page.getByRole('button', { name: '重试', exact: true })).click()
  await expect(row(page, second)).toBeVisible()
  await done(page)
})

test('tabs keep the names of their records when the page is loaded anew', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, students)
  const name = (await row(page, first).getByRole('link').first().textContent())!
  await row(page, first).getByRole('link', { name }).click()
  const tabs = page.getByRole('navigation', { name: '已打开的页签' })
  await expect(tabs.getByText(name)).toBeVisible()
  await open(page, '/personnelAdmin/academyAdmin')
  await expect(tabs.getByText(name)).toBeVisible()
  await page.reload()
  await expect(shown(page.getByRole('heading', { level: 1, name: '学院管理' }))).toBeVisible()
  await expect(tabs.getByText(name)).toBeVisible()
  await done(page)
})

test('figures of a former filter are dimmed and neither printed nor exported until the new ones are there', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/StudentStatistics')
  await settled(page)
  const figures = page.locator('.statistics-figures')
  await expect(figures).toHaveAttribute('aria-busy', 'false')
  const print = page.getByRole('button', { name: '打印', exact: true })
  await expect(print).toBeEnabled()
  let answer = (): void => undefined
  const held = new Promise<void>((resolve) => (answer = resolve))
  await page.route(/\/studentStatistics\/Total/, async (route) => {
    await held
    await route.continue()
  })
  await choose(page, field(page, '学院', true), '计算机科学与技术学院')
  await expect(figures).toHaveAttribute('aria-busy', 'true')
  await expect(print).toBeDisabled()
  await expect(page.getByRole('button', { name: '导出看板' })).toBeDisabled()
  answer()
  await expect(figures).toHaveAttribute('aria-busy', 'false')
  await expect(print).toBeEnabled()
  await done(page)
})
