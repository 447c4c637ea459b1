import { copyFileSync, renameSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../core/base/config.ts'

/** Milliseconds between looks at the size of the logs. */
const lookEveryMs = 60_000

/**
 * Keeps the logs of a program within bounds: one that has grown past `LOG_LIMIT_MB` becomes `….1`, in place of the one
 * before it. Looks at once and then each minute.
 * @param reopen has every process of the program open its log anew
 * @returns a function that ends it
 */
export function startLogRotation(
  { logFile, dataDir, logLimit }: Pick<Config, 'logFile' | 'dataDir' | 'logLimit'>,
  reopen: () => void,
): () => void {
  if (logLimit === 0) return () => {}
  const look = (): void => {
    // a full disk or a missing right must not end the service because of its logs
    try {
      if (logFile && isLarger(logFile, logLimit)) {
        renameSync(logFile, `${logFile}.1`)
        reopen()
      }
      // PostgreSQL holds this file open for as long as it runs, and appends to it
      const postgresLog = join(dataDir, 'postgres.log')
      if (isLarger(postgresLog, logLimit)) {
        copyFileSync(postgresLog, `${postgresLog}.1`)
        truncateSync(postgresLog)
      }
    } catch {
      // the next look tries again
    }
  }
  look()
  const timer = setInterval(look, lookEveryMs).unref()
  return () => clearInterval(timer)
}

const isLarger = (path: string, bytes: number): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytes
