import type { Page } from '@playwright/test'
import type { OpenServices } from '../server/setup/open-services.ts'
import { openBrowser, signedInAt } from './browser.ts'
import { startServer } from './processes.ts'
import type { Part } from './report.ts'

/** Bars: kilobytes of compressed JavaScript. */
const bars = { login: 150, list: 450 }
const listScreen = '/courseManagement/CurriculumList'

/**
 * Bytes of script that a fresh browser fetches for the login page and for a list screen opened by its address, and whom
 * it asks.
 */
export async function firstLoad({ owner }: OpenServices): Promise<Part> {
  const service = await startServer('service.ts', JSON.stringify(owner))
  const browser = await openBrowser()
  try {
    const part: Part = {
      title: 'First load with an empty cache, brotli, as counted by the browser',
      rows: [],
      missed: [],
    }
    const add = (screen: string, { scripts, files, all, strangers }: Traffic, bar: number) => {
      part.rows.push({
        screen,
        'JavaScript kB': Math.round(scripts / 1000),
        files,
        'everything kB': Math.round(all / 1000),
        'bar kB': bar,
        'requests to other machines': strangers.length,
      })
      if (scripts > bar * 1000)
        part.missed.push(`${screen}: ${Math.round(scripts / 1000)} kB of JavaScript, ${bar} allowed`)
      if (strangers.length > 0) part.missed.push(`${screen}: asked ${strangers.join(', ')}`)
    }
    const login = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
    const toLogin = await watch(login, service.address)
    await login.goto(service.address, { waitUntil: 'networkidle' })
    add('login page', toLogin, bars.login)
    // a second browser with nothing cached, but signed in
    const context = await browser.newContext({
      locale: 'zh-CN',
      storageState: await signedInAt(login, service.address),
    })
    const list = await context.newPage()
    const toList = await watch(list, service.address)
    await list.goto(service.address + listScreen, { waitUntil: 'networkidle' })
    await list.locator('tbody tr td').filter({ visible: true }).nth(5).waitFor()
    await list.waitForLoadState('networkidle')
    add('list of courses', toList, bars.list)
    return part
  } finally {
    await browser.close()
    await service.stop()
  }
}

interface Traffic {
  /** Bytes on the wire of scripts, and of everything. */
  scripts: number
  all: number
  /** Script files. */
  files: number
  /** Addresses asked that are not ours. */
  strangers: string[]
}

async function watch(page: Page, address: string): Promise<Traffic> {
  const traffic: Traffic = { scripts: 0, all: 0, files: 0, strangers: [] }
  page.on('request', (request) => {
    if (!request.url().startsWith(`${address}/`) && !/^(data|blob):/.test(request.url()))
      traffic.strangers.push(request.url())
  })
  const session = await page.context().newCDPSession(page)
  const scripts = new Set<string>()
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script' || /\.js(\?|$)/.test(response.url)) scripts.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    traffic.all += encodedDataLength
    if (!scripts.has(requestId)) return
    traffic.scripts += encodedDataLength
    traffic.files++
  })
  await session.send('Network.enable')
  return traffic
}
