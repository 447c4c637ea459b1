import { chromium, type Browser, type Page } from '@playwright/test'
import { chromiumFlags, findChromium } from './chromium.mjs'
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { demoPassword } from '../server/demo/account-list.ts'
import { say } from './progress.mjs'

/**
 * `npm run pictures`: starts the program on a demo school of its own, takes the pictures of README.md and writes them
 * to docs/pictures. They show the demo school as it is at the moment, so names and dates differ from run to run.
 */

const root = join(import.meta.dirname, '..')

interface Picture {
  /** File name without its ending. */
  name: string
  username: string
  viewport: { width: number; height: number }
  /** Points of the screen for each point of the page; the width of the file is this times that of the window. */
  scale: number
  /** Goes from the home screen to what is to be seen. */
  go: (page: Page) => Promise<void>
}

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 760 }

const pictures: Picture[] = [
  { name: 'home', username: 'admin', viewport: desktop, scale: 1, go: async () => {} },
  {
    name: 'approval',
    username: 'reviewer',
    viewport: desktop,
    scale: 1,
    go: (page) => open(page, '/checkAdmin/publishCheck', 'article'),
  },
  {
    name: 'phone',
    username: 'teacher',
    viewport: phone,
    scale: 1.5,
    go: (page) => open(page, '/courseManagement/CurriculumList', '.cards .chip'),
  },
]

/** Bytes a picture may have, so that the repository stays small. */
const most = 120_000

/** The first one that can be seen: other tabs stay in the document. */
const inSight = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).first()

/** Opens a screen by its address and waits for a part that only its content has. */
async function open(page: Page, path: string, part: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href)
  await inSight(page, part).waitFor()
}

/** Waits until nothing is being fetched or drawn and no message lies over the page. */
async function atRest(page: Page): Promise<void> {
  await inSight(page, 'h1').waitFor()
  await page.waitForLoadState('load')
  const busy = page.locator('.ant-skeleton, .ant-spin-spinning, .ant-message-notice').filter({ visible: true })
  for (let quiet = 0; quiet < 5;) {
    quiet = (await busy.count()) === 0 ? quiet + 1 : 0
    await sleep(200)
  }
  await page.evaluate('document.fonts.ready.then(() => {})')
}

/** Takes one picture; a fault leaves what the page showed in test-results. */
async function take(browser: Browser, address: string, { name, username, viewport, scale, go }: Picture) {
  const context = await browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
  })
  // a machine that others use as well is slow, not broken
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  try {
    await show(page, address, username, go)
  } catch (error) {
    await page.screenshot({ path: join(root, 'test-results', `pictures-${name}.png`) })
    throw error
  }
  const file = join(root, 'docs/pictures', `${name}.webp`)
  const content = await sharp(await page.screenshot())
    .webp({ quality: 82, effort: 6 })
    .toBuffer()
  await context.close()
  if (content.length > most) throw new Error(`${name}.webp 有 ${content.length} 字节，超过 ${most}`)
  writeFileSync(file, content)
  say(`docs/pictures/${name}.webp：${Math.round(content.length / 1000)} kB`)
}

/** Signs in, goes to what is to be seen, and waits until all of it is there. */
async function show(page: Page, address: string, username: string, go: Picture['go']): Promise<void> {
  // the cards of the demo accounts move the form when they come
  await page.goto(address, { waitUntil: 'networkidle' })
  await page.getByLabel('学校代码').fill('demo')
  await page.getByLabel('账号').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(demoPassword)
  await page.getByLabel('密码', { exact: true }).press('Enter')
  await page.waitForURL('**/home', { waitUntil: 'commit' })
  await atRest(page)
  await go(page)
  await atRest(page)
  // nothing is pointed at
  await page.mouse.move(0, 0)
  await sleep(300)
}

/** Runs the program as people start it, on a folder that is thrown away. */
async function start(dataDir: string): Promise<{ address: string; child: ChildProcess }> {
  const port = await new Promise<number>((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const free = (probe.address() as AddressInfo).port
      probe.close(() => found(free))
    })
  })
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    cwd: root,
    env: { DEMO_STUDENTS: '2000', LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const address = `http://127.0.0.1:${port}`
  while ((await fetch(`${address}/readyz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error('程序没有启动')
    await sleep(200)
  }
  return { address, child }
}

const dataDir = mkdtempSync(join(tmpdir(), 'console-pictures-'))
chmodSync(dataDir, 0o755)
mkdirSync(join(root, 'docs/pictures'), { recursive: true })
let child: ChildProcess | undefined
try {
  const started = await start(dataDir)
  child = started.child
  const executablePath = findChromium()
  const browser = await chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: chromiumFlags,
  })
  try {
    for (const picture of pictures) await take(browser, started.address, picture)
  } finally {
    await browser.close()
  }
} finally {
  if (child && child.exitCode === null) {
    const ended = new Promise((done) => child!.once('close', done))
    child.kill('SIGINT')
    await ended
  }
  rmSync(dataDir, { recursive: true, force: true })
}
