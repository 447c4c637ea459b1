import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { ownActivityApi } from '../contract/student/activities.calls.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { Client } from '../server/testing/client.ts'
import { openBrowser, sessionAt } from './browser.ts'
import { median } from './load.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

/** Bar: milliseconds from opening the address until the page has its content and answers the finger. */
const bar = 2000
const rounds = 5
/** A phone of some years ago on a weak network: its processor, bits a second, and milliseconds there and back. */
const phone = { slower: 4, down: 1_600_000, up: 750_000, latency: 150 }

/**
 * How long the students' first pages take on a slow phone with nothing kept of them: the sign-in page until it takes
 * input, the list until its activities stand, an activity until its facts do.
 */
export async function students({ owner }: OpenServices): Promise<Part> {
  const part: Part = {
    title: `Students' pages with nothing kept, ${phone.slower}x slower CPU, 1.6 Mbit/s, ${phone.latency} ms, milliseconds (median of ${rounds})`,
    rows: [],
    missed: [],
  }
  const service = await startServer('service.ts', JSON.stringify(owner))
  const browser = await openBrowser()
  try {
    const { token, storageState } = await sessionAt(service.address, 'student')
    const { records } = await new Client(service.address, token).send(ownActivityApi.list, { pageSize: 1 })
    const pages = [
      { page: 'sign-in', path: '/m/login', awaited: 'form button[type=submit]', state: undefined },
      { page: 'list of activities', path: '/m/activities', awaited: '.s-list a', state: storageState },
      { page: 'activity', path: `/m/activities/${records[0]!.liId}`, awaited: '.s-facts', state: storageState },
    ]
    const took = new Map(pages.map(({ page }) => [page, [] as number[]]))
    // one after the other in each round, so that what else the machine does falls on all of them; the first round is
    // that of a service that has only just started
    for (let round = 0; round <= rounds; round++) {
      for (const { page, path, awaited, state } of pages) {
        const usable = await opening(browser, state && { storageState: state }, service.address + path, awaited)
        if (round > 0) took.get(page)!.push(usable)
      }
    }
    for (const [page, all] of took) {
      part.rows.push({
        page,
        'usable ms': rounded(median(all)),
        'longest ms': rounded(Math.max(...all)),
        'bar ms': bar,
      })
      if (median(all) > bar) part.missed.push(`${page}: ${rounded(median(all))} ms, ${bar} allowed`)
    }
    return part
  } finally {
    await browser.close()
    await service.stop()
  }
}

/** Opens an address on a phone of its own and waits until what is awaited stands and the page answers. */
async function opening(
  browser: Browser,
  options: BrowserContextOptions | undefined,
  address: string,
  awaited: string,
): Promise<number> {
  const context = await browser.newContext({
    locale: 'zh-CN',
    reducedMotion: 'reduce',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    ...options,
  })
  try {
    await context.addInitScript(`window.awaited = ${JSON.stringify(awaited)}`)
    await context.addInitScript({ path: join(import.meta.dirname, 'watch-page.js') })
    const page = await context.newPage()
    const devTools = await context.newCDPSession(page)
    await devTools.send('Network.enable')
    await devTools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: phone.latency,
      downloadThroughput: phone.down / 8,
      uploadThroughput: phone.up / 8,
    })
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: phone.slower })
    await page.goto(address)
    await page.locator(awaited).first().waitFor()
    for (let usable = 0; ;) {
      usable = await page.evaluate<number>('window.seen.usable')
      if (usable > 0) return usable
      await sleep(50)
    }
  } finally {
    await context.close()
  }
}
