import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A program of Debian's, which a bare machine gets on the way.
 * @param packages that bring it
 * @throws Error that says what to install, where it cannot be done here
 */
export function needDebian(packages: string, isThere: () => boolean): void {
  if (isThere()) return
  const install = `apt-get install ${packages}`
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    throw new Error(`missing on this machine: ${install}`)
  // a service that comes with the package would take the ports of this machine
  const command = `apt-get update -qq && DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq --no-install-recommends ${packages}`
  // several test processes may want something at once, and apt refuses all but the first
  const lock = join(tmpdir(), 'second-classroom-apt.lock')
  const { status, stderr } = spawnSync('flock', [lock, 'sh', '-c', command], { encoding: 'utf8' })
  if (status !== 0 || !isThere()) throw new Error(`${install}: ${stderr}`)
}

/** Whether a program answers by its name. */
export const hasProgram = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0
