// npm test: everything that must hold before a change is taken. `npm test -- types lint` runs only the named steps.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { checkNode, giveUp, quoted, root, run, runBeside, runQuietly, say, tool } from './root.mjs'
import { ensureBuilt } from './build.mjs'
import { findChromium, headlessShell } from './chromium.mjs'
import { forgetReports, journeyFailures, journeyReporters, serverFailures, serverReporters } from './failures.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
await ensureInstalled()

/** @type {Record<string, [title: string, act: () => boolean | Promise<boolean>]>} */
const steps = {
  format: ['代码格式（npm run format 可修正）', () => run(tool('oxfmt'), ['--check'])],
  types: ['类型检查', types],
  lint: ['代码检查', lint],
  newcomer: ['新人的第一分钟', newcomer],
  server: [
    '架构与服务端测试（真实 PostgreSQL）',
    () =>
      withSecondTry(
        () => serverTests(),
        serverFailures,
        (failed) => serverTests('again', failed),
      ),
  ],
  build: ['构建', () => ensureBuilt().then(() => true)],
  browser: ['浏览器测试（无界面 Chromium）', browser],
}

/** What the tests need from the system, by the name of the Debian package. */
const needed = [
  { name: 'chromium', there: () => findChromium() !== undefined },
  { name: 'fonts-noto-cjk', there: () => process.platform !== 'linux' || answers('fc-list', [':lang=zh-cn']) },
  { name: 'poppler-utils', there: () => spawnSync('pdftotext', ['-v']).error === undefined },
]

const wanted = process.argv.slice(2)
for (const name of wanted)
  if (!(name in steps)) giveUp(`没有名为 ${name} 的步骤；可用：${Object.keys(steps).join('、')}`)

const isWanted = (/** @type {string} */ name) => wanted.length === 0 || wanted.includes(name)
// the server tests read PDFs back, so what is missing is fetched before anything runs; the small browser first, where
// the system has it; format, types and lint need none of it
if (isWanted('browser') && !existsSync(headlessShell)) fetchDebianPackages(['chromium-headless-shell'])
if (isWanted('server') || isWanted('browser')) {
  const lacking = missingTools()
  if (lacking.length > 0) fetchDebianPackages(lacking)
}

const failed = []
/** Every test that failed, and those among them that passed when they were tried again. @type {string[]} */
const broken = []
/** @type {string[]} */
const unstable = []
forgetReports()
for (const [name, [title, act]] of Object.entries(steps)) {
  if (!isWanted(name)) continue
  say(`\n== ${title}`)
  const began = Date.now()
  if (!(await act())) failed.push(title)
  say(`== ${title}：${failed.includes(title) ? '未通过' : '通过'}（${((Date.now() - began) / 1000).toFixed(1)} 秒）`)
}
if (unstable.length > 0) say(`\n${['不稳定（第一次未通过，单独重试后通过，须查明原因）：', ...unstable].join('\n\n')}`)
if (failed.length > 0) giveUp([...broken, `未通过：${failed.join('、')}`].join('\n\n'))
say('\n全部通过')

/**
 * A few tests that failed get one more try, alone and against a school made anew: what fails only beside everything
 * else is named as unstable at the end, to be looked into, and does not hold up a change that has nothing to do with
 * it.
 * @param {() => boolean | Promise<boolean>} first
 * @param {(run: string) => import('./failures.mjs').Failure[]} failuresOf
 * @param {(files: string[]) => boolean | Promise<boolean>} again
 */
async function withSecondTry(first, failuresOf, again) {
  if (await first()) return true
  const texts = failuresOf('first').map(({ text }) => text)
  const files = [...new Set(failuresOf('first').map(({ file }) => file))]
  if (files.length === 0 || files.length > 3) {
    broken.push(...texts)
    return false
  }
  say(`\n以下文件未通过，单独重试：${files.join('、')}`)
  if (await again(files)) return unstable.push(...texts) > 0
  broken.push(...failuresOf('again').map(({ text }) => text))
  return false
}

/** @param {string} [name] of the run @param {string[]} [files] */
function serverTests(name = 'first', files = []) {
  return run(tool('vitest'), ['run', ...files, ...serverReporters(name)])
}

/** Each side by itself, so that the service sees no browser and the console no Node; journeys and tests see both. */
async function types() {
  const sides = ['server', 'web', '.'].map((side) => runBeside(tool('tsc'), ['-p', side]))
  return (await Promise.all(sides)).every(Boolean)
}

/**
 * Has bars in seconds, which a machine that is busy elsewhere can miss: tried again once, and told as unstable. What it
 * found stands at the end of a long run too, for the middle is what gets cut off.
 */
async function newcomer() {
  const attempt = async () => {
    const { good, output } = await runQuietly(tool('tsx'), ['scripts/newcomer.ts'])
    process.stdout.write(output)
    return { good, text: `新人的第一分钟：\n${quoted(output, 40)}` }
  }
  const first = await attempt()
  if (first.good) return true
  say('\n没有走完，重试一次')
  const again = await attempt()
  if (again.good) unstable.push(first.text)
  else broken.push(again.text)
  return again.good
}

/** With the types where the platform has the package for it; the plain rules hold everywhere. */
function lint() {
  const trial = spawnSync(tool('oxlint'), ['--type-aware', 'scripts/root.mjs'], { cwd: root, encoding: 'utf8' })
  const aware = !/tsgolint/i.test(`${trial.stdout}${trial.stderr}`)
  if (!aware) say('本平台没有 oxlint-tsgolint，只检查不需要类型的规则')
  return run(tool('oxlint'), ['--deny-warnings', ...(aware ? ['--type-aware'] : [])])
}

/** Journeys wait more than they work: half of the files run beside the other half. */
async function browser() {
  const still = missingTools()
  if (still.length > 0) {
    say(
      `浏览器测试没有运行：缺少 ${still.join('、')}，也无法自动安装。请安装后重试，例如（Debian/Ubuntu）：sudo apt-get install ${still.join(' ')}`,
    )
    return false
  }
  await ensureBuilt()
  const halves = ['first-1', 'first-2']
  return withSecondTry(
    async () =>
      (await Promise.all(halves.map((name, at) => journeys(name, at, [`--shard=${at + 1}/2`])))).every(Boolean),
    (run) => (run === 'first' ? halves.flatMap(journeyFailures) : journeyFailures(run)),
    (files) => journeys('again', 0, files),
  )
}

/**
 * Journeys against a program and a school of their own.
 * @param {string} name of the run @param {number} at which ports it takes @param {string[]} which
 */
function journeys(name, at, which) {
  const { args, env } = journeyReporters(name)
  return runBeside(tool('playwright'), ['test', ...which, '--output', `test-results/${name}`, ...args], {
    ...env,
    CHROMIUM: findChromium() ?? '',
    E2E_PORT: String(18_200 + 2 * at),
    E2E_CONTROL_PORT: String(18_201 + 2 * at),
  })
}

function missingTools() {
  return needed.filter(({ there }) => !there()).map(({ name }) => name)
}

/** True when a program prints something. @param {string} program @param {string[]} args */
function answers(program, args) {
  return Boolean(spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim())
}

/** @param {string[]} names */
function fetchDebianPackages(names) {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return
  say(`正在安装 ${names.join('、')}……`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  if (run('apt-get', ['update', '-qq'], env))
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], env)
}
