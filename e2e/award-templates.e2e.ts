import { expect, test } from '@playwright/test'
import { saveDialog } from './actions.ts'
import { dialog, dragDown, school, toast } from './configuration-actions.ts'
import { done, open, shown, signedIn } from './support.ts'

test.describe.configure({ timeout: 300_000 })

test('award templates: ready-made, ordered, copied, closed, and held by what was given', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', school)
  await open(page, '/courseManagement/Reward')
  await shown(page.locator('.empty').getByRole('button', { name: '添加常用模板' })).click()
  await expect(dialog(page)).toContainText('能力系数')
  await dialog(page)
    .getByRole('checkbox', { name: /等级奖/ })
    .check()
  await dialog(page)
    .getByRole('checkbox', { name: /任职考核/ })
    .check()
  await dialog(page).getByRole('button', { name: '添加所选 2 个' }).click()
  await toast(page, '已添加 2 个奖励模板')
  await page.getByRole('button', { name: '任职考核', exact: true }).click()
  await dragDown(page, '拖动第 1 行')
  await expect(dialog(page).getByLabel('第 1 行奖项名称')).toHaveValue('称职')
  await dialog(page).getByLabel('第 2 行能力系数').fill('1.8')
  await saveDialog(page)
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('任职考核')).toContainText('称职、优秀、基本称职、不称职')
  await row('任职考核').getByRole('button', { name: '复制' }).click()
  await expect(dialog(page).getByLabel('模板名称')).toHaveValue('任职考核（副本）')
  await saveDialog(page)
  await row('任职考核（副本）').getByRole('button', { name: '任职考核（副本）的更多操作' }).click()
  await page.getByRole('menuitem', { name: '停用' }).click()
  await dialog(page).getByRole('button', { name: '停用' }).click()
  await toast(page, '停用成功')
  await done(page)

  // in a school full of life: what was given stays, what is used cannot go and leads to the courses
  const demo = await signedIn(browser, 'admin')
  await open(demo, '/courseManagement/Reward')
  await demo.getByRole('button', { name: '等级奖', exact: true }).click()
  await expect(
    dialog(demo)
      .getByRole('button', { name: /已颁发给 \d+ 人，不能删除/ })
      .first(),
  ).toBeDisabled()
  await dialog(demo).getByRole('button', { name: '取消' }).click()
  await demo.getByRole('button', { name: '等级奖的更多操作' }).click()
  await demo.getByRole('menuitem', { name: '删除' }).click()
  await expect(dialog(demo)).toContainText(/已有 \d+ 门课程采用该奖励模板。/)
  const count = Number(/\d+/.exec(await dialog(demo).getByRole('link').innerText())![0])
  await dialog(demo).getByRole('link').click()
  await demo.waitForURL('**/courseManagement/CurriculumList?atId=*')
  await expect(shown(demo.getByText(`共 ${count} 条`))).toBeVisible()
  await done(demo)
})
