import { expect, test, type Browser, type Page } from '@playwright/test'
import { generateSync } from 'otplib'
import { fullPath } from '../contract/core/call.ts'
import { yesNo } from '../contract/core/codes/platform.ts'
import { studentStatus } from '../contract/core/codes/school.ts'
import { studentApi } from '../contract/school/people/students.calls.ts'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import { ownProfileApi } from '../contract/student/profile.calls.ts'
import { noticeApi } from '../contract/school/session/notice.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { schoolInfoApi } from '../contract/school/school/school-info.calls.ts'
import { demoAccounts } from '../server/demo/account-list.ts'
import { epochOf } from '../server/core/base/clock.ts'
import { signIn } from '../server/testing/client.ts'
import { givePassword } from './phone-actions.ts'
import { done, holdBack, newPage, travel } from './support.ts'

/**
 * A student's pages on a phone: what has to be agreed to first, a list that stays as it was left, the phone's own
 * calendar, no network, and a second factor.
 */
const username = 'secretary'
const password = 'Demo-2026'

/** Signs in by hand. */
async function enter(page: Page, name = username) {
  await page.goto('/m')
  await page.getByLabel('学校代码').fill('demo')
  await page.getByLabel('学号').fill(name)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
}

const onPhone = (browser: Browser, expectErrors?: RegExp) =>
  newPage(browser, { isPhone: true, ...(expectErrors && { expectErrors }) })

test('each student of the demo has a card that says what to try, and one tap signs in', async ({ browser }) => {
  const page = await onPhone(browser)
  await page.goto('/m')
  const cards = page.getByRole('region', { name: '演示登录' }).getByRole('button')
  const students = demoAccounts.filter((one) => one.page === 'phone')
  await expect(cards).toHaveText(students.map(({ role, purpose }) => `${role}${purpose}›`))
  await cards.filter({ hasText: '大一新生' }).tap()
  await expect(page.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  await page.getByRole('link', { name: '我的记录' }).tap()
  await page.getByRole('link', { name: '学时明细' }).tap()
  await expect(page.getByText('还没有入账的记录。')).toBeVisible()
  await done(page)
})

test('whoever has to agree to the notice does so on the phone, and nothing else works before', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', password)
  const { current } = await admin.send(noticeApi.history, {})
  await admin.send(noticeApi.publish, { version: current.version, content: `${current.content}\n给学生的补充。` })
  const page = await onPhone(browser)
  await enter(page)
  await expect(page.getByText('给学生的补充。')).toBeVisible()
  await page.getByRole('link', { name: '我的记录' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '隐私告知' })).toBeVisible()
  await page.getByRole('button', { name: '已阅读并同意' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  await done(page)
  // other journeys of this school go on without the question
  await admin.send(noticeApi.accept, { version: current.version + 1 })
  const { version } = await admin.send(schoolInfoApi.settings, {})
  await admin.send(schoolInfoApi.saveSettings, { version, values: { noticeAccept: '0' } })
})

test('the list stays as it was left, the calendar can be fetched, and without a network a page says so', async ({
  browser,
  baseURL,
}) => {
  const me = await signIn(baseURL!, 'demo', username, password)
  const { records } = await me.send(ownActivityApi.list, { pageSize: 50 })
  const { levelName, liName, liId } = records[0]!
  const page = await onPhone(browser, /ERR_INTERNET_DISCONNECTED|Failed to load/)
  await enter(page)
  await page.getByRole('button', { name: '全部' }).click()
  await page.getByRole('button', { name: '筛选' }).click()
  await page.getByLabel('级别').selectOption({ label: levelName })
  await page.getByRole('button', { name: '完成' }).click()
  await page.getByRole('link', { name: liName }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: liName })).toBeVisible()
  expect(page.url()).toContain(liId)
  await page.getByRole('button', { name: '返回' }).click()
  await expect(page.getByRole('button', { name: '筛选 1' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: '全部' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByRole('button', { name: '筛选 1' })).toBeVisible()

  await page.getByRole('link', { name: '日历' }).click()
  await expect(page.getByRole('button', { name: /没有活动|场活动/ }).first()).toBeVisible()
  await page.getByRole('link', { name: '订阅' }).click()
  await page.getByRole('button', { name: '生成订阅地址' }).click()
  const address = (await page.getByText(/\.ics$/).textContent())!
  expect(await (await fetch(baseURL! + new URL(address).pathname)).text()).toContain('BEGIN:VCALENDAR')
  await page.getByRole('button', { name: '停用' }).click()
  // one tap alone takes nothing away
  await page.getByRole('button', { name: '返回', exact: true }).last().click()
  expect((await fetch(baseURL! + new URL(address).pathname)).status).toBe(200)
  await page.getByRole('button', { name: '停用' }).click()
  await page.getByRole('group', { name: '停用' }).getByRole('button', { name: '确认' }).click()
  await expect(page.getByRole('button', { name: '生成订阅地址' })).toBeVisible()
  expect((await fetch(baseURL! + new URL(address).pathname)).status).toBe(404)

  // the files of the pages are kept, and nothing that a call answered
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const kept = () =>
    page.evaluate(async () => {
      const names = await caches.keys()
      const found = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
      return found.flat().map(({ url }) => new URL(url).pathname)
    })
  await expect.poll(async () => (await kept()).includes('/m/index.html')).toBe(true)
  expect((await kept()).filter((path) => path.startsWith('/api'))).toEqual([])
  await page.context().setOffline(true)
  await page.goto('/m/calendar?span=week')
  await expect(page.getByRole('heading', { level: 1, name: '没有连上学校的服务' })).toBeVisible()
  // the page says it all: a message comes only to whoever tries again
  await expect(page.getByText('请求超时，请重试')).toHaveCount(0)
  await page.getByRole('button', { name: '重试' }).click()
  await expect(page.getByText('请求超时，请重试')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: '日历' })).toBeVisible()
  expect(page.url()).toContain('span=week')
  await done(page)
})

test('a student sets up a second factor on the phone and signs in with it', async ({ browser }) => {
  const page = await onPhone(browser, /status of 40/)
  await enter(page)
  await page.getByRole('link', { name: '我', exact: true }).click()
  await page.getByRole('link', { name: '动态口令' }).click()
  await page.getByRole('button', { name: '启用动态口令' }).click()
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '下一步' }).click()
  const secret = (await page.getByLabel('密钥', { exact: true }).textContent())!.trim()
  const code = async () => generateSync({ secret, epoch: epochOf(await travel(31)) / 1000 })
  await page.getByLabel('动态口令').fill(await code())
  await page.getByRole('button', { name: '启用', exact: true }).click()
  await page.getByLabel('我已妥善保存').check()
  await page.getByRole('button', { name: '完成' }).click()
  await expect(page.getByText('还剩 10 个')).toBeVisible()
  await page.getByRole('link', { name: '我', exact: true }).click()
  await page.getByRole('button', { name: '退出登录' }).click()
  await enter(page)
  await page.getByLabel('动态口令').fill(await code())
  await page.getByRole('button', { name: '登录' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '活动' })).toBeVisible()
  await page.goto('/m/me/second-factor')
  await page.getByRole('button', { name: '关闭', exact: true }).click()
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('动态口令').fill(await code())
  await page.getByRole('button', { name: '关闭动态口令' }).click()
  await expect(page.getByText('未启用')).toBeVisible()
  await done(page)
})

test('a graduate is told that the account reads, is offered nothing that is refused, and opens the transcript', async ({
  browser,
  baseURL,
}) => {
  const admin = await signIn(baseURL!, 'demo', 'admin', password)
  const secretary = await signIn(baseURL!, 'demo', username, password)
  // of another class than the one that other journeys work with, who signs in by their number
  const classmates = new Set((await secretary.send(studentApi.list, { pageSize: 50 })).records.map(({ suId }) => suId))
  const all = await admin.send(studentApi.list, {
    suiStatus: studentStatus.enrolled,
    activated: yesNo.no,
    pageSize: 100,
  })
  const student = all.records.find((one) => !classmates.has(one.suId))!
  const { suId, suiNumber } = student
  await givePassword(baseURL, student, password)
  const me = await signIn(baseURL!, 'demo', suiNumber, password)
  const { records } = await me.send(ownActivityApi.list, { open: '1', pageSize: 50 })
  const { liId } = records.find(({ laStatus }) => laStatus === null)!
  // an edit without the console's preferences leaves alone what it does not name
  const say = async (suiStatus: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ suId, suiStatus })
    return (await fetch(`${baseURL}${fullPath(studentApi.save)}`, { method: 'POST', headers, body })).json()
  }
  expect(await say(studentStatus.graduated)).toMatchObject({ code: 200 })
  try {
    const page = await onPhone(browser)
    await enter(page, suiNumber)
    await expect(page.getByRole('heading', { level: 1, name: '我的记录' })).toBeVisible()
    await expect(page.getByRole('note')).toHaveText('已毕业，账号只读：可以查看记录、申请和下载成绩单与证书')
    await page.goto(`/m/activities/${liId}`)
    await expect(page.locator('.s-verdict')).toContainText('已毕业')
    await expect(page.getByRole('button', { name: /报名/ })).toHaveCount(0)
    await page.goto('/m/supplements')
    await expect(page.getByRole('heading', { level: 1, name: '我的补录' })).toBeVisible()
    await expect(page.getByRole('link', { name: '新增补录' })).toHaveCount(0)
    await page.goto('/m/supplements/new')
    await page.getByRole('link', { name: '成绩单' }).click()
    await expect(page.getByRole('heading', { name: /的第二课堂成绩单/ })).toBeVisible()
    // what the school keeps about them comes later than the rest of the page, and moves nothing of it
    const letGo = await holdBack(page, ownProfileApi.read)
    await page.goto('/m/me')
    const facts = page.locator('.s-facts')
    await expect(facts.getByText('…')).toHaveCount(3)
    const { height } = (await facts.boundingBox())!
    await letGo()
    await expect(facts).toContainText(suiNumber)
    expect((await facts.boundingBox())!.height).toBe(height)
    await done(page)
  } finally {
    expect(await say(studentStatus.enrolled)).toMatchObject({ code: 200 })
  }
})

test('whoever opens a page while the service restarts stays signed in, and comes to it by themselves', async ({
  browser,
  baseURL,
}) => {
  const { token } = await signIn(baseURL!, 'demo', 'student', password)
  const page = await newPage(browser, { isPhone: true, token: token!, expectErrors: /status of 503/ })
  const away = `**${fullPath(sessionApi.menuTree)}*`
  await page.route(away, (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/m/calendar?span=week')
  await expect(page.getByRole('heading', { level: 1, name: '没有连上学校的服务' })).toBeVisible()
  await page.unroute(away)
  await expect(page.getByRole('heading', { level: 1, name: '日历' })).toBeVisible()
  expect(page.url()).toContain('span=week')
  await done(page)
})
