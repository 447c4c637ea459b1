import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { giveUp, root, run, say } from './root.mjs'

const mark = join(root, 'node_modules/.installed')

/** Installs the packages of the lockfile unless exactly these are there already. */
export function ensureInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const wanted = createHash('sha256').update(`${process.platform} ${process.arch} ${lock}`).digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  if (!isInstalled(JSON.parse(lock))) {
    say('正在安装依赖（npm ci）……')
    // whatever NODE_ENV says: the console is built with packages that only development needs
    if (!run('npm', ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']))
      giveUp('安装依赖失败，请检查网络与上面的提示后重试。')
  }
  try {
    writeFileSync(mark, wanted)
  } catch {
    // a tree we may not write is compared anew next time
  }
}

/**
 * Compares npm's own note of what it installed with the lockfile.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean, os?: string[], cpu?: string[], libc?: string[] }> }} lock
 */
function isInstalled(lock) {
  const note = join(root, 'node_modules/.package-lock.json')
  if (!existsSync(note)) return false
  const there = JSON.parse(readFileSync(note, 'utf8')).packages
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      path === '' ||
      (there[path]
        ? there[path].version === version && existsSync(join(root, path))
        : optional && !oursToRun(lock.packages[path])),
  )
}

/** Whether an optional package is meant for this platform; those of others are rightly missing. */
const oursToRun = ({ os, cpu, libc } = {}) =>
  (os?.includes(process.platform) ?? false) && (cpu?.includes(process.arch) ?? true) && !libc?.includes('musl')
