import { chromium, type Browser, type Page } from '@playwright/test'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { chromiumFlags, findChromium } from './chromium.mjs'
import { doing, done, say } from './progress.mjs'
import { personType } from '../contract/core/codes/school.ts'
import { sessionApi } from '../contract/school/session/session.calls.ts'
import { demoPassword } from '../server/demo/account-list.ts'
import { signIn } from '../server/testing/client.ts'
import { addressOf } from '../e2e/records.ts'
import { studentAddresses } from '../e2e/student-addresses.ts'

/**
 * `npm run screens`: takes a picture of every screen of a program that runs, in three windows, light and dark, as
 * several accounts of the demo school, and tells which have changed since the last run, which told errors and which
 * were the slowest. Of a student who has no role, these are all pages under /m, whole, as on a phone.
 *
 *     npm run screens                                     # the program at port 8080
 *     npm run screens -- --at http://127.0.0.1:8081 --as teacher --sizes 1366x768 --themes dark --only Statistics
 *     npm run screens -- --as student --sizes 390x844,360x740,1366x768
 *
 * Ends with 1 where a screen told an error, and with `--most 2` also where one has changed by more than 2 % of its
 * points.
 *
 * The pictures are in `data/screens/now`, those of the run before in `data/screens/before`; `data/screens/index.html`
 * shows them side by side, those first that have changed the most.
 */
const { values: wanted } = parseArgs({
  options: {
    at: { type: 'string', default: `http://127.0.0.1:${process.env['PORT'] ?? 8080}` },
    as: { type: 'string', default: 'admin,teacher,reviewer,college,counselor,auditor' },
    sizes: { type: 'string', default: '1440x900,1366x768,390x844' },
    themes: { type: 'string', default: 'light,dark' },
    only: { type: 'string', default: '' },
    most: { type: 'string', default: '100' },
  },
})
/** The share of its points by which a screen may have changed, 0 to 1. */
const mostChanged = Number(wanted.most) / 100
if (!(mostChanged >= 0 && mostChanged <= 1)) throw new Error('--most: 请给出 0 到 100 之间的百分比')
const folder = join(import.meta.dirname, '../data/screens')
/** Differences of a colour below this come from drawing letters, 0 to 255. */
const sameColour = 24

interface Shot {
  file: string
  address: string
  /** Milliseconds until the screen stood without anything that is still loading. */
  ready: number
  /** Share of the points that look otherwise than before, 0 to 1; undefined without a picture from before. */
  changed?: number | undefined
}

rmSync(join(folder, 'before'), { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
if (existsSync(join(folder, 'now'))) renameSync(join(folder, 'now'), join(folder, 'before'))

const executablePath = findChromium()
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags })
const shots: Shot[] = []
/** What the browser's console and the requests told while screens opened. */
const faults: string[] = []
try {
  for (const username of wanted.as.split(',')) await takeAll(browser, username)
} finally {
  await browser.close()
}
done()
tell()
const beyond = shots.filter(({ changed = 0 }) => changed > mostChanged)
if (beyond.length > 0) say(`${beyond.length} 张图片的变化超过 ${wanted.most} %`)
if (faults.length > 0 || beyond.length > 0) process.exitCode = 1

/** Every screen of somebody's menu, each opened anew, as from a bookmark. */
async function takeAll(on: Browser, username: string): Promise<void> {
  const client = await signIn(wanted.at, 'demo', username, demoPassword)
  const token = client.token!
  const { suType, permissions } = await client.send(sessionApi.landLoad, {})
  const isStudent = suType === personType.student && permissions.length === 0
  const menu = (await client.send(sessionApi.menuTree, {})).flatMap(({ pages }) => pages.map(({ path }) => path))
  const paths = (isStudent ? await studentAddresses(wanted.at, token) : menu).filter((path) =>
    path.includes(wanted.only),
  )
  for (const theme of wanted.themes.split(',') as ('light' | 'dark')[])
    for (const size of wanted.sizes.split(',')) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      const context = await on.newContext({
        viewport: { width, height },
        colorScheme: theme,
        locale: 'zh-CN',
        timezoneId: 'Asia/Shanghai',
        reducedMotion: 'reduce',
        ...(isStudent && width < 500 && { hasTouch: true, isMobile: true }),
      })
      const kept = JSON.stringify({ dataType: 'string', content: token, type: 'local', datetime: Date.now() })
      await context.addInitScript(`localStorage.setItem('accessToken', ${JSON.stringify(kept)})`)
      for (const [at, path] of paths.entries()) {
        const address = isStudent ? path : await addressOf(path, token, wanted.at)
        if (!address) continue
        const file = join(username, `${nameOf(path, paths.slice(0, at))}-${size}-${theme}.png`)
        doing(file)
        const page = await context.newPage()
        page.on('pageerror', ({ message }) => faults.push(`${file}  ${message}`))
        page.on('console', (one) => {
          if (one.type() === 'error' || one.type() === 'warning') faults.push(`${file}  ${one.text()}`)
        })
        page.on('response', (one) => {
          if (one.status() >= 400) faults.push(`${file}  ${one.status()} ${new URL(one.url()).pathname}`)
        })
        const began = performance.now()
        await page.goto(`${wanted.at}${address}`)
        const ready = (await atRest(page)) - began
        const content = await page.screenshot({ fullPage: isStudent })
        await page.close()
        mkdirSync(join(folder, 'now', username), { recursive: true })
        writeFileSync(join(folder, 'now', file), content)
        shots.push({ file, address, ready: Math.round(ready), changed: await changedShare(file, content) })
      }
      await context.close()
    }
}

/** A file name that stays the same from one demo school to the next: no ids are in it, but how many came before. */
function nameOf(path: string, before: readonly string[]): string {
  const name = (one: string) =>
    one
      .slice(1)
      .replace(/\?.*/, '')
      .replace(/[\da-f-]{36}/g, 'one')
      .replaceAll('/', '.')
  const same = before.filter((one) => name(one) === name(path)).length
  return same > 0 ? `${name(path)}.${same + 1}` : name(path)
}

/** Waits until a screen has stood for a moment with nothing that loads, and gives the time at which that began. */
async function atRest(page: Page): Promise<number> {
  const busy = page
    .locator('.ant-skeleton, .ant-spin-spinning, .is-fetching, .s-bones, [aria-busy="true"]')
    .filter({ visible: true })
  const heading = page.getByRole('heading', { level: 1 }).filter({ visible: true }).first()
  await heading.waitFor()
  let since = performance.now()
  while (performance.now() - since < 500) {
    if ((await busy.count()) > 0) since = performance.now()
    await sleep(25)
  }
  return since
}

async function changedShare(file: string, content: Buffer): Promise<number | undefined> {
  const former = join(folder, 'before', file)
  if (!existsSync(former)) return undefined
  const [now, before] = await Promise.all(
    [content, readFileSync(former)].map((one) => sharp(one).removeAlpha().raw().toBuffer({ resolveWithObject: true })),
  )
  if (now!.data.length !== before!.data.length) return 1
  let other = 0
  for (let at = 0; at < now!.data.length; at += 3)
    if ([0, 1, 2].some((part) => Math.abs(now!.data[at + part]! - before!.data[at + part]!) > sameColour)) other++
  return other / (now!.data.length / 3)
}

function tell(): void {
  const changed = shots.filter((shot) => shot.changed).toSorted((a, b) => b.changed! - a.changed!)
  const slow = shots.toSorted((a, b) => b.ready - a.ready).slice(0, 10)
  say(`${shots.length} 张图片，${changed.length} 张与上次不同；对照：data/screens/index.html`)
  for (const { file, changed: share } of changed.slice(0, 20))
    say(`  ${(share! * 100).toFixed(2).padStart(6)} %  ${file}`)
  for (const fault of new Set(faults)) say(`  出错  ${fault}`)
  say('最慢的十屏（毫秒，从打开地址到不再加载）')
  for (const { file, ready } of slow) say(`  ${String(ready).padStart(6)}  ${file}`)
  const order = [...changed, ...shots.filter((shot) => !shot.changed)]
  const figure = ({ file, address, ready, changed: share }: Shot) => `
<figure><figcaption>${file} · ${ready} ms${share ? ` · 变化 ${(share * 100).toFixed(2)} %` : ''} · ${address.replaceAll('&', '&amp;')}</figcaption>
${share ? `<img loading="lazy" src="before/${file}">` : ''}<img loading="lazy" src="now/${file}"></figure>`
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>各屏</title>
<style>img{width:48%;border:1px solid #ccc;vertical-align:top}figure{margin:2em 1em}</style>${order.map(figure).join('')}`,
  )
}
