import { nestQuotes } from '../contract/core/quotes.ts'
import { expect, test, type Page } from '@playwright/test'
import { approvalActionApi } from '../contract/programme/approvals/actions.calls.ts'
import { approvalApi, lessonCaseApi } from '../contract/programme/approvals/approvals.calls.ts'
import { registrationApi } from '../contract/programme/lessons/registration.calls.ts'
import { signIn } from '../server/testing/client.ts'
import { addressOf } from './records.ts'
import { choose, done, holdBack, newPage, open, settled, shown, signedIn } from './support.ts'

/**
 * A reviewer at work: decides, takes a decision back, keeps their phrases, looks at what they did, and lets somebody
 * stand in for them.
 */
test.describe.configure({ mode: 'serial' })

const queue = '/checkAdmin/resultCheck'
const items = (page: Page) => shown(page.getByRole('list', { name: '结果审批' })).getByRole('listitem')

test('a decision is taken back within half a minute, and decided anew', async ({ browser }) => {
  const page = await signedIn(browser, 'reviewer')
  await open(page, queue)
  await expect(items(page).first()).toBeVisible()
  // the case that is shown first stands in the address at once, without a step of its own in the way back
  await expect(page).toHaveURL(/[?&]case=[0-9a-f-]{36}/)
  const before = await items(page).count()
  const name = (await items(page).first().locator('b').textContent())!
  const article = page.getByRole('article', { name, exact: true })
  await article.getByLabel('审批意见').fill('情况属实，同意发放。')
  await article.getByRole('button', { name: '存为常用意见' }).click()
  await expect(article.getByRole('button', { name: '情况属实，同意发放。', exact: true })).toBeVisible()
  await article.getByRole('button', { name: '通过', exact: true }).click()
  const toast = page.getByRole('status').filter({ hasText: nestQuotes(`已通过“${name}”`) })
  await expect(toast).toBeVisible()
  await toast.getByRole('button', { name: '撤销' }).click()
  await expect(page.getByText(nestQuotes(`已撤销决定，“${name}”重新待您审批`))).toBeVisible()
  await expect(items(page)).toHaveCount(before)
  await open(page, queue)
  await items(page).getByText(name, { exact: true }).click()
  await page.getByRole('article', { name, exact: true }).getByRole('button', { name: '驳回', exact: true }).click()
  const ask = page.getByRole('dialog')
  await ask.getByPlaceholder('不少于 5 个字').fill('名单与签到记录不一致，请核对')
  await ask.getByRole('button', { name: '驳回', exact: true }).click()
  await expect(page.getByText(nestQuotes(`已驳回“${name}”`))).toBeVisible()
  await shown(page.getByRole('button', { name: /^我已处理/ })).click()
  await expect(items(page).filter({ hasText: name }).first()).toContainText('驳回')
  // the message that offers it is gone with the reload; the decision itself can still be taken back
  await page.reload()
  await items(page).getByText(name, { exact: true }).first().click()
  await page.getByRole('article', { name, exact: true }).getByRole('button', { name: '撤销决定', exact: true }).click()
  await expect(page.getByText(nestQuotes(`已撤销决定，“${name}”重新待您审批`))).toBeVisible()
  await done(page)
})

test('of several decisions one is refused, and the others are taken back from where that is told', async ({
  browser,
  baseURL,
}) => {
  const client = await signIn(baseURL!, 'demo', 'reviewer', 'Demo-2026')
  const { records } = await client.send(approvalApi.supQueue, {})
  const ready = records.filter(
    ({ bizName, can }, at) => can.includes('pass') && records.findIndex((one) => one.bizName === bizName) === at,
  )
  const [first, second] = [ready[0]!, ready[1]!]
  const page = await signedIn(browser, 'reviewer')
  await open(page, '/checkAdmin/supplementCheck')
  const cases = shown(page.getByRole('list', { name: '补录审批' })).getByRole('listitem')
  const before = await cases.count()
  for (const { bizName } of [first, second])
    await page
      .getByRole('checkbox', { name: `选择${bizName}`, exact: true })
      .first()
      .check()
  // one of them is decided from another window meanwhile
  await client.send(approvalApi.supPass, { taskIds: [first.taskId] })
  await page.getByRole('toolbar', { name: '批量操作' }).getByRole('button', { name: '通过', exact: true }).click()
  await page.getByRole('dialog', { name: '通过' }).getByRole('button', { name: '通过', exact: true }).click()
  const result = page.getByRole('dialog', { name: '通过结果' })
  await expect(result).toContainText('成功 1 项，被拒绝 1 项')
  await expect(result.getByRole('listitem')).toContainText(first.bizName)
  await result.getByRole('button', { name: '撤销成功的 1 项' }).click()
  await expect(page.getByText(nestQuotes(`已撤销决定，“${second.bizName}”重新待您审批`))).toBeVisible()
  await client.send(approvalActionApi.takeBack, { taskIds: [first.taskId] })
  await page.reload()
  await expect(cases).toHaveCount(before)
  await done(page)
})

test('phrases follow the person to another browser; the queue is searched and sorted', async ({ browser, baseURL }) => {
  const page = await signedIn(browser, 'reviewer')
  await open(page, '/checkAdmin/informCheck')
  await expect(
    shown(page.getByRole('article')).getByRole('button', { name: '情况属实，同意发放。', exact: true }),
  ).toBeVisible()
  await shown(page.getByRole('button', { name: '更多筛选与排序' })).click()
  await shown(page.getByPlaceholder('发起人，回车确认')).fill('没有这个人')
  await page.keyboard.press('Enter')
  await expect(shown(page.getByText('没有符合条件的事项'))).toBeVisible()
  await shown(page.getByRole('button', { name: '清除筛选' })).click()
  await expect(
    shown(page.getByRole('list', { name: '质疑举报审批' }))
      .getByRole('listitem')
      .first(),
  ).toBeVisible()
  await page.getByRole('navigation', { name: '审批队列' }).getByRole('link', { name: /^补录/ }).click()
  await expect(shown(page.getByRole('heading', { level: 1, name: '补录审批' }))).toBeVisible()

  const client = await signIn(baseURL!, 'demo', 'reviewer', 'Demo-2026')
  const namesBy = async (sort: { sort?: 'bizName'; order?: 'asc' }) =>
    (await client.send(approvalApi.supQueue, sort)).records.map(({ bizName }) => bizName)
  const [byWaiting, byName] = [await namesBy({}), await namesBy({ sort: 'bizName', order: 'asc' })]
  expect(byName).not.toEqual(byWaiting)
  const names = shown(page.getByRole('list', { name: '补录审批' }))
    .getByRole('listitem')
    .locator('b')
  await expect(names).toHaveText(byWaiting)
  await expect(shown(page.getByText(/^待我审批 \d+ 项，按等待时间排序/))).toBeVisible()
  await shown(page.getByRole('button', { name: '更多筛选与排序' })).click()
  await choose(page, shown(page.getByRole('combobox', { name: '排序' })), '按名称')
  await expect(names).toHaveText(byName)
  await expect(shown(page.getByText(/^待我审批 \d+ 项，按名称排序/))).toBeVisible()
  // the same address gives the same order
  await page.reload()
  await expect(names).toHaveText(byName)
  await done(page)
})

test('who may only look on sees all that is under approval, opens one, and the list stays', async ({ browser }) => {
  const page = await signedIn(browser, 'auditor', { viewport: { width: 1366, height: 768 } })
  await open(page, '/checkAdmin/publishCheck')
  const list = shown(page.getByRole('list', { name: '发布审批' })).getByRole('listitem')
  await expect(list.first()).toBeVisible()
  await expect(shown(page.getByRole('button', { name: /^全部在审/ }))).toHaveAttribute('aria-pressed', 'true')
  const names = await list.locator('b').allTextContents()
  await expect(page).toHaveURL(/[?&]case=[0-9a-f-]{36}/)
  await settled(page)
  const addresses = new Set<string>()
  page.on('framenavigated', (frame) => addresses.add(frame.url()))
  await list.last().getByRole('button').click()
  const article = page.getByRole('article', { name: names.at(-1)!, exact: true })
  await expect(article).toBeVisible()
  await expect(article.getByRole('button', { name: /^(通过|驳回)/ })).toHaveCount(0)
  await settled(page)
  await expect(list.locator('b')).toHaveText(names)
  await page.waitForTimeout(500)
  expect([...addresses.add(page.url())], 'the address stands still').toHaveLength(1)
  await done(page)
})

test('somebody stands in for a while, and no longer when it is ended', async ({ browser }) => {
  const page = await signedIn(browser, 'college')
  await open(page, '/checkAdmin/publishCheck')
  await shown(page.getByRole('button', { name: '审批代理' })).click()
  await page.getByRole('button', { name: '委托他人代理' }).click()
  const form = page.getByRole('dialog', { name: '委托他人代理审批' })
  await form.getByRole('combobox', { name: '代理人' }).fill('周雅琴')
  await choose(page, form.getByRole('combobox', { name: '代理人' }), '周雅琴')
  await form.getByLabel('原因').fill('出差')
  await form.getByRole('button', { name: '确认委托' }).click()
  const row = page.getByRole('list', { name: '审批代理' }).getByRole('listitem')
  await expect(row).toContainText('陈志刚 委托 周雅琴')
  await expect(row).toContainText('代理中')
  await row.getByRole('button', { name: '结束' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: '结束代理' }).click()
  await expect(row).toContainText('已结束')
  await done(page)
})

test('an administrator sees all that is under approval, who holds it, and takes the list out', async ({ browser }) => {
  const page = await signedIn(browser, 'admin')
  await open(page, '/checkAdmin/publishCheck')
  await shown(page.getByRole('button', { name: /^全部在审/ })).click()
  const list = shown(page.getByRole('list', { name: '发布审批' }))
  const held = list.getByRole('listitem').filter({ hasText: '刘思敏处' }).first()
  await expect(held).toBeVisible()
  const name = (await held.locator('b').textContent())!
  await held.getByRole('button').click()
  const article = page.getByRole('article', { name, exact: true })
  await expect(article).toContainText('刘思敏')
  // it is somebody else's: there is nothing to decide
  await expect(article.getByRole('button', { name: '通过', exact: true })).toHaveCount(0)
  await shown(page.getByRole('button', { name: '更多筛选与排序' })).click()
  await shown(page.getByPlaceholder('在谁手里，回车确认')).fill('刘思敏')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('listitem').filter({ hasNotText: '刘思敏处' })).toHaveCount(0)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    shown(page.getByRole('button', { name: '导出', exact: true })).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^发布审批_.*\.xlsx$/)
  await done(page)
})

test('the result of a course says what of it is still being read, and asks for each part once', async ({
  browser,
  baseURL,
}) => {
  const { token } = await signIn(baseURL!, 'demo', 'admin', 'Demo-2026')
  const page = await newPage(browser, { token: token! })
  const asked: string[] = []
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname))
  const [sendSummary, sendPeople] = [
    await holdBack(page, lessonCaseApi.lessonResult),
    await holdBack(page, registrationApi.view),
  ]
  await open(page, (await addressOf('/checkAdmin/CourseResult', token!))!)
  const [summary, people] = [page.locator('.result-summary'), page.locator('.list-card')]
  const bones = '.ant-skeleton'
  await expect(summary.locator(bones)).toBeVisible()
  await expect(people).toHaveAttribute('aria-busy', 'true')
  await sendPeople()
  await expect(people).toHaveAttribute('aria-busy', 'false')
  await expect(summary.locator(bones)).toBeVisible()
  await sendSummary()
  await expect(summary.getByRole('table')).toBeVisible()
  await expect(summary.locator(bones)).toHaveCount(0)
  for (const { path } of [lessonCaseApi.lessonResult, registrationApi.view])
    expect(asked.filter((one) => one.endsWith(path))).toHaveLength(1)
  await done(page)
})
