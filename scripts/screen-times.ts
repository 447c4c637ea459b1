import { chromium, type CDPSession, type Page, type Request } from '@playwright/test'
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
 * console that stands open, and what it asks meanwhile. The screens are gone through in a shuffled order, several times
 * over; the first time only warms the program and the browser. With every screen: milliseconds until something of it
 * stands and until nothing of it loads any more, requests and how many of them wait for one another, the longest and
 * the sum of the program's answers, and the browser's own work.
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
/** Bars: something of the screen within so many milliseconds, all of it within so many, and calls after one another. */
const bars = { seen: 100, ready: 1000, depth: 2 }
/** A request that begins so many milliseconds after another's answer may have waited for it. */
const waitedFor = 60
/** A screen that has stood so many milliseconds without loading anything is done. */
const restMs = 350

interface Visit {
  seen: number
  ready: number
  requests: number
  depth: number
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
  for (let round = 0; round <= Number(wanted.rounds) && (round < 2 || Date.now() < until); round++) {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(`${wanted.at}/personalCenter/modifyPwd`)
    await atRest(page, 800)
    for (const { address, screen } of shuffled(mine, round)) {
      doing(`${round}/${wanted.rounds} ${screen}`)
      const visit = await visitOnce(page, session, address)
      if (round > 0) visits.get(address)!.push(visit)
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

/** Goes to a screen as its links do, closes what stood before, and tells how it came about. */
async function visitOnce(page: Page, session: CDPSession, address: string): Promise<Visit> {
  const asked: { name: string; began: number; ended: number; served: number; isCall: boolean }[] = []
  const ended = async (request: Request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/stream')) return
    url.searchParams.delete('_t')
    const { startTime, requestStart, responseStart, responseEnd } = request.timing()
    asked.push({
      name: `${request.method()} ${url.pathname}${url.search}${request.postData() ?? ''}`,
      began: startTime + Math.max(0, requestStart),
      ended: startTime + Math.max(0, responseEnd),
      served: Math.max(0, responseStart - requestStart),
      isCall: url.pathname.startsWith('/api/'),
    })
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
  const calls = asked.filter(({ isCall }) => isCall)
  const slowest = calls.toSorted((a, b) => b.served - a.served)[0]
  const names = calls.map(({ name }) => name)
  return {
    seen,
    ready,
    requests: calls.length,
    depth: depthOf(calls),
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

/** How many calls came one after another, each within a moment of the former's answer. */
function depthOf(calls: readonly { began: number; ended: number }[]): number {
  const depths: number[] = []
  const inOrder = calls.toSorted((a, b) => a.began - b.began)
  for (const [index, call] of inOrder.entries())
    depths.push(
      1 +
        Math.max(
          0,
          ...inOrder
            .slice(0, index)
            .map(({ ended }, before) =>
              call.began >= ended && call.began - ended < waitedFor ? (depths[before] ?? 0) : 0,
            ),
        ),
    )
  return Math.max(0, ...depths)
}

function keep(): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Figures[]) : []
  const fresh = mine.map(({ screen, address }): Figures => {
    const all = visits.get(address)!.toSorted((a, b) => a.ready - b.ready)
    const middle = all[Math.floor(all.length / 2)]!
    const of = (part: 'seen' | 'requests' | 'depth' | 'longest' | 'served' | 'scripting') =>
      Math.round(all.map((one) => one[part]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!)
    return {
      screen,
      address,
      as: wanted.as,
      seen: of('seen'),
      ready: Math.round(middle.ready),
      worst: Math.round(all.at(-1)!.ready),
      requests: of('requests'),
      depth: of('depth'),
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
    `${[one.ready, one.worst, one.seen, one.requests, one.depth, one.longest, one.scripting].map((value) => String(value).padStart(6)).join('')}  ${one.as} ${one.screen} ${one.address.replace(/\?.*/, '')} · ${one.longestCall}`
  for (const one of all.slice(0, 10)) say(line(one))
  const missed = all
    .slice(10)
    .filter(
      ({ ready, seen, depth, twice }) =>
        ready > bars.ready || seen > bars.seen || depth > bars.depth || twice.length > 0,
    )
  if (missed.length > 0) say('其余未达标的')
  for (const one of missed) say(line(one))
  for (const { screen, as, twice } of all) for (const name of twice) say(`问了两次：${as} ${screen} ${name}`)
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
