import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { during } from './progress.mjs'
import { giveUp, isRelease, quoted, root, runQuietly } from './root.mjs'

/** What each half is made of; a change in any of these files means building it anew. */
const halves = {
  server: {
    name: '服务端',
    inputs: [
      'contract',
      'server',
      'scripts/build.mjs',
      'scripts/bundling.mjs',
      'scripts/progress.mjs',
      'scripts/statistics.ts',
      'scripts/diagnostics.ts',
      'package.json',
      'package-lock.json',
    ],
  },
  web: {
    name: '控制台',
    inputs: [
      'contract',
      'web',
      'm',
      'public',
      'index.html',
      'vite.config.ts',
      'vite.students.config.ts',
      'scripts/build.mjs',
      'package-lock.json',
      'tsconfig.base.json',
      '.env',
      '.env.local',
      '.env.production',
      '.env.production.local',
    ],
  },
}

/**
 * Builds what has changed since it was last built, into dist/server and dist/web. In a process of its own, so that the
 * memory it takes is given back.
 * @param {(keyof typeof halves)[]} wanted
 */
export async function ensureBuilt(wanted = ['server', 'web']) {
  for (const half of wanted) {
    const { name } = halves[half]
    const state = stateOf(half)
    if (builtState(half) === state) continue
    rmSync(markOf(half), { force: true })
    const { good, output } = await during(`正在构建${name}……`, () =>
      runQuietly(process.execPath, [join(root, 'scripts/build.mjs'), half]),
    )
    if (!good) giveUp(`构建${name}失败：\n\n${quoted(output, 30)}`)
    process.stdout.write(output)
    writeFileSync(markOf(half), state)
  }
}

/**
 * Whether a half has been built from the files that are here; of a release, which has no sources, whether it is there.
 * With which settings does not matter: a service is started without those that were there when it was built.
 * @param {keyof typeof halves} half
 */
export const isBuilt = (half) =>
  isRelease ? builtState(half) !== undefined : builtState(half)?.split(' ')[0] === stateOf(half).split(' ')[0]

/** @param {keyof typeof halves} half */
const markOf = (half) => join(root, 'dist', `${half}.built`)

/** The state a half was in when it was built; undefined where it is not there. @param {keyof typeof halves} half */
const builtState = (half) =>
  existsSync(markOf(half)) && existsSync(join(root, 'dist', half)) ? readFileSync(markOf(half), 'utf8') : undefined

/**
 * What a half is made of, in two words: one for its files; one for the Node it was built under and, for the console,
 * the settings that are built into it.
 * @param {keyof typeof halves} half
 * @param {NodeJS.ProcessEnv} env
 */
export function stateOf(half, env = process.env) {
  const files = createHash('sha256')
  for (const input of halves[half].inputs) {
    for (const file of filesOf(join(root, input)))
      files.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  const settings = createHash('sha256').update(process.versions.node.split('.')[0])
  if (half === 'web')
    for (const name of Object.keys(env)
      .filter((each) => each.startsWith('VITE_'))
      .sort())
      settings.update(`${name}=${env[name]}`).update('\0')
  return `${files.digest('hex')} ${settings.digest('hex')}`
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!existsSync(path)) return []
  const folder = readdirSyncOrNull(path)
  if (!folder) return [path]
  return folder
    .filter((name) => !/\.test\.tsx?$/.test(name))
    .sort()
    .flatMap((name) => filesOf(join(path, name)))
}

function readdirSyncOrNull(path) {
  try {
    return readdirSync(path)
  } catch {
    return null
  }
}

/** Programs and threads each get a file beside the others, because a thread is found beside whoever starts it. */
async function buildServer() {
  const { build } = await import('esbuild')
  const { bundling } = await import('./bundling.mjs')
  const threads = filesOf(join(root, 'server')).filter((file) => file.endsWith('.worker.ts'))
  const fresh = join(root, 'dist/server.new')
  rmSync(fresh, { recursive: true, force: true })
  await build({
    ...bundling(),
    entryPoints: {
      main: join(root, 'server/main.ts'),
      'create-school': join(root, 'server/create-school.ts'),
      statistics: join(root, 'scripts/statistics.ts'),
      diagnostics: join(root, 'scripts/diagnostics.ts'),
      upgrade: join(root, 'server/upgrade.ts'),
      ...Object.fromEntries(threads.map((file) => [basename(file, '.ts'), file])),
    },
    outdir: fresh,
    sourcemap: 'linked',
    logLevel: 'warning',
  })
  writeFileSync(join(fresh, 'build.json'), `${JSON.stringify(buildNote(), null, 2)}\n`)
  const place = join(root, 'dist/server')
  keepRunning(place, fresh)
  replace(fresh, place)
}

const keptDays = 7

/**
 * A program that still runs reads parts of its own build when it first needs them: they stay beside the new ones for
 * some days. Their names tell their content, so that none is taken for another.
 * @param {string} place @param {string} fresh
 */
export function keepRunning(place, fresh) {
  if (!existsSync(place)) return
  const oldest = Date.now() - keptDays * 86_400_000
  for (const name of readdirSync(place)) {
    const [from, to] = [join(place, name), join(fresh, name)]
    if (/-[A-Z0-9]{8}\.js(\.map)?$/.test(name) && !existsSync(to) && statSync(from).mtimeMs > oldest)
      cpSync(from, to, { preserveTimestamps: true })
  }
}

/** What `/api/version` tells of a build; the commit is null where there is no git or no repository. */
function buildNote() {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const git = (/** @type {string[]} */ ...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  const head = git('rev-parse', 'HEAD')
  const isDirty = git('status', '--porcelain', '--untracked-files=no').stdout?.trim() !== ''
  const commit = head.status === 0 ? `${head.stdout.trim()}${isDirty ? '-dirty' : ''}` : null
  return { version, commit, builtAt: new Date().toISOString() }
}

async function buildWeb() {
  const { build } = await import('vite')
  const fresh = join(root, 'dist/web.new')
  await build({ root, logLevel: 'warn', build: { outDir: fresh, emptyOutDir: true } })
  await build({
    root,
    configFile: join(root, 'vite.students.config.ts'),
    logLevel: 'warn',
    build: { outDir: fresh, emptyOutDir: false },
  })
  replace(fresh, join(root, 'dist/web'))
}

/** Puts a finished half in the place of the old one, so that an interrupted build leaves the old one whole. */
function replace(fresh, place) {
  rmSync(place, { recursive: true, force: true })
  renameSync(fresh, place)
}

if (process.argv[1] === join(root, 'scripts/build.mjs')) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const wanted = process.argv.slice(2)
  if (wanted.length === 0) await ensureBuilt()
  else
    for (const half of wanted)
      await (half === 'server' ? buildServer() : buildWeb()).catch((error) => giveUp(error.message))
}
