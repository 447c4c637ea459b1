// npm run try-release [node…]: unpacks the release archive as an operator does (a folder of root that nobody may
// write), and as an ordinary user without any network, under each Node that is named by its path: makes a school,
// starts for production, asks for readiness, console, the students' pages and version, runs the commands and stops.
// Before that every package that the program names must be there and be loaded. As root, on Linux.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveUp, root, say } from './root.mjs'

const folder = join(root, 'dist/release')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// archives of former versions may lie beside it
const isArchive = (/** @type {string} */ name) => name.includes(`-console-${version}-`) && name.endsWith('.tar.gz')
const archive = existsSync(folder) && readdirSync(folder).find(isArchive)
if (!archive) giveUp('没有发布包，请先运行 npm run release。')
if (process.getuid?.() !== 0) giveUp('请以 root 运行：要另起一个没有网络的空间，并换成普通用户。')
/** A package, or a file of one, that is imported at the beginning of a line or when it is needed. */
const packageName = /(?:^(?:import|export) (?:[^'"\n]* from )?|\bimport\()"((?!node:)[@a-z][^"]*)"/gm
/** nobody */
const user = 65_534
const nodes = process.argv.length > 2 ? process.argv.slice(2) : [process.execPath]
const place = mkdtempSync(join(tmpdir(), 'console-try-release-'))
chmodSync(place, 0o755)

/** @param {unknown} holds @param {string} text @returns {asserts holds} */
function must(holds, text) {
  if (!holds) throw new Error(text)
}

/**
 * The arguments with which `unshare` runs a program without network but for the loopback, as an ordinary user.
 * @param {string} command of a shell, with `$@` for what follows
 */
const apart = (command) => [
  '-n',
  'sh',
  '-c',
  `ip link set lo up && exec setpriv --reuid ${user} --regid ${user} --clear-groups ${command}`,
  '-',
]

try {
  const sum = spawnSync('sha256sum', ['-c', `${archive}.sha256`], { cwd: folder, encoding: 'utf8' })
  must(sum.status === 0, sum.stderr)
  must(spawnSync('tar', ['-C', place, '-xzf', join(folder, archive)]).status === 0, 'tar')
  const [name] = readdirSync(place)
  const code = join(place, name)
  must(
    spawnSync('chown', ['-R', '0:0', code]).status === 0 && spawnSync('chmod', ['-R', 'a-w', code]).status === 0,
    'chmod',
  )
  for (const node of nodes) await tryWith(node, code)
  const leaks = spawnSync('grep', [
    '-rlE',
    '"resolved": "http',
    join(code, 'node_modules/.package-lock.json'),
    join(code, 'sbom.cdx.json'),
  ])
  must(leaks.status === 1, `${String(leaks.stdout)} 中有软件包源的地址`)
} catch (error) {
  giveUp(error instanceof Error ? error.message : String(error))
} finally {
  rmSync(place, { recursive: true, force: true })
}

/** The program as it is built. @param {string} code @returns {string[]} */
function bundlesOf(code) {
  const built = join(code, 'dist/server')
  return readdirSync(built)
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(built, name), 'utf8'))
}

/** @param {string} node @param {string} code */
async function tryWith(node, code) {
  const version = spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout.trim()
  const data = join(place, `data-${version}`)
  mkdirSync(data)
  chownSync(data, user, user)
  const env = {
    PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
    HOME: data,
    NODE_ENV: 'production',
    DATA_DIR: data,
    PORT: '18080',
  }
  const school = { SCHOOL_ID: 'try', SCHOOL_NAME: '试用学校', ADMIN_PASSWORD: 'Try-Release-92' }
  /** @param {string[]} args @param {Record<string, string>} [more] */
  const dekt = (args, more = {}) =>
    spawnSync('unshare', [...apart('"$@"'), node, join(code, 'bin/dekt'), ...args], {
      env: { ...env, ...more },
      encoding: 'utf8',
      cwd: '/',
    })
  const named = [...new Set(bundlesOf(code).flatMap((text) => [...text.matchAll(packageName)].map(([, name]) => name)))]
  must(named.includes('openid-client') && named.length > 30, `only ${named.length} packages are named`)
  const loading = `for (const name of ${JSON.stringify(named)}) await import(name)`
  const loaded = spawnSync('unshare', [...apart('"$@"'), node, '--input-type=module', '-e', loading], {
    env,
    encoding: 'utf8',
    cwd: code,
  })
  must(loaded.status === 0, `packages: ${loaded.stderr}`)
  const made = dekt(['create-school'], school)
  must(made.stdout.includes('已建立学校'), `create-school: ${made.stdout}${made.stderr}`)
  const child = spawn('unshare', [...apart('"$@"'), node, 'scripts/start.mjs'], { env, cwd: code })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise((done) => child.on('close', done))
  try {
    for (const until = Date.now() + 60_000; !output.includes('已启动'); await sleep(100))
      must(child.exitCode === null && Date.now() < until, output)
    // into the space without network, where it listens
    const ask = (/** @type {string} */ path) =>
      JSON.parse(
        spawnSync(
          'nsenter',
          [
            '-t',
            String(child.pid),
            '-n',
            node,
            '-e',
            `fetch('http://127.0.0.1:18080${path}').then(async (a) => console.log(JSON.stringify([a.status, await a.text()])))`,
          ],
          { encoding: 'utf8' },
        ).stdout || '[0, ""]',
      )
    must(ask('/readyz')[0] === 200, `readyz: ${ask('/readyz')}`)
    must(ask('/')[1].includes('<div id="root"'), `console: ${ask('/')}`)
    for (const path of ['/m/', '/m/login', '/m/activities'])
      must(ask(path)[1].includes('/m/manifest.webmanifest'), `students' pages: ${path}: ${ask(path)}`)
    const [status, worker] = ask('/m/worker.js')
    must(status === 200 && worker.includes('"/m/index.html"'), `worker of the students' pages: ${status}`)
    must(ask('/credentials/nobody')[0] === 404 && !ask('/credentials/nobody')[1].includes('<div'), 'credentials')
    const told = JSON.parse(ask('/api/version')[1])
    const { version: wanted } = JSON.parse(readFileSync(join(code, 'package.json'), 'utf8'))
    must(told.version === wanted && told.commit && `v${told.node}` === version, JSON.stringify(told))
    const checked = dekt(['statistics', 'check'])
    must(
      checked.status === 0 && checked.stdout.includes('与原始记录一致'),
      `statistics: ${checked.stdout}${checked.stderr}`,
    )
    const upgrade = dekt(['upgrade', '--check'])
    must(upgrade.stdout.includes('表结构已是最新'), `upgrade: ${upgrade.stdout}${upgrade.stderr}`)
  } finally {
    child.kill('SIGTERM')
  }
  must((await ended) === 0 && output.includes('已停止'), output)
  say(`Node ${version}：建校、启动、应答、统计核对、升级检查、停止，都没有用到网络，也没有写代码目录`)
}
