import { chromium, type BrowserContext, type CDPSession, type Page, type Request, type Route } from '@playwright/test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromiumFlags, findChromium } from './chromium.mjs'
import { doing, done, say } from './progress.mjs'
import { lessonApi } from '../contract/programme/lessons/lessons.calls.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { demoPassword } from '../server/demo/account-list.ts'
import { signIn } from '../server/testing/client.ts'
import { addressOf, moreAddresses } from '../e2e/records.ts'

/**
 * `npm run screen-times`: how long every screen of a program that runs takes from the click to its use, within a
 * console that stands open, and what it asks meanwhile. First it tells in how many waves each screen asks, which no
 * clock has a say in: answers are held back until nothing more is asked without them. That warms the program and the
 * browser too. Then the screens are gone through in a shuffled order, several times over. With every screen:
 * milliseconds until something of it stands and until nothing of it loads any more, requests and their waves, the
 * longest and the sum of the program's answers, and the browser's own work. It fails where a screen asks in more than
 * two waves.
 *
 *     npm run screen-times                                # the program at port 8080, administrator, five rounds
 *     npm run screen-times -- --as teacher --rounds 3 --part 2/4 --only Statistics
 *
 * Parts add to `data/screens/times.json`; the slowest of all that are in it are told.
 */
const { values: wanted } = parseArgs({
  options: {
    at: { type: 'string', default: `http://127.0.0.1:${process.env['PORT'] ?? 8080}` },
    as: { type: 'string', default: 'admin' },
    rounds: { type: 'string', default: '5' },
    part: { type: 'string', default: '1/1' },
    only: { type: 'string', default: '' },
    /** No round begins after so many minutes. */
    minutes: { type: 'string', default: '60' },
    /** Where the figures go, for comparing with those of before. */
    file: { type: 'string', default: 'data/screens/times.json' },
  },
})
const file = join(import.meta.dirname, '..', wanted.file)
/** Bars: something of the screen within so many milliseconds, all of it within so many, and waves of calls. */
const bars = { seen: 100, ready: 1000, waves: 2 }
/** When nothing has been asked for so many milliseconds, nothing more is; forms ask what rests on typing after 600. */
const waveMs = 800
/** A screen that has stood so many milliseconds without loading anything is done. */
const restMs = 350

interface Visit {
  seen: number
  ready: number
  requests: number
  twice: string[]
  longest: number
  longestCall: string
  served: number
  scripting: number
}
interface Figures extends Visit {
  screen: string
  address: string
  as: string
  worst: number
  waves: number
}

const client = await signIn(wanted.at, 'demo', wanted.as, demoPassword)
const token = client.token!
const menu = (await client.send(sessionApi.menuTree, {})).flatMap(({ pages }) => pages)
const every = await addressesOf()
const [at = 1, of = 1] = wanted.part.split('/').map(Number)
const mine = every.filter((_, index) => index % of === at - 1)

const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags })
const visits = new Map(mine.map(({ address }) => [address, [] as Visit[]]))
const waves = new Map<string, string[][]>()
try {
  const context = await browser.newContext({
    viewport: { width: 1366, height: 768 },
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  })
  const kept = JSON.stringify({ dataType: 'string', content: token, type: 'local', datetime: Date.now() })
  await context.addInitScript(`localStorage.setItem('accessToken', ${JSON.stringify(kept)})`)
  await context.addInitScript({ path: join(import.meta.dirname, 'watch-screens.js') })
  const until = Date.now() + Number(wanted.minutes) * 60_000
  for (const { address, screen } of mine) {
    doing(`请求层数 ${screen}`)
    // each in a console of its own, which knows no answers yet
    const page = await openConsole(context)
    waves.set(address, await wavesOf(page, address))
    await page.close()
  }
  for (let round = 1; round <= Number(wanted.rounds) && (round < 2 || Date.now() < until); round++) {
    const page = await openConsole(context)
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    for (const { address, screen } of shuffled(mine, round)) {
      doing(`${round}/${wanted.rounds} ${screen}`)
      visits.get(address)!.push(await visitOnce(page, session, address))
    }
    await page.close()
  }
} finally {
  await browser.close()
}
done()
keep()

/**
 * Every screen that the account may open, those of one record with the first one, of the largest course, and the
 * dashboards of a year.
 */
async function addressesOf(): Promise<{ screen: string; address: string }[]> {
  const all: { screen: string; address: string }[] = []
  for (const { path, title } of menu) {
    if (path === '/personalCenter/modifyPwd') continue
    const address = await addressOf(path, token, wanted.at)
    if (address) all.push({ screen: title, address })
    if (/^\/StatisticsAdmin\/(?!Threshold)\w+$/.test(path)) {
      const year = new Date().getFullYear()
      all.push({
        screen: `${title}（上学年）`,
        address: `${path}?startTime=${year - 1}-09-01+00:00:00&endTime=${year}-08-31+23:59:59`,
      })
    }
  }
  const paths = menu.map(({ path }) => path)
  for (const address of await moreAddresses(token, paths, wanted.at)) all.push({ screen: '组队课程', address })
  if (paths.includes('/courseManagement/CurriculumList/Participants')) {
    const { records } = await client.send(lessonApi.view, { sort: 'passCount', order: 'desc', pageSize: 10 })
    for (const path of [
      'detailCurriculumList',
      'CurriculumList/Participants',
      'CurriculumList/SignBoard',
      'Question/QuestionPersonnel',
    ])
      if (records[0] && paths.includes(`/courseManagement/${path}`))
        all.push({ screen: `最大课程 ${path}`, address: `/courseManagement/${path}?liId=${records[0].liId}` })
  }
  return all.filter(({ address }) => address.includes(wanted.only))
}

/** A console that stands open, with nothing of the screens that are measured. */
async function openConsole(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${wanted.at}/personalCenter/modifyPwd`)
  await atRest(page, 800)
  return page
}

/**
 * Goes to a screen whose answers are held back, and tells what it asks in which wave: what is asked once the answers of
 * the wave before have come.
 */
async function wavesOf(page: Page, address: string): Promise<string[][]> {
  const found: string[][] = []
  let held: Route[] = []
  const open = new Set<Request>()
  let lastAsked = Date.now()
  const answered = (request: Request) => void open.delete(request)
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  await page.route(isCall, (route) => {
    open.add(route.request())
    held.push(route)
    lastAsked = Date.now()
  })
  await page.evaluate(`screenState.go(${JSON.stringify(address)})`)
  for (;;) {
    while (open.size > held.length || Date.now() - lastAsked < waveMs) {
      await page.waitForTimeout(50)
      // whatever is being drawn may still ask
      await page.evaluate('new Promise((done) => requestIdleCallback(done))')
    }
    if (held.length === 0) return found
    found.push(held.map((route) => nameOf(route.request())))
    const wave = held
    held = []
    lastAsked = Date.now()
    await Promise.all(wave.map((route) => route.continue()))
  }
}

/** A call of a screen; the stream of unread messages, which never ends, is none. */
function isCall({ pathname }: URL): boolean {
  return pathname.startsWith('/api/') && !pathname.endsWith('/stream')
}

/** What is asked, without the moment that the console adds against stores on the way. */
function nameOf(request: Request): string {
  const url = new URL(request.url())
  url.searchParams.delete('_t')
  return `${request.method()} ${url.pathname}${url.search}${request.postData() ?? ''}`
}

/** Goes to a screen as its links do, closes what stood before, and tells how it came about. */
async function visitOnce(page: Page, session: CDPSession, address: string): Promise<Visit> {
  const calls: { name: string; served: number }[] = []
  const ended = (request: Request) => {
    if (!isCall(new URL(request.url()))) return
    const { requestStart, responseStart } = request.timing()
    calls.push({ name: nameOf(request), served: Math.max(0, responseStart - requestStart) })
  }
  page.on('requestfinished', ended)
  const busyBefore = await scriptingOf(session)
  await page.evaluate(`screenState.go(${JSON.stringify(address)})`)
  const { seen, ready } = await atRest(page, restMs)
  const scripting = (await scriptingOf(session)) - busyBefore
  page.off('requestfinished', ended)
  // the document holds no more than two tabs
  await page.evaluate(`(() => {
    const closes = document.querySelectorAll('.tab-bar .tab:not(.tab-active) button[aria-label^="关闭"]')
    for (const close of closes) close.click()
  })()`)
  await page.waitForTimeout(100)
  const slowest = calls.toSorted((a, b) => b.served - a.served)[0]
  const names = calls.map(({ name }) => name)
  return {
    seen,
    ready,
    requests: calls.length,
    twice: [...new Set(names.filter((name, index) => names.indexOf(name) !== index))],
    longest: slowest?.served ?? 0,
    longestCall: slowest?.name.replace('/api/schoolbase/', '').slice(0, 80) ?? '',
    served: calls.reduce((sum, { served }) => sum + served, 0),
    scripting,
  }
}

/** Waits until a screen has stood for so many milliseconds without loading anything. */
async function atRest(page: Page, ms: number): Promise<{ seen: number; ready: number }> {
  for (;;) {
    await page.waitForTimeout(50)
    const state = await page.evaluate<{ seen: number; ready: number; rest: number; now: number }>(
      '({ ...window.screenState, now: performance.now() })',
    )
    if (state.ready > 0 && state.rest > ms) return state
  }
}

async function scriptingOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

function keep(): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures[]) : []
  const fresh = mine.map(({ screen, address }): Figures => {
    const all = visits.get(address)!.toSorted((a, b) => a.ready - b.ready)
    const middle = all[Math.floor(all.length / 2)]!
    const of = (part: 'seen' | 'requests' | 'longest' | 'served' | 'scripting') =>
      Math.round(all.map((one) => one[part]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!)
    return {
      screen,
      address,
      as: wanted.as,
      seen: of('seen'),
      ready: Math.round(middle.ready),
      worst: Math.round(all.at(-1)!.ready),
      requests: of('requests'),
      waves: waves.get(address)!.length,
      twice: [...new Set(all.flatMap(({ twice }) => twice))],
      longest: of('longest'),
      longestCall: middle.longestCall,
      served: of('served'),
      scripting: of('scripting'),
    }
  })
  const all = [
    ...known.filter((one) => !fresh.some(({ as, address }) => as === one.as && address === one.address)),
    ...fresh,
  ].toSorted((a, b) => b.ready - a.ready)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, JSON.stringify(all, undefined, 1))
  say(`${all.length} 屏的中位数（毫秒）：可用、最长一次、先见、请求数、层数、最慢的回答、浏览器`)
  const line = (one: Figures) =>
    `${[one.ready, one.worst, one.seen, one.requests, one.waves, one.longest, one.scripting].map((value) => String(value).padStart(6)).join('')}  ${one.as} ${one.screen} ${one.address.replace(/\?.*/, '')} · ${one.longestCall}`
  for (const one of all.slice(0, 10)) say(line(one))
  const missed = all
    .slice(10)
    .filter(({ ready, seen, twice }) => ready > bars.ready || seen > bars.seen || twice.length > 0)
  if (missed.length > 0) say('其余未达标的')
  for (const one of missed) say(line(one))
  for (const { screen, as, twice } of all) for (const name of twice) say(`问了两次：${as} ${screen} ${name}`)
  for (const { screen, address } of mine) {
    const found = waves.get(address)!
    if (found.length <= bars.waves) continue
    process.exitCode = 1
    say(`分 ${found.length} 层提问：${wanted.as} ${screen} ${address}`)
    for (const [at, names] of found.entries()) say(`  第 ${at + 1} 层：${names.join('、')}`)
  }
}

/** In an order that is another one in every round, and the same when it is run again. */
function shuffled<T>(these: readonly T[], round: number): T[] {
  let seed = round + 1
  const next = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647
  return these
    .map((one) => ({ one, at: next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one)
}
