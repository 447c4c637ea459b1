import { expect, test } from '@playwright/test'
import { accountStatus } from '../contract/core/codes/school.ts'
import { backgroundApi } from '../contract/platform/background/background.calls.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { field, notice } from './locators.ts'
import { done, gradeOf, holdBack, open, settled, shown, signedIn } from './support.ts'

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
  // its end is told although it is over before the page looks for the first time
  const isBack = async () => (await statuses()).every((suStatus) => suStatus === accountStatus.active)
  await page.route(`**${backgroundApi.list.path}*`, async (route) => {
    await expect.poll(isBack, { timeout: 20_000 }).toBe(true)
    await route.continue()
  })
  await page.getByRole('tooltip').getByRole('button', { name: '撤销' }).click()
  await expect(notice(page, `“撤销：学生列表：停用账号”已完成：成功 ${total} 条`)).toBeVisible({ timeout: 20_000 })
  expect(await isBack()).toBe(true)
  await settled(page)
  await done(page)
})

test('where a colleague changes one of them meanwhile, the question says how many there are now and is asked again', async ({
  browser,
  baseURL,
}) => {
  const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const wanted = { search, suStatus: accountStatus.active }
  const { total, records } = await client.send(studentApi.list, wanted)
  expect(total).toBeGreaterThan(10)
  const page = await signedIn(browser, 'admin')
  await open(page, `/personnelAdmin/studentAdmin?${new URLSearchParams(wanted)}`)
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await bar.getByRole('button', { name: `选择全部 ${total} 条` }).click()
  await bar.getByRole('button', { name: '停用账号' }).click()
  const question = page.getByRole('dialog', { name: '停用账号' })
  await expect(question).toContainText(`全部 ${total} 个账号`)

  const { suId } = records.at(-1)!
  await client.send(studentApi.switch, { ids: [suId], suStatus: accountStatus.disabled })
  await question.getByRole('button', { name: '停用账号' }).click()
  await expect(notice(page, `符合条件的现有 ${total - 1} 条，与您确认时的 ${total} 条不同`)).toBeVisible()
  await expect(question).toContainText(`全部 ${total - 1} 个账号`)
  await expect(bar).toContainText(`已选符合条件的全部 ${total - 1} 条`)
  await question.getByRole('button', { name: '停用账号' }).click()
  await expect(notice(page, `已在后台开始，共 ${total - 1} 条`)).toBeVisible()
  const all = async () => (await client.send(studentApi.list, { search, pageSize: 200 })).records
  await expect
    .poll(async () => (await all()).filter(({ suStatus }) => suStatus === accountStatus.disabled).length, {
      timeout: 60_000,
    })
    .toBe(total)

  await client.send(studentApi.switch, { ids: (await all()).map((one) => one.suId), suStatus: accountStatus.active })
  await done(page)
})

test('all that were counted under one filter are not chosen under another', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, `/personnelAdmin/studentAdmin?search=${search}`)
  const letGo = await holdBack(page, backgroundApi.countAll)
  const whole = shown(page.getByRole('checkbox', { name: '全选本页' }))
  const pages = shown(page.locator('.list-pages'))
  const before = (await pages.textContent())!
  await whole.check()
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await bar.getByRole('button', { name: /^选择全部 \d+ 条/ }).click()
  await field(page, '姓名或学号').fill(gradeOf(3))
  await field(page, '姓名或学号').press('Enter')
  await expect(pages).not.toHaveText(before)
  await whole.check()
  await expect(bar).toContainText('已选 10 项')
  const counted = page.waitForResponse((response) => response.url().includes(backgroundApi.countAll.path))
  await letGo()
  await counted
  await settled(page)
  await expect(bar).toContainText('已选 10 项')
  await done(page)
})

test('an action that was cancelled elsewhere says how far it came, and the list is read anew', async ({
  browser,
  baseURL,
}) => {
  const client = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const page = await signedIn(browser, 'admin')
  await open(page, '/personnelAdmin/studentAdmin')
  await shown(page.getByRole('checkbox', { name: '全选本页' })).check()
  const bar = shown(page.getByRole('toolbar', { name: '批量操作' }))
  await bar.getByRole('button', { name: /^选择全部/ }).click()
  // nearly all are on already: it takes its time and changes nothing
  await bar.getByRole('button', { name: '启用账号' }).click()
  await page.getByRole('dialog', { name: '启用账号' }).getByRole('button', { name: '启用账号' }).click()
  await expect(page.getByRole('button', { name: /^后台任务，\d+ 项正在进行/ })).toBeVisible()
  await settled(page)
  const { records } = await client.send(backgroundApi.list, {})
  const anew = page.waitForRequest((request) => request.url().includes(studentApi.list.path))
  await client.send(backgroundApi.cancel, { btId: records.find(({ can }) => can.includes('cancel'))!.btId })
  await expect(notice(page, /“学生列表：启用账号”已取消：成功 \d+ 条.*，其余未处理/)).toBeVisible()
  await anew
  await settled(page)
  await done(page)
})
