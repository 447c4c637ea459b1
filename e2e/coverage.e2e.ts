import { expect, test } from '@playwright/test'
import { done, open, shown, signedIn } from './support.ts'

/** What the flows of a school leave uncovered, and how a hole is closed. */
const home = '/basicConfig/ProcessManagement'

test('the map shows what is not covered and leads to a flow for it', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  // without the default flow of supplements most of the map is open
  await open(page, `${home}?wfType=2`)
  const row = page.getByRole('row').filter({ hasText: '补录标准流程' })
  const more = async (act: string) => {
    await row.getByRole('button', { name: '更多操作' }).click()
    await page.getByRole('menuitem', { name: act }).click()
    await page.getByRole('dialog').getByRole('button', { name: act, exact: true }).click()
  }
  await more('停用')
  await expect(row).toContainText('停用')
  await open(page, `${home}/CoverageMap?wfType=2`)
  await expect(shown(page.getByText(/\d+ 格没有流程/))).toBeVisible()
  await page.getByRole('button', { name: /^没有流程/ }).click()
  await page.getByRole('button', { name: '志愿公益，校级，没有流程' }).click()
  const drawer = page.getByRole('dialog')
  await expect(drawer).toContainText(/所有发起人.*没有流程.*补录标准流程：未启用/)
  await drawer
    .getByRole('link', { name: '为此范围新建流程' })
    .or(drawer.getByRole('button', { name: '为此范围新建流程' }))
    .click()
  await expect(shown(page.getByRole('heading', { name: '新增流程' }))).toBeVisible()
  await expect(shown(page.getByTitle('校级', { exact: true }))).toBeVisible()
  await expect(shown(page.getByTitle('志愿公益', { exact: true }))).toBeVisible()
  await expect(page.getByRole('radio', { name: '补录流程' })).toBeChecked()
  await open(page, `${home}?wfType=2`)
  await more('启用')
  await expect(row).not.toContainText('停用')
  await done(page)
})
