import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './process.ts'

/**
 * Folders of the program in the system's place for temporary files. Whoever makes one removes it; those of a process
 * that was killed are swept by the next one on the machine.
 */
const kinds = ['upload', 'source', 'outgoing', 'verify', 'drill', 'restore', 'wal'] as const

const ownName = new RegExp(`^console-(?:${kinds.join('|')})-(\\d+)-\\w{6}$`)
/**
 * Milliseconds that a folder is left alone. Processes that do not see each other, as in containers, may share a place
 * for temporary files: what is in use is younger, whatever became of its process.
 */
const leastAgeMs = 3600_000
/**
 * Milliseconds after which it goes whoever made it: no work takes so long, and the number of its process may be
 * another's.
 */
const maxAgeMs = 24 * 3600_000
const sweepEveryMs = 3600_000

/**
 * Makes a private folder.
 * @param place another one than the system's, which is then not swept unless it is the same
 * @returns its path; the caller removes it
 */
export const makeTemporaryFolder = (kind: (typeof kinds)[number], place = tmpdir()): string =>
  mkdtempSync(join(place, `console-${kind}-${process.pid}-`))

/** Removes folders whose process has ended. @returns their names */
export function sweepTemporaryFolders(now = Date.now()): string[] {
  const startedAt = now - process.uptime() * 1000
  return readdirSync(tmpdir()).filter((name) => {
    const [, pid] = ownName.exec(name) ?? []
    if (!pid) return false
    const path = join(tmpdir(), name)
    // one of another user stays theirs, and one that has just gone is gone
    try {
      const { mtimeMs } = statSync(path)
      const age = now - mtimeMs
      // the number of this process was an earlier one's, as in a container that was started anew
      const hasEnded = Number(pid) === process.pid ? mtimeMs < startedAt : !isAlive(Number(pid))
      if (age < leastAgeMs || !(hasEnded || age > maxAgeMs)) return false
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
      return true
    } catch {
      return false
    }
  })
}

/** Sweeps now and then each hour. @param onSwept told of what went @returns a function that ends it */
export function startTemporarySweep(onSwept: (names: string[]) => void): () => void {
  const sweep = () => {
    const names = sweepTemporaryFolders()
    if (names.length > 0) onSwept(names)
  }
  sweep()
  const timer = setInterval(sweep, sweepEveryMs).unref()
  return () => clearInterval(timer)
}
