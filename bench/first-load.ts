import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { OpenServices } from '../server/setup/open-services.ts'
import { openBrowser, sessionAt, signedInAt } from './browser.ts'
import { startServer } from './processes.ts'
import type { Part } from './report.ts'

/** Bars: kilobytes of compressed JavaScript. */
const bars = { login: 150, list: 450, phoneLogin: 150, phoneList: 220 }
const listScreen = '/courseManagement/CurriculumList'

/**
 * Bytes of script that a fresh browser fetches for the login page and for a list screen opened by its address, of the
 * console and of the students' side, and whom it asks.
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
    await list.goto(service.address + listScreen)
    await list.locator('tbody tr td').filter({ visible: true }).nth(5).waitFor()
    await quiet(toList)
    add('list of courses', toList, bars.list)
    const phone = await (await browser.newContext({ locale: 'zh-CN' })).newPage()
    const toPhone = await watch(phone, service.address)
    await phone.goto(`${service.address}/m`)
    await phone.getByRole('button', { name: '登录' }).waitFor()
    await quiet(toPhone)
    add("students' sign-in page", toPhone, bars.phoneLogin)
    const { storageState } = await sessionAt(service.address, 'student')
    // the worker fetches the other pages for later, which nobody waits for
    const signedIn = await browser.newContext({ locale: 'zh-CN', storageState, serviceWorkers: 'block' })
    const activities = await signedIn.newPage()
    const toActivities = await watch(activities, service.address)
    await activities.goto(`${service.address}/m/activities`)
    await activities.locator('.s-list a').first().waitFor()
    await quiet(toActivities)
    add('list of activities', toActivities, bars.phoneList)
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

/** Waits until nothing more has come for a second: the stream of messages stays open, so the network is never idle. */
async function quiet(traffic: Traffic): Promise<void> {
  for (let before = -1; before !== traffic.all;) {
    before = traffic.all
    await sleep(1000)
  }
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
