import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { screens } from '../contract/screens.ts'
import { systemClock } from '../server/core/base/clock.ts'
import type { OpenServices } from '../server/setup/open-services.ts'
import { refreshSchool } from '../server/outcomes/statistics/refresh.service.ts'
import { openBrowser, signedInAt } from './browser.ts'
import { median } from './load.ts'
import { benchSchool } from './prepare.ts'
import { startServer } from './processes.ts'
import { rounded, type Part } from './report.ts'

/** Bar: milliseconds from opening the address until the screen is drawn and answers its user. */
const bar = 1500
const rounds = 3

/**
 * How long the first screen and those of the statistics take until they can be used (the heading stands, filters take
 * input, and the work that drew them is over), and until nothing changes on them any more, all figures there: in a
 * browser that has nothing of ours but the session and wants no motion (charts take a fifth of a second to grow),
 * asking a service that keeps no answer of what they ask.
 */
export async function dashboards({ services, owner }: OpenServices): Promise<Part> {
  const part: Part = {
    title: `Dashboards with nothing kept, milliseconds from the address (median of ${rounds})`,
    rows: [],
    missed: [],
  }
  const wanted = screens.filter(
    (one) => !('hidden' in one) && (one.path === '/home' || one.path.startsWith('/StatisticsAdmin/')),
  )
  const took = new Map(
    wanted.map(({ path }) => [path, { usable: [] as number[], complete: [] as number[], asked: [] as number[] }]),
  )
  await refreshSchool({ db: services.db, clock: systemClock }, benchSchool)
  const browser = await openBrowser()
  const service = await startServer('service.ts', JSON.stringify(owner))
  try {
    const storageState = await signedInAt(
      await (await browser.newContext({ locale: 'zh-CN' })).newPage(),
      service.address,
    )
    for (let round = 0; round <= rounds; round++) {
      // what is kept of the answers goes by this number
      await services.db
        .updateTable('statState')
        .set((eb) => ({ statVersion: eb('statVersion', '+', 1) }))
        .where('schoolId', '=', benchSchool)
        .execute()
      for (const { path } of wanted) {
        const { usable, complete, asked } = await opening(
          browser,
          { locale: 'zh-CN', storageState, reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } },
          service.address + path,
        )
        // the first round is that of a service that has only just started
        if (round === 0) continue
        took.get(path)!.usable.push(usable)
        took.get(path)!.complete.push(complete)
        took.get(path)!.asked.push(asked)
      }
    }
  } finally {
    await service.stop()
    await browser.close()
  }
  for (const { path, title } of wanted) {
    const { usable, complete, asked } = took.get(path)!
    part.rows.push({
      screen: title,
      requests: median(asked),
      'usable ms': rounded(median(usable)),
      'longest ms': rounded(Math.max(...usable)),
      'bar ms': bar,
      'complete ms': rounded(median(complete)),
    })
    if (median(usable) > bar) part.missed.push(`${title}: ${rounded(median(usable))} ms, ${bar} allowed`)
  }
  return part
}

/** What the page notes of itself (`watch-page.js`), in milliseconds since its address was opened. */
interface Seen {
  lastChange: number
  usable: number
}

/** Opens an address in a browser of its own, until half a second passes without a request or a change. */
async function opening(
  browser: Browser,
  options: BrowserContextOptions,
  address: string,
): Promise<{ usable: number; complete: number; asked: number }> {
  const context = await browser.newContext(options)
  try {
    const page = await context.newPage()
    const open = new Set<unknown>()
    let asked = 0
    // the stream of unread messages never ends
    page.on(
      'request',
      (request) => void (request.url().includes('/informationInfo/stream') || (open.add(request), asked++)),
    )
    page.on('requestfinished', (request) => void open.delete(request))
    page.on('requestfailed', (request) => void open.delete(request))
    await page.addInitScript({ path: join(import.meta.dirname, 'watch-page.js') })
    await page.goto(address)
    for (;;) {
      await page.waitForTimeout(100)
      const { lastChange, usable, now } = await page.evaluate<Seen & { now: number }>(
        '({ ...window.seen, now: performance.now() })',
      )
      if (open.size === 0 && usable > 0 && now - lastChange > 500) return { usable, complete: lastChange, asked }
      if (now > 60_000) throw new Error(`${address} does not come to rest`)
    }
  } finally {
    await context.close()
  }
}
