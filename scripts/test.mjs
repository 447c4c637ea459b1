// npm test: everything that must hold before a change is taken. `npm test -- types lint` runs only the named steps.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { checkNode, giveUp, root, run, runBeside, say, tool } from './root.mjs'
import { ensureBuilt } from './build.mjs'
import { findChromium, headlessShell } from './chromium.mjs'
import { failures, forgetReports, journeyReporters, serverReporters } from './failures.mjs'
import { ensureInstalled } from './install.mjs'

checkNode()
await ensureInstalled()

/** @type {Record<string, [title: string, act: () => boolean | Promise<boolean>]>} */
const steps = {
  format: ['代码格式（npm run format 可修正）', () => run(tool('oxfmt'), ['--check'])],
  types: ['类型检查', types],
  lint: ['代码检查', lint],
  newcomer: ['新人的第一分钟', () => run(tool('tsx'), ['scripts/newcomer.ts'])],
  server: ['架构与服务端测试（真实 PostgreSQL）', () => run(tool('vitest'), ['run', ...serverReporters])],
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
// the system has it
if (isWanted('browser') && !existsSync(headlessShell)) fetchDebianPackages(['chromium-headless-shell'])
const lacking = missingTools()
if (lacking.length > 0) fetchDebianPackages(lacking)

const failed = []
forgetReports()
for (const [name, [title, act]] of Object.entries(steps)) {
  if (!isWanted(name)) continue
  say(`\n== ${title}`)
  const began = Date.now()
  if (!(await act())) failed.push(title)
  say(`== ${title}：${failed.includes(title) ? '未通过' : '通过'}（${((Date.now() - began) / 1000).toFixed(1)} 秒）`)
}
if (failed.length > 0) giveUp([...failures(), `未通过：${failed.join('、')}`].join('\n\n'))
say('\n全部通过')

/** Each side by itself, so that the service sees no browser and the console no Node; journeys and tests see both. */
async function types() {
  const sides = ['server', 'web', '.'].map((side) => runBeside(tool('tsc'), ['-p', side]))
  return (await Promise.all(sides)).every(Boolean)
}

/** With the types where the platform has the package for it; the plain rules hold everywhere. */
function lint() {
  const trial = spawnSync(tool('oxlint'), ['--type-aware', 'scripts/root.mjs'], { cwd: root, encoding: 'utf8' })
  const aware = !/tsgolint/i.test(`${trial.stdout}${trial.stderr}`)
  if (!aware) say('本平台没有 oxlint-tsgolint，只检查不需要类型的规则')
  return run(tool('oxlint'), ['--deny-warnings', ...(aware ? ['--type-aware'] : [])])
}

/**
 * Journeys wait more than they work: half of the files run beside the other half, each half against a program and a
 * school of its own.
 */
async function browser() {
  const still = missingTools()
  if (still.length > 0) {
    say(
      `浏览器测试没有运行：缺少 ${still.join('、')}，也无法自动安装。请安装后重试，例如（Debian/Ubuntu）：sudo apt-get install ${still.join(' ')}`,
    )
    return false
  }
  await ensureBuilt()
  const halves = [1, 2].map((half) => {
    const { args, env } = journeyReporters(half)
    return runBeside(tool('playwright'), ['test', `--shard=${half}/2`, '--output', `test-results/${half}`, ...args], {
      ...env,
      CHROMIUM: findChromium() ?? '',
      E2E_PORT: String(18_198 + 2 * half),
      E2E_CONTROL_PORT: String(18_199 + 2 * half),
    })
  })
  return (await Promise.all(halves)).every(Boolean)
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
