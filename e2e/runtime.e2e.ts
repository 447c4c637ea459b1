import { expect, test } from '@playwright/test'
import { done, open, shown, signedIn } from './support.ts'

/** The state of the program as its operator sees it, and as the administrator of another school does. */
test('an operator sees health, processes and jobs, and takes the bundle for diagnosis', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/basicConfig/runtimeStatus')
  const health = page.getByRole('list', { name: '健康检查' })
  await expect(health.getByRole('listitem').filter({ hasText: '数据库' }).first()).toContainText('应答正常，可以写入')
  await expect(page.getByRole('region', { name: '进程' }).getByRole('row', { name: /主进程 运行中/ })).toBeVisible()
  await expect(page.getByRole('region', { name: '存储' })).toContainText('creditLedger')
  const jobs = page.getByRole('region', { name: '任务', exact: true })
  await expect(jobs.getByRole('row', { name: /封存操作日志/ })).toBeVisible()
  await jobs.getByText('未能完成', { exact: true }).click()
  await expect(jobs.getByText('没有这样的任务')).toBeVisible()
  const file = page.waitForEvent('download')
  await shown(page.getByRole('button', { name: '下载诊断包' })).click()
  expect((await file).suggestedFilename()).toMatch(/^诊断包-\d{12}\.zip$/)
  await done(page)
})

test('who looks after one school of several sees its jobs only', async ({ browser }) => {
  const page = await signedIn(browser, 'admin', { schoolId: 'demo2' })
  await open(page, '/basicConfig/runtimeStatus')
  await expect(page.getByText('这里是本校的任务')).toBeVisible()
  await expect(page.getByRole('region', { name: '任务', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: '进程' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '下载诊断包' })).toHaveCount(0)
  await done(page)
})
