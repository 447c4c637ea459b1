import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { dialog, toast } from './configuration-actions.ts'
import { choose, done, open, shown, signedIn } from './support.ts'

test('an administrator connects another system, tests it, takes its data and gives them back', async ({ browser }) => {
  const other = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/csv').end('学院名称,学院代码\n同步来的学院,SYNC01\n'),
  ).listen(0, '127.0.0.1')
  await new Promise((resolve) => other.once('listening', resolve))
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/dataSources')
  await shown(page.getByRole('button', { name: '新增数据来源' })).click()
  await dialog(page).getByLabel('名称').first().fill('教务学院')
  await choose(page, dialog(page).getByLabel('同步内容'), '学院')
  await choose(page, dialog(page).getByLabel('取数方式'), '网络接口')
  await dialog(page)
    .getByLabel('地址')
    .fill(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)
  await dialog(page).getByLabel('每日运行时间').fill('')
  await dialog(page).getByRole('button', { name: '保存' }).click()
  const row = shown(page.getByRole('row').filter({ hasText: '教务学院' }))
  const more = async (name: string) => {
    await row.getByRole('button', { name: '更多操作' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await more('测试')
  await expect(dialog(page)).toContainText('共 1 行')
  await dialog(page).getByRole('button', { name: '知道了' }).click()
  await shown(row.getByRole('button', { name: '立即同步' })).click()
  await expect(row).toContainText('已同步', { timeout: 30_000 })
  await row.getByRole('button', { name: '同步记录' }).click()
  await expect(page).toHaveURL(/preview=/)
  await page.reload()
  const run = shown(page.getByRole('dialog').getByRole('row').filter({ hasText: '已同步' }))
  await run.getByRole('button', { name: '撤销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '撤销', exact: true }).last().click()
  await toast(page, '已开始撤销')
  await expect(shown(page.getByRole('dialog').getByRole('row').filter({ hasText: '已撤销' }))).toBeVisible({
    timeout: 30_000,
  })
  other.close()
  await done(page)
})
