import { expect, type Browser, type BrowserContext, type Page } from '@playwright/test'

/** Where the clock of the served program is moved (see serve.ts). */
const control = 'http://127.0.0.1:18201'

/** Moves the program's clock forward and returns its new time. Sessions older than half an hour end by it. */
export async function travel(seconds: number): Promise<string> {
  return (await fetch(`${control}/?seconds=${Math.round(seconds)}`, { method: 'POST' })).text()
}

/** A page that fails the journey on script errors, on console errors nobody expects and on any request that leaves the machine. */
export async function newPage(browser: Browser, options: { expectErrors?: RegExp; viewport?: { width: number; height: number } } = {}): Promise<Page> {
  const context = await browser.newContext({ locale: 'zh-CN', timezoneId: 'Asia/Shanghai', acceptDownloads: true, ...(options.viewport ? { viewport: options.viewport } : {}) })
  const page = await context.newPage()
  const faults = watch(context, page, options.expectErrors)
  page.once('close', () => expect(faults, 'errors of the page').toEqual([]))
  return page
}

function watch(context: BrowserContext, page: Page, expected?: RegExp): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text())
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (['http:', 'https:'].includes(protocol) && hostname !== '127.0.0.1') faults.push(`left the machine: ${request.url()}`)
  })
  return faults
}

/** Fills and sends the sign-in form. */
export async function fillLogin(page: Page, schoolId: string, username: string, password: string): Promise<void> {
  await page.getByLabel('学校代码').fill(schoolId)
  await page.getByLabel('账号').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

/** Signs in on a page of its own and waits for the home screen. */
export async function signedIn(browser: Browser, schoolId: string, username: string, password = 'Demo-2026', viewport?: { width: number; height: number }): Promise<Page> {
  const page = await newPage(browser, viewport ? { viewport } : {})
  await page.goto('/')
  await fillLogin(page, schoolId, username, password)
  await page.waitForURL('**/home')
  return page
}

/** Opens a screen by its address, as a bookmark would. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 }).filter({ visible: true }).first()).toBeVisible()
}
