import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** True while a process of that number runs; one that ended and was not yet collected by its parent does not count. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return statOf(pid)?.[0] !== 'Z'
}

/**
 * Something that tells two processes apart which had the same number one after the other (numbers are used again, and
 * in a container nearly always at once). Empty when the process is gone.
 */
export function startMark(pid: number): string {
  const ticks = statOf(pid)?.[19]
  if (ticks !== undefined) return `${read('/proc/sys/kernel/random/boot_id').trim()} ${ticks}`
  return process.platform === 'linux' ? '' : ps(pid, 'lstart=')
}

/** The command line of a process; empty when it is gone. */
export function commandOf(pid: number): string {
  return process.platform === 'linux' ? read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') : ps(pid, 'command=')
}

/** The fields of /proc/<pid>/stat from the third (the state) on; the second may itself hold spaces and brackets. */
function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat === '' ? undefined : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const ps = (pid: number, field: string): string =>
  spawnSync('ps', ['-o', field, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? ''

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
