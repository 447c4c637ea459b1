import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandOf, isAlive } from '../base/process.ts'

/** What PostgreSQL writes about itself into its folder while it runs. */
interface Postmaster {
  pid: number
  socketDir: string
}

/**
 * The postmaster that runs on the cluster, ready or not, or null. The file alone proves nothing: after a crash it
 * stays, and its process number may belong to somebody else by now.
 */
export function runningPostmaster(cluster: string): Postmaster | null {
  const lines = pidFile(cluster)
  const pid = Number(lines?.[0])
  if (!lines || !Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null
  const command = commandOf(pid)
  return command.includes('postgres') && command.includes(cluster) ? { pid, socketDir: lines[4] ?? '' } : null
}

/**
 * PostgreSQL refuses to start while the number in a left-over file belongs to any living process of its user. The file
 * must not be removed, for it also names the shared memory by which PostgreSQL notices server processes that outlived
 * their postmaster. So the number is replaced by that of the new postmaster's parent, which PostgreSQL knows cannot be
 * a rival.
 */
export function disarmStalePidFile(cluster: string): void {
  const lines = pidFile(cluster)
  removeSocketDir(lines?.[4] ?? '')
  if (lines && isAlive(Number(lines[0])))
    writeFileSync(join(cluster, 'postmaster.pid'), [process.pid, ...lines.slice(1)].join('\n'))
}

/**
 * Asks for a fast shutdown (open transactions are rolled back, everything else is written) and waits for the end. After
 * `timeoutMs` milliseconds the server is told to leave at once, which loses nothing either but makes the next start
 * recover.
 */
export async function shutDown(cluster: string, pid: number, timeoutMs = 20_000): Promise<void> {
  const gone = (): boolean => !isAlive(pid) || runningPostmaster(cluster)?.pid !== pid
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (gone()) return
    try {
      process.kill(pid, signal)
    } catch {
      return
    }
    for (const until = Date.now() + timeoutMs; Date.now() < until && !gone();) await sleep(20)
  }
}

/**
 * Where the socket of a server goes: a private folder with a short path, for socket paths end at about 100 characters.
 */
export const socketPrefix = 'console-pg-'

/** Removes the folder of a socket, if it is one that this program made. */
export function removeSocketDir(socketDir: string): void {
  if (basename(socketDir).startsWith(socketPrefix)) rmSync(socketDir, { recursive: true, force: true })
}

function pidFile(cluster: string): string[] | null {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return null
  }
}
