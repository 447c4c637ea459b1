import { expect, test } from '@playwright/test'
import { auditApi } from '../contract/school/audit/audit.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { saveDialog } from './actions.ts'
import { choose, done, holdBack, open, settled, shown, signedIn, travel } from './support.ts'

/**
 * An action, found on the trail with its difference; the trail verified; the trail taken out with a reason, which is on
 * it too.
 */
test.describe.configure({ mode: 'serial' })

const [before, after] = ['海洋学院（端到端）', '海洋与极地学院（端到端）']
const service = (username: string, baseURL: string | undefined) => signIn(baseURL!, 'demo', username, 'Demo-2026')

test('an administrator changes a college', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/academyAdmin')
  await page.getByRole('button', { name: '新增学院' }).click()
  await page.getByRole('dialog').getByLabel('学院名称').fill(before)
  await page.getByRole('dialog').getByLabel('学院编码').fill('HYJD')
  await saveDialog(page)
  await shown(page.getByRole('button', { name: before, exact: true })).click()
  await page.getByRole('dialog').getByLabel('学院名称').fill(after)
  await saveDialog(page)
  await done(page)
})

test('and the inspector finds who did it, when, and what was before', async ({ browser }) => {
  const page = await signedIn(browser, 'auditor')
  await open(page, '/basicConfig/auditLog')
  await choose(page, page.getByLabel('记录类型'), '学院')
  await page.getByLabel('操作', { exact: true }).fill('编辑学院')
  await page.keyboard.press('Enter')
  const row = page.getByRole('row', { name: new RegExp('编辑学院') })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('系统管理员')
  await expect(row).toContainText(after)
  await row
    .getByRole('button', { name: /编辑学院/ })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: '编辑学院' })
  await expect(drawer.getByRole('row', { name: `学院名称 ${before} ${after}` })).toBeVisible()
  await expect(drawer).toContainText('127.0.0.1')
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await done(page)
})

test('a minute later the action is under a seal, and the whole trail is as it was sealed', async ({
  browser,
  baseURL,
}) => {
  await travel(70)
  const client = await service('auditor', baseURL)
  const [row] = (await client.send(auditApi.list, { action: '编辑学院', bizName: after })).records
  await expect
    .poll(async () => (await client.send(auditApi.detail, { logId: row!.logId })).sealNo, { timeout: 30_000 })
    .not.toBeNull()
  const page = await signedIn(browser, 'auditor')
  await open(page, '/basicConfig/auditLog')
  await page.getByRole('button', { name: '校验与归档' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '开始校验' }).click()
  await expect(page.getByRole('status').filter({ hasText: '全部日志与封存一致' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('dialog')).toContainText(/核对日志\s*[\d,]{3,} 条/)
  await done(page)
})

test('more than five hundred rows leave only with a reason, which the trail keeps with the fingerprint of the file', async ({
  browser,
  baseURL,
}) => {
  const page = await signedIn(browser, 'auditor')
  await open(page, '/basicConfig/auditLog')
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '导出操作日志' })
  await expect(dialog).toContainText('导出超过 500 行须填写导出原因')
  await dialog.getByRole('button', { name: '导出', exact: true }).click()
  await expect(dialog.getByText('请填写导出原因')).toBeVisible()
  await dialog.getByLabel('导出原因').fill('要用')
  await dialog.getByLabel('导出原因').blur()
  await expect(dialog.getByText('导出原因不能少于 5 个字')).toBeVisible()
  await dialog.getByLabel('导出原因').fill('上级主管部门年度检查')
  // it goes on in the background: the file comes by itself, and stands in the list of what went on
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: '导出', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^操作日志_\d{4}-\d\d-\d\d\.xlsx$/)
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: '后台任务', exact: true }).click()
  const task = page.getByRole('dialog', { name: '后台任务' }).getByRole('listitem').filter({ hasText: '导出操作日志' })
  await expect(task).toContainText(/已完成[\s\S]*[\d,]+ 行/)
  const again = page.waitForEvent('download')
  await task.getByRole('button', { name: '下载', exact: true }).click()
  expect((await again).suggestedFilename()).toBe(file.suggestedFilename())

  await open(page, '/basicConfig/auditLog?bizType=export&actor=auditor')
  await shown(page.getByRole('button', { name: /导出操作日志/ }).first()).click()
  const drawer = page.getByRole('dialog', { name: '导出操作日志' })
  await expect(drawer).toContainText('上级主管部门年度检查')
  await expect(drawer.getByRole('row', { name: /文件指纹 [0-9a-f]{64}/ })).toBeVisible()
  await done(page)

  const { records } = await (
    await service('auditor', baseURL)
  ).send(auditApi.list, { bizType: 'export', actor: 'auditor' })
  // the export once, and each time that its file was fetched
  expect(records.map(({ action }) => action)).toEqual(['下载后台导出的文件', '下载后台导出的文件', '导出操作日志'])
})

test('a short list leaves at once, a course tells its own story, and a league committee reads of its own people only', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'college')
  await open(page, '/basicConfig/auditLog?bizType=session')
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByRole('row', { name: /系统管理员|周雅琴/ })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '校验与归档' })).toHaveCount(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '导出', exact: true }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^操作日志_/)
  await open(page, '/courseManagement/CurriculumList?liStatus=70,80')
  await shown(page.getByRole('row').nth(1).getByRole('link').first()).click()
  await page.getByRole('tab', { name: '动态' }).click()
  await expect(shown(page.getByText('课程完成'))).toBeVisible()
  // many may have handed in something since it was made
  const more = page.locator('.record-timeline > button')
  const made = shown(page.getByText('新增课程'))
  await expect(async () => {
    if (!(await made.isVisible())) await more.click({ timeout: 1000 })
    await expect(made).toBeVisible({ timeout: 1000 })
  }).toPass()
  await done(page)
})

test('the question before an export tells how many rows it has, and nothing where that is not known', async ({
  browser,
}) => {
  const page = await signedIn(browser, 'auditor')
  const asked = page.getByRole('dialog', { name: '导出操作日志' })
  const ask = async () => {
    await shown(page.getByRole('button', { name: '导出', exact: true })).click()
    await expect(asked).toContainText('在后台生成，完成后自动下载')
  }
  await open(page, '/basicConfig/auditLog')
  await settled(page)
  await ask()
  await expect(asked).toContainText(/共约 [\d,]{3,} 行，约 \d+ 秒。在后台生成/)
  await asked.getByRole('button', { name: '取消' }).click()
  await expect(asked).toBeHidden()
  // the number of former filters is none of what is exported now
  const letGo = await holdBack(page, auditApi.list)
  await shown(page.getByRole('columnheader', { name: '时间' })).click()
  await expect(shown(page.locator('.list-card'))).toHaveAttribute('aria-busy', 'true')
  await ask()
  await expect(asked).not.toContainText('共约')
  await asked.getByRole('button', { name: '取消' }).click()
  await letGo()
  await expect(shown(page.locator('.list-card'))).toHaveAttribute('aria-busy', 'false')
  // of a million rows no more are counted than can be told
  await page.route(`**${auditApi.list.path}*`, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...rest, data: { ...data, total: 10_000, isCapped: true } } })
  })
  await page.reload()
  await expect(shown(page.getByText('共 10,000+ 条'))).toBeVisible()
  await expect(shown(page.locator('.list-cap'))).toHaveText('仅列出前 10,000 条，请用时间或其他条件缩小范围。')
  await ask()
  await expect(asked).toContainText('超过 10,000 行，行数越多用时越长。在后台生成')
  await done(page)
})
