import { expect, test } from '@playwright/test'
import { accountStatus } from '../contract/core/codes/school.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { field, notice } from './locators.ts'
import { done, gradeOf, open, settled, shown, signedIn } from './support.ts'

/** What is done to all rows of a list: offered once the page is chosen, followed in the background, taken back. */

const search = `${gradeOf(3)}1100`

test('all that fit a filter are switched off in the background, told with their number, and switched on again', async ({
  browser,
  baseURL,
}) => {
  const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const { total, records } = await client.send(studentApi.list, { search, pageSize: 200 })
  expect(total).toBeGreaterThan(10)
  const statuses = async () =>
    (await client.send(studentApi.list, { search, pageSize: 200 })).records.map(({ suStatus }) => suStatus)
  expect(records.every(({ suStatus }) => suStatus === accountStatus.active)).toBe(true)

  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/studentAdmin')
  await field(page, '姓名或学号').fill(search)
  await field(page, '姓名或学号').press('Enter')
  await expect(shown(page.getByText(`共 ${total} 条`)).first()).toBeVisible()
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await bar.getByRole('button', { name: `选择全部 ${total} 条` }).click()
  await expect(bar).toContainText(`已选符合条件的全部 ${total} 条`)
  await bar.getByRole('button', { name: '停用账号' }).click()
  const question = page.getByRole('dialog', { name: '停用账号' })
  await expect(question).toContainText(`全部 ${total} 个账号`)
  await expect(question).toContainText('完成后 30 分钟内可以撤销')
  await question.getByRole('button', { name: '停用账号' }).click()
  await expect(notice(page, `“学生列表：停用账号”已完成：成功 ${total} 条`)).toBeVisible({ timeout: 20_000 })
  expect((await statuses()).every((suStatus) => suStatus === accountStatus.disabled)).toBe(true)

  await page.getByRole('button', { name: '后台任务', exact: true }).click()
  const tasks = page.getByRole('dialog', { name: '后台任务' })
  const task = tasks.getByRole('listitem').filter({ hasText: '学生列表：停用账号' })
  const results = page.waitForEvent('download')
  await task.getByRole('button', { name: '下载结果' }).click()
  expect((await results).suggestedFilename()).toMatch(/^学生列表：停用账号结果_.*\.xlsx$/)
  await task.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('tooltip').getByRole('button', { name: '撤销' }).click()
  await expect(notice(page, `“撤销：学生列表：停用账号”已完成：成功 ${total} 条`)).toBeVisible({ timeout: 20_000 })
  expect((await statuses()).every((suStatus) => suStatus === accountStatus.active)).toBe(true)
  await settled(page)
  await done(page)
})
