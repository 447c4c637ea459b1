import { expect, test } from '@playwright/test'
import { row } from './locators.ts'
import { done, fillLogin, newPage, open, signedIn } from './support.ts'

/** Schools as their operator sees them, and as whoever signs in finds them. */

test('an operator bounds a school, has it stand still and work again', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/schools')
  const other = row(page, '第二示范学院')
  await expect(other).toContainText('使用中')
  await other.getByRole('button', { name: '配额' }).click()
  const quota = page.getByRole('dialog', { name: '设置配额：第二示范学院' })
  await quota.getByLabel('可用账号数').fill('1')
  await quota.getByRole('button', { name: '保存' }).click()
  await expect(other.getByTitle('配额 1')).toContainText('100%')
  await other.getByRole('button', { name: '配额' }).click()
  await quota.getByLabel('可用账号数').fill('')
  await quota.getByRole('button', { name: '保存' }).click()
  await expect(other.getByTitle('配额 1')).toHaveCount(0)

  await other.getByRole('button', { name: '暂停' }).click()
  const suspend = page.getByRole('dialog')
  await suspend.getByLabel('再次输入学校名称').fill('第二示范学院')
  await suspend.getByLabel('暂停原因').fill('合同已经到期')
  await suspend.getByRole('button', { name: '暂停' }).click()
  await expect(other).toContainText('已暂停')
  const outside = await newPage(browser, { expectErrors: /status of 4\d\d/ })
  await outside.goto('/')
  await fillLogin(outside, 'demo2', 'admin', 'Demo-2026')
  await expect(outside.getByText('学校已被暂停使用')).toBeVisible()
  await other.getByRole('button', { name: '恢复' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '恢复' }).click()
  await expect(other).toContainText('使用中')
  await fillLogin(outside, 'demo2', 'admin', 'Demo-2026')
  await outside.waitForURL('**/home')
  await done(outside)
  await done(page)
})

test('a school is found by pinyin on the console and on a phone, with the keys alone', async ({ browser }) => {
  for (const { path, viewport } of [
    { path: '/', viewport: { width: 1366, height: 768 } },
    { path: '/m', viewport: { width: 390, height: 844 } },
  ]) {
    const page = await newPage(browser, { viewport })
    await page.goto(path)
    const field = page.getByLabel('学校代码')
    await field.fill('dier')
    const found = page.getByRole('listbox', { name: '找到的学校' })
    await expect(found.getByRole('option')).toHaveText([/第二示范学院/])
    await field.press('ArrowDown')
    await field.press('Enter')
    await expect(field).toHaveValue('demo2')
    await expect(found).toBeHidden()
    await expect(page.getByText('第二示范学院').first()).toBeVisible()
    await done(page)
  }
})

test('an operator compares schools by the statistics, and a school sees what it gives', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/StatisticsAdmin/SchoolStatistics')
  await expect(page.getByText('2 所学校，计入')).toBeVisible()
  for (const title of [
    '登录统计',
    '发布统计',
    '补录统计',
    '能力统计',
    '圈子统计',
    '学生统计',
    '教师统计',
    '阈值预警',
  ]) {
    await page.getByRole('tab', { name: title }).click()
    await expect(page.locator('.stat-card').first()).toBeVisible()
    await expect(page.locator('.statistics-figures')).toHaveAttribute('aria-busy', 'false')
  }
  // the screen, the period and the chosen schools stand in the address
  await page.getByRole('tab', { name: '学生统计' }).click()
  await expect(page).toHaveURL(/screen=student/)
  await page.reload()
  await expect(page.getByRole('tab', { name: '学生统计' })).toHaveAttribute('aria-selected', 'true')
  await page.getByText('明细', { exact: true }).click()
  await expect(row(page, '第二示范学院')).toContainText('学生过少，未计入')
  await page.goBack()

  await open(page, '/basicConfig/schoolInfo')
  await page.getByRole('button', { name: '提供给全省的数字' }).click()
  await expect(page.getByText('本校参加全省统计')).toBeVisible()
  await expect(page.getByRole('region', { name: '学生统计' }).locator('.stat-card').first()).toBeVisible()
  await done(page)
})
