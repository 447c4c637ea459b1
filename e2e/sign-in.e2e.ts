import { expect, test, type Locator, type Page } from '@playwright/test'
import { demoApi } from '../contract/school/session/demo.calls.ts'
import { demoAccounts } from '../server/demo/account-list.ts'
import { done, fillLogin, holdBack, newPage, open, settled, signedIn, travel } from './support.ts'

const expired = '登录凭证已过期，请重新登录'
const inner = '/courseManagement/CurriculumList?liName=%E7%AF%AE%E7%90%83&current=1'
const signInButton = (page: Page) => page.getByRole('button', { name: '登录', exact: true })
const cards = (page: Page) => page.getByRole('region', { name: '演示登录' }).getByRole('button')

/**
 * Counts how often a message appears above the page, also across reloads. To be asked for before the page is opened.
 */
async function countNotices(page: Page): Promise<() => Promise<string[]>> {
  const notices: string[] = []
  await page.exposeFunction('noteNotice', (text: string) => notices.push(text))
  await page.addInitScript(() => {
    const note = (window as unknown as { noteNotice: (text: string) => void }).noteNotice
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          for (const notice of node instanceof HTMLElement ? [node, ...node.querySelectorAll('.notice')] : [])
            if (notice.matches('.notice')) note(notice.querySelector('span')?.textContent ?? '')
    }).observe(document, { childList: true, subtree: true })
  })
  return async () => {
    await settled(page)
    return notices
  }
}

/** Where the page stands, path and query. */
const whereIs = (page: Page): string => page.url().slice(new URL(page.url()).origin.length)

/** A page with somebody signed in, whose messages are counted. */
async function counted(page: Page, username: string) {
  const notices = await countNotices(page)
  await page.goto('/')
  await fillLogin(page, 'demo', username, 'Demo-2026')
  await page.waitForURL('**/home')
  await settled(page)
  return notices
}

test('each card of the demo signs in with one click and lands on the first screen', async ({ browser }) => {
  for (const { username, role, purpose, page: where } of demoAccounts) {
    const page = await newPage(browser)
    await page.goto('/')
    await expect(page.getByLabel('学校代码')).toHaveValue('demo')
    await expect(cards(page)).toHaveCount(demoAccounts.length)
    await cards(page).filter({ hasText: role }).filter({ hasText: purpose }).click()
    await page.waitForURL(where === 'phone' ? '**/m/activities' : '**/home')
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    const user = await page.evaluate(
      () => JSON.parse(localStorage.getItem('user')!) as { content: { username: string } },
    )
    expect(user.content.username).toBe(username)
    await settled(page)
    await done(page)
  }
})

test('the cards stand beside the form, on a phone below it, and nothing covers anything', async ({ browser }) => {
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [900, 700],
    [390, 844],
  ] as const) {
    const page = await newPage(browser, { viewport: { width, height } })
    await page.goto('/')
    await expect(cards(page)).toHaveCount(demoAccounts.length)
    const boxOf = async (locator: Locator) => (await locator.boundingBox())!
    const form = await boxOf(page.locator('form'))
    const brand = await page.locator('.public-brand').boundingBox()
    const boxes = await Promise.all((await cards(page).all()).map(boxOf))
    for (const [at, box] of boxes.entries()) {
      expect(box.x).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width).toBeLessThanOrEqual(brand?.width ?? width)
      if (brand) expect(box.x + box.width, `at ${width}`).toBeLessThan(form.x)
      else expect(box.y).toBeGreaterThan(form.y + form.height)
      const name = brand && (await boxOf(page.locator('.public-name')))
      if (name) expect(box.y + box.height, `at ${width}`).toBeLessThan(name.y)
      for (const other of boxes.slice(at + 1))
        expect(other.x >= box.x + box.width || other.y >= box.y + box.height, `at ${width}`).toBe(true)
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await done(page)
  }
})

test('a card is reached and pressed by the keyboard, after the form, and leads to where one wanted to go', async ({
  browser,
}) => {
  const page = await newPage(browser)
  await page.goto(inner)
  await expect(cards(page).first()).toBeEnabled()
  await signInButton(page).focus()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: /^校级管理员/ })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**${inner}`)
  await done(page)
})

test('a card whose account has another password by now says so, and leaves only the password to type', async ({
  browser,
}) => {
  const page = await newPage(browser, { expectErrors: /401|400/ })
  await page.route(`**${demoApi.accounts.path}*`, async (route) => {
    const answer = (await (await route.fetch()).json()) as { data: { password: string }[] }
    for (const account of answer.data) account.password = 'Changed-2026'
    await route.fulfill({ json: answer })
  })
  await page.goto('/')
  await cards(page).filter({ hasText: '督查' }).click()
  await expect(page.getByRole('alert')).toContainText('账号或密码错误')
  await expect(page.getByLabel('账号', { exact: true })).toHaveValue('auditor')
  await expect(page.getByLabel('密码', { exact: true })).toBeFocused()
  await page.getByLabel('密码', { exact: true }).fill('Demo-2026')
  await signInButton(page).click()
  await page.waitForURL('**/home')
  await done(page)
})

test('the school that is suggested never stands before the one that is being typed', async ({ browser }) => {
  const page = await newPage(browser)
  const letGo = await holdBack(page, demoApi.accounts)
  await page.goto('/')
  const school = page.getByLabel('学校代码')
  await school.focus()
  await letGo()
  await expect(cards(page).first()).toBeVisible()
  await page.keyboard.type('demo2')
  await expect(school).toHaveValue('demo2')
  await done(page)
})

test('the sign-in page comes without the program behind it, which is fetched once somebody types', async ({
  browser,
}) => {
  const page = await newPage(browser)
  const scripts: string[] = []
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()))
  await page.goto('/')
  await expect(signInButton(page)).toBeVisible()
  await settled(page)
  const behind = () => scripts.filter((url) => /\/assets\/(kit|controls|records|shell)-/.test(url))
  expect(behind()).toEqual([])
  await page.getByLabel('账号').fill('admin')
  await expect.poll(() => behind().length).toBeGreaterThan(0)
  await done(page)
})

test('nobody is told of an expired credential who opens the sign-in page', async ({ browser }) => {
  const page = await newPage(browser)
  const notices = await countNotices(page)
  await page.goto('/')
  await expect(signInButton(page)).toBeVisible()
  expect(await notices()).toEqual([])
  await done(page)
})

test('an inner address without a credential tells once, and leads on to itself with its query', async ({ browser }) => {
  const page = await newPage(browser)
  const notices = await countNotices(page)
  await page.goto(inner)
  await expect(page.getByText(expired)).toBeVisible()
  await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
  await page.waitForURL(`**${inner}`)
  expect(await notices()).toEqual([expired])
  await done(page)
})

test('a credential that ran out while the console was closed is told of once, at an inner address and at the root', async ({
  browser,
}) => {
  for (const [address, target] of [
    [inner, inner],
    ['/', '/home'],
  ] as const) {
    const page = await newPage(browser, { expectErrors: /401/ })
    const notices = await counted(page, 'teacher')
    await page.goto('about:blank')
    await travel(40 * 60)
    await page.goto(address)
    await expect(signInButton(page)).toBeVisible()
    await expect(page.getByText(expired)).toBeVisible()
    await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
    await page.waitForURL(`**${target}`)
    expect(await notices()).toEqual([expired])
    await done(page)
  }
})

test('whoever is asked for their password over the screen and goes to the sign-in page is not told again', async ({
  browser,
}) => {
  const page = await newPage(browser, { expectErrors: /401/ })
  const notices = await counted(page, 'teacher')
  await open(page, inner)
  await settled(page)
  await travel(40 * 60)
  await page.getByRole('button', { name: '刷新' }).click()
  await expect(page.getByRole('dialog', { name: expired })).toBeVisible()
  await page.getByRole('button', { name: '去登录页' }).click()
  await expect(signInButton(page)).toBeVisible()
  expect(await notices()).toEqual([])
  await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
  await page.waitForURL(`**${inner}`)
  await done(page)
})

test('who signs out themselves is told nothing, even if their credential had run out, and comes to the first screen', async ({
  browser,
}) => {
  for (const isLate of [false, true]) {
    const page = await newPage(browser, { expectErrors: /401/ })
    const notices = await counted(page, 'teacher')
    await open(page, inner)
    await settled(page)
    if (isLate) await travel(40 * 60)
    await page.getByRole('button', { name: /王老师/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await expect(signInButton(page)).toBeEnabled()
    expect(whereIs(page)).toBe('/')
    expect(await notices()).toEqual([])
    await page.reload()
    await expect(signInButton(page)).toBeVisible()
    expect(await notices()).toEqual([])
    await fillLogin(page, 'demo', 'teacher', 'Demo-2026')
    await page.waitForURL('**/home')
    await done(page)
  }
})

test('where one wanted to go is never another machine', async ({ browser }) => {
  for (const address of ['//evil.example/x', '/a/..//evil.example/x', '/\\evil.example', 'https://evil.example']) {
    const page = await newPage(browser)
    await page.goto(`/?from=${encodeURIComponent(address)}`)
    await fillLogin(page, 'demo', 'viewer', 'Demo-2026')
    await page.waitForURL('**/home')
    await settled(page)
    await done(page)
  }
})

test('two windows that wait for a sign-in go on together, each to its own address', async ({ browser }) => {
  const first = await newPage(browser)
  const second = await first.context().newPage()
  await first.goto(inner)
  await second.goto('/personalCenter/account')
  await expect(signInButton(second)).toBeVisible()
  await fillLogin(first, 'demo', 'teacher', 'Demo-2026')
  await first.waitForURL(`**${inner}`)
  await second.waitForURL('**/personalCenter/account')
  await done(first)
})

test('signed out in one window, the other asks once, and keeps its screen', async ({ browser }) => {
  const first = await newPage(browser, { expectErrors: /401/ })
  const notices = await counted(first, 'teacher')
  await open(first, inner)
  const second = await first.context().newPage()
  await open(second, '/home')
  await second.getByRole('button', { name: /王老师/ }).click()
  await second.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(signInButton(second)).toBeEnabled()
  await first.getByRole('button', { name: '刷新' }).click()
  const dialog = first.getByRole('dialog', { name: expired })
  await expect(dialog).toBeVisible()
  await dialog.getByLabel(/的密码/).fill('Demo-2026')
  await dialog.getByRole('button', { name: '继续' }).click()
  await expect(dialog).toBeHidden()
  expect(whereIs(first)).toBe(inner)
  expect(await notices()).toEqual([])
  await done(first)
})

test('somebody else signed in beside it: the window shows what is theirs', async ({ browser }) => {
  const first = await signedIn(browser, 'teacher')
  await open(first, '/home')
  await expect(first.getByRole('button', { name: /王老师/ })).toBeVisible()
  const second = await first.context().newPage()
  await open(second, '/home')
  await second.getByRole('button', { name: /王老师/ }).click()
  await second.getByRole('menuitem', { name: '退出登录' }).click()
  await expect(signInButton(second)).toBeEnabled()
  await cards(second).filter({ hasText: '校领导' }).click()
  await second.waitForURL('**/home')
  await expect(first.getByRole('button', { name: /吴卫东/ })).toBeVisible()
  await done(first)
})
