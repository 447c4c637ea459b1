import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { pages } from '../web/app/page-loaders.ts'
import { addressOf, moreAddresses } from './records.ts'
import { done, open, settled, shown, signedIn } from './support.ts'

const phone = { width: 390, height: 844 }
const desk = { width: 1440, height: 900 }
const laptop = { width: 1366, height: 768 }
/**
 * How axe looks at a screen: in one of these ways, each screen in the next one. What is wrong in the dark or on a phone
 * is wrong with a colour or a part, which many screens show.
 */
const looks = [
  { size: desk, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark' },
  { size: desk, colorScheme: 'dark' },
  { size: phone, colorScheme: 'light' },
] as const
/** The program that looks for what not everybody can use; to be evaluated in a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Visits every screen that somebody may open: each opens under its title, fits a window, asks for nothing it may not
 * have, and can be used by all. Whoever may open all of them looks through every window that people have, and axe with
 * them in one of them, light or dark; others see the same screens with less on them, for which the narrowest window is
 * enough.
 */
export function visitAs(username: string): void {
  test(`${username} opens every screen they may`, async ({ browser }) => {
    test.setTimeout(400_000)
    const seesAll = username === 'admin'
    const page = await signedIn(browser, username)
    await open(page, '/home')
    const { token, screens } = await menuOf(page)
    const failed: string[] = []
    page.on('response', (response) => response.status() >= 400 && failed.push(`${response.status()} ${response.url()}`))
    if (seesAll) await page.evaluate(axe)
    expect(
      screens.filter(({ path }) => !(path in pages)),
      'screens of the menu that nothing is shown for',
    ).toEqual([])
    const unvisited: string[] = []
    let sizes = seesAll ? [desk, laptop, phone] : [phone]
    let turn = 0
    const look = async (address: string) => {
      const { size: axeSize, colorScheme } = looks[turn++ % looks.length]!
      if (seesAll) await page.emulateMedia({ colorScheme })
      for (const size of sizes) {
        await page.setViewportSize(size)
        expect.soft(await beyond(page), `${address} is wider than a window of ${size.width}`).toBeLessThanOrEqual(0)
        expect.soft(await cutChips(page), `${address} cuts a status off in a window of ${size.width}`).toEqual([])
        if (seesAll && size === axeSize)
          expect.soft(await violations(page), `${address}, ${size.width}, ${colorScheme}`).toEqual([])
        if (seesAll && size !== desk) continue
        expect.soft(await unlikeOthers(page), `${address} has controls of another size`).toEqual([])
        expect.soft(await unlisted(page), `${address} has buttons that its list of rights lacks`).toEqual([])
        expect.soft(await beyondKeyboard(page), `${address} has what only a mouse can press`).toEqual([])
      }
      // the next screen is opened in the window that this one is left in: a screen drawn anew for a phone or a desk
      // costs more than all that is looked for
      sizes = sizes.toReversed()
    }
    for (const { path, title, hidden } of screens) {
      const address = await addressOf(path, token)
      if (!address) {
        unvisited.push(path)
        continue
      }
      await goTo(page, address, hidden ? undefined : title)
      await closeLast(page)
      await look(address)
    }
    const more = await moreAddresses(
      token,
      screens.map(({ path }) => path),
    )
    for (const address of more) {
      await goTo(page, address)
      await closeLast(page)
      await look(address)
    }
    // the demonstration has a course for teams
    if (seesAll) expect(more).toHaveLength(3)
    expect(failed).toEqual([])
    // others may open a screen of one record and have no record to see; the demonstration has one of each for who sees
    // all
    if (seesAll) expect(unvisited).toEqual([])
    await done(page)
  })
}

/** The menu of whoever is signed in, hidden screens included, and their token. */
async function menuOf(
  page: Page,
): Promise<{ token: string; screens: { path: string; title: string; hidden: boolean }[] }> {
  return page.evaluate(async () => {
    const { content: token } = JSON.parse(localStorage.getItem('accessToken') ?? '{}') as { content: string }
    const response = await fetch('/api/schoolbase/UserLoad/MenuTree', { headers: { authorization: `Bearer ${token}` } })
    const { data } = (await response.json()) as {
      data: { pages: { path: string; title: string; hidden: boolean }[] }[]
    }
    return { token, screens: data.flatMap((group) => group.pages) }
  })
}

/** Goes to an address within the running console, as its own links do, and waits for the screen of that title. */
export async function goTo(page: Page, address: string, title?: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, address)
  // the former screen stands until the bones of the next one do; students' pages have no bar of tabs
  const tab = tabs(page).locator('a[aria-current=page]')
  const { pathname } = new URL(address, page.url())
  const isThere = async () =>
    (await tabs(page).count()) === 0 || (await tab.getAttribute('href'))?.split('?')[0] === pathname
  await expect.poll(isThere, address).toBe(true)
  if (title) await expect.soft(page, address).toHaveTitle(new RegExp(`^${title}`))
  await expect(shown(page.getByRole('heading', { level: 1 }))).toBeVisible()
  await settled(page)
}

/** The bar of opened screens, which a phone has as well but does not show. */
const tabs = (page: Page): Locator => page.getByRole('navigation', { name: '已打开的页签', includeHidden: true })

/**
 * Closes the tab between home and the one in front, so that the document holds no more than a person's would: on a
 * phone too, where the bar is hidden and every screen ever opened would stay.
 */
async function closeLast(page: Page): Promise<void> {
  const closes = tabs(page).getByRole('button', { name: /^关闭/, includeHidden: true })
  // without waiting for the tab to stand still: that the mouse can hit it is for other journeys to see
  if ((await closes.count()) > 2) await closes.nth(1).dispatchEvent('click')
}

/** By how many pixels the page is wider than its window, once it is laid out anew. */
export const beyond = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    return document.documentElement.scrollWidth - document.documentElement.clientWidth
  })

/** The words of statuses that stand only in part within what shows them, where one cannot scroll to the rest. */
const cutChips = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isCut = (chip: Element): boolean => {
      const { left, right } = chip.getBoundingClientRect()
      for (let around = chip.parentElement; around; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around)
        if (overflowX === 'auto' || overflowX === 'scroll') return false
        const box = around.getBoundingClientRect()
        if (overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1)) return true
      }
      return false
    }
    return [...document.querySelectorAll('.chip')]
      .filter((chip) => chip.checkVisibility() && isCut(chip))
      .map(({ textContent }) => textContent)
  })

/** Controls of filters and forms in one line that are not as high, or not written as large, as all others are. */
const unlikeOthers = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.filters .ant-select, .filters .ant-picker, form .ant-select, form .ant-picker')]
      .filter((one) => one.checkVisibility() && !one.matches('.ant-select-multiple, .ant-select-sm, .ant-picker-small'))
      .map((one) => ({ look: getComputedStyle(one), name: one.className }))
      .filter(({ look }) => look.fontSize !== '14px' || Math.abs(parseFloat(look.height) - 34) > 1)
      .map(({ look, name }) => `${look.fontSize} ${look.height} ${name}`),
  )

/** The rights of buttons that the page's list in session storage does not hold. */
const unlisted = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { content } = JSON.parse(sessionStorage.getItem('elements') ?? '{}') as { content?: { list: string[] } }
    return [...document.querySelectorAll('[authority-type]')]
      .filter((one) => one.checkVisibility())
      .map((one) => one.getAttribute('authority-type')!)
      .filter((right) => !content?.list.includes(right))
  })

/** What looks as if it could be pressed, but has no way to it for the keyboard. */
const beyondKeyboard = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const reached = 'a[href], button, input, select, textarea, summary, label, [tabindex], [contenteditable="true"]'
    const isPointed = (one: Element | null) => one !== null && getComputedStyle(one).cursor === 'pointer'
    return [...document.querySelectorAll('body *')]
      .filter((one) => one.checkVisibility() && isPointed(one) && !isPointed(one.parentElement))
      .filter((one) => !one.closest(reached) && !one.querySelector(reached))
      .map(({ outerHTML }) => outerHTML.slice(0, 160))
  })

/**
 * What axe calls serious or critical on the page, with the first place of each and what is wrong there. What is gone at
 * a second look was on its way to something else, and nobody has read it.
 */
export async function violations(page: Page): Promise<string[]> {
  if ((await faultsOf(page)).length === 0) return []
  await page.waitForTimeout(500)
  return faultsOf(page)
}

const faultsOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    type Result = { id: string; impact: string; nodes: { html: string; any: { message: string }[] }[] }
    type Axe = {
      run: (options: object) => Promise<{ violations: Result[] }>
      _audit: { rules: { id: string; impact?: string }[] }
    }
    const { axe } = window as unknown as { axe: Axe }
    // what weighs less is not asked for in the first place: it would be passed over below
    const light = axe._audit.rules.filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    const options = {
      resultTypes: ['violations'],
      // the first place is told by its markup
      selectors: false,
      rules: Object.fromEntries(light.map(({ id }) => [id, { enabled: false }])),
    }
    const { violations: found } = await axe.run(options)
    return found
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes: [first] }) => `${id}: ${first!.html.slice(0, 160)} ${first!.any[0]?.message ?? ''}`)
  })
