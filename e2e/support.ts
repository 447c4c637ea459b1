import {
  expect,
  type Browser,
  type BrowserContext,
  type Locator,
  type Page,
  type Request,
  type Route,
} from '@playwright/test'
import { signIn } from '../server/testing/client.ts'
import { leapYearToCome } from '../server/testing/clock.ts'

/** Where the clock of the served program is moved (see serve.ts). */
const control = `http://127.0.0.1:${process.env['E2E_CONTROL_PORT'] ?? 18_201}`

/** Moves the program's clock forward and returns its new time. Sessions older than half an hour end by it. */
export async function travel(seconds: number): Promise<string> {
  return (await fetch(`${control}/?seconds=${Math.round(seconds)}`, { method: 'POST' })).text()
}

/** Moves the program's clock to a wall-clock moment. */
export async function travelTo(wall: string): Promise<void> {
  const now = await travel(0)
  await travel((Date.parse(`${wall.replace(' ', 'T')}Z`) - Date.parse(`${now.replace(' ', 'T')}Z`)) / 1000)
}

/** How far the program's clock is ahead of the machine's, in milliseconds. */
export const clockAhead = async (): Promise<number> =>
  Date.parse(`${(await travel(0)).replace(' ', 'T')}+08:00`) - Date.now()

/** Adds days to the day of a wall-clock moment: `yyyy-MM-dd`. */
export const dayAfter = (wall: string, days: number): string =>
  new Date(Date.parse(`${wall.slice(0, 10)}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** Where the served program answers. */
const address = `http://127.0.0.1:${process.env['E2E_PORT'] ?? 18_200}`

interface PageOptions {
  /** Console errors that belong to the journey, such as the browser's own line on a refused request. */
  expectErrors?: RegExp
  viewport?: { width: number; height: number }
  /** A phone's window, with fingers instead of a mouse. */
  isPhone?: boolean
  /**
   * Who is signed in from the beginning. The page stands at a small picture of the console: the journey opens the
   * screen that it wants, and need not wait for the first one.
   */
  token?: string
}

/**
 * A page whose clock is the program's, and that fails the journey on script errors, console errors and requests that
 * leave the machine.
 */
export async function newPage(
  browser: Browser,
  { expectErrors, viewport, isPhone, token }: PageOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    acceptDownloads: true,
    reducedMotion: 'reduce',
    ...(viewport ? { viewport } : {}),
    ...(isPhone ? { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } : {}),
  })
  await context.addInitScript(runAhead, await clockAhead())
  const page = await context.newPage()
  faultsOf.set(page, watch(context, page, expectErrors))
  openOn.set(page, countOpen(page))
  if (token) await comeBack(page, token)
  return page
}

/** Moves the clock of a page, and of every page of its browser from now on. */
export async function setClock(page: Page, moment: number): Promise<void> {
  const ahead = moment - Date.now()
  await page.context().addInitScript(runAhead, ahead)
  await page.evaluate(runAhead, ahead)
}

/**
 * Evaluated in a page: dates of now are so many milliseconds ahead of the machine's. Timers stay the browser's own,
 * which a clock of Playwright's would count by itself, at a cost to everything that waits.
 */
function runAhead(ahead: number): void {
  const page = globalThis as { machineDate?: DateConstructor }
  const machine = (page.machineDate ??= Date)
  globalThis.Date = new Proxy(machine, {
    apply: () => new machine(machine.now() + ahead).toString(),
    construct: (_, given: [], made) =>
      Reflect.construct(machine, given.length > 0 ? given : [machine.now() + ahead], made) as Date,
    get: (_, name) => (name === 'now' ? () => machine.now() + ahead : (Reflect.get(machine, name) as unknown)),
  })
}

/** Requests under way on a page; the stream of unread messages, which never ends, is none of them. */
const openOn = new WeakMap<Page, Set<Request>>()
function countOpen(page: Page): Set<Request> {
  const open = new Set<Request>()
  page.on('request', (request) => !request.url().includes('/informationInfo/stream') && open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return open
}

/** Waits until a page has asked for everything it wants and has it. */
export async function settled(page: Page): Promise<void> {
  const open = openOn.get(page)!
  const isQuiet = async () => {
    if (open.size > 0) return false
    await page.waitForTimeout(150)
    return open.size === 0
  }
  await expect.poll(isQuiet, { intervals: [25], timeout: 20_000 }).toBe(true)
}

/** Holds the answers of a call back from a page until they are let go, for good, by what is returned. */
export async function holdBack(page: Page, { path }: { path: string }): Promise<() => Promise<void>> {
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const calls = `**${path.replaceAll(/\{\w+\}/g, '*')}*`
  const hold = async (route: Route) => {
    await held
    // what is still held is let through by the end of the holding as well, whichever comes first
    await route.continue().catch(() => undefined)
  }
  await page.route(calls, hold)
  return async () => {
    letGo()
    await page.unroute(calls, hold)
  }
}

const faultsOf = new WeakMap<Page, string[]>()

/** Closes a page and tells what went wrong on it. */
export async function done(page: Page): Promise<void> {
  expect(faultsOf.get(page), 'errors of the page').toEqual([])
  await page.context().close()
}

function watch(context: BrowserContext, page: Page, expected?: RegExp): string[] {
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text())) faults.push(message.text())
  })
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url())
    if (['http:', 'https:'].includes(protocol) && hostname !== '127.0.0.1')
      faults.push(`left the machine: ${request.url()}`)
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

/**
 * A page of somebody's own on which they are signed in (`newPage` with their token). The form itself is walked through
 * by the journeys of the sign-in.
 */
export async function signedIn(
  browser: Browser,
  username: string,
  {
    schoolId = 'demo',
    password = 'Demo-2026',
    ...options
  }: PageOptions & { schoolId?: string; password?: string } = {},
): Promise<Page> {
  const { token } = await signIn(address, schoolId, username, password)
  return newPage(browser, { ...options, token: token! })
}

/** Puts into the browser's storage what the console finds there when somebody has signed in before. */
async function comeBack(page: Page, token: string): Promise<void> {
  await page.goto('/favicon.svg')
  await page.evaluate((content) => {
    const kept = { dataType: 'string', content, type: 'local', datetime: Date.now() }
    localStorage.setItem('accessToken', JSON.stringify(kept))
  }, token)
}

/** The year in which students of the demo school entered who are now so many years further than the freshmen. */
export const gradeOf = (years: number): string => String(leapYearToCome - years)

/** The name of the first class that entered a major in that year. */
export const classOf = (major: string, years: number): string => `${major}${gradeOf(years).slice(2)}01班`

/** The part of the page that is in sight: other tabs stay in the document. */
export const shown = (locator: Locator): Locator => locator.filter({ visible: true }).first()

/** Opens a screen by its address, as a bookmark would. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(shown(page.getByRole('heading', { level: 1 }))).toBeVisible()
}

/** Chooses an entry of a drop-down by its label. */
export async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await shown(
    page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
      .getByTitle(option, { exact: true })
      .or(
        page
          .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
          .filter({ hasText: option }),
      ),
  ).click()
}

/** Types a range of moments into a range picker. */
export async function fillRange(scope: Page | Locator, label: string, start: string, end: string): Promise<void> {
  const item = shown(scope.locator('.ant-form-item').filter({ hasText: label }))
  const [from, to] = [item.locator('input').first(), item.locator('input').nth(1)]
  await from.click()
  await from.fill(start)
  await from.press('Enter')
  await to.fill(end)
  await to.press('Enter')
}

/** Goes through the import wizard with a file, whatever the number of rows, and waits for its end. */
export async function importFile(page: Page, file: string, rows: number): Promise<void> {
  await page.getByLabel('选择文件').setInputFiles(file)
  await page.getByRole('button', { name: `导入 ${rows} 行` }).click()
  await expect(page.getByRole('heading', { name: `已导入 ${rows} 行` })).toBeVisible()
  await page.getByRole('button', { name: '完成', exact: true }).click()
}
