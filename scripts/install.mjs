import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { during } from './progress.mjs'
import { giveUp, quoted, root, runQuietly } from './root.mjs'

const mark = join(root, 'node_modules/.installed')

/** Installs the packages of the lockfile unless exactly these are there already. */
export async function ensureInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const wanted = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  if (!isInstalled(JSON.parse(lock))) await install()
  try {
    writeFileSync(mark, wanted)
  } catch {
    // a tree we may not write is compared anew next time
  }
}

/**
 * Whether every package is there that the program needs to run; those that only building and testing need may have been
 * left out.
 */
export const canRun = () => isInstalled(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')), false)

async function install() {
  const { good, output } = await during('正在安装依赖包（首次约一分钟，视网速而定）……', () =>
    runQuietly('npm', [
      'ci',
      // whatever NODE_ENV says: the console is built with packages that only development needs
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-progress',
      '--loglevel=error',
      '--prefer-offline',
      // a source that cannot be reached is told within minutes instead of a quarter of an hour
      '--fetch-timeout=60000',
      '--fetch-retries=2',
    ]),
  )
  if (!good)
    giveUp(
      `安装依赖包失败（npm ci）。npm 的说明：\n\n${quoted(withoutStack(output), 8)}\n\n` +
        '请检查：能否访问软件包源（npm config get registry；需要时设置代理或镜像），磁盘是否有 2 GB 余量，node_modules 是否可写。\n' +
        '解决后重新运行刚才的命令即可，已下载的部分不会重新下载。',
    )
}

/** npm's words without the stack and the innards of its errors, which it indents. @param {string} output */
const withoutStack = (output) =>
  output
    .split('\n')
    .filter((line) => !/^npm error(\s{2,}|\s*$|\s\})/.test(line))
    .join('\n')

/**
 * Compares npm's own note of what it installed with the lockfile.
 * @param {{ packages: Record<string, { version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?:
 *   string[], libc?: string[] }> }} lock
 * @param {boolean} [withDev] whether packages that only building and testing need count
 */
function isInstalled(lock, withDev = true) {
  const note = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const there = JSON.parse(readFileSync(note, 'utf8')).packages
  return Object.entries(lock.packages).every(
    ([path, { version, dev, optional }]) =>
      path === '' ||
      (dev && !withDev) ||
      (there[path]
        ? there[path].version === version && existsSync(join(root, path))
        : optional && !oursToRun(lock.packages[path])),
  )
}

/** Whether an optional package is meant for this platform; those of others are rightly missing. */
const oursToRun = ({ os, cpu, libc } = {}) =>
  (os?.includes(process.platform) ?? false) && (cpu?.includes(process.arch) ?? true) && !libc?.includes('musl')
