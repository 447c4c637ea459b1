import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino, stdSerializers, type Logger } from 'pino'
import type { Config } from './config.ts'
import { giveToOwnerOf } from './data-folder.ts'

/** Fields whose values never reach the log, wherever they stand in what is logged. */
const secretNames = new Set([
  'password',
  'oldPassword',
  'newPassword',
  'passwordHash',
  'pepper',
  'access_token',
  'refresh_token',
  'authorization',
  'cookie',
  'code',
  'totp',
  'device_token',
  'secret',
  'recoveryCodes',
  'suiIdCard',
  'suiPhone',
  'birth',
])

/**
 * Lines are written together: when so many bytes of them wait, and at the latest after so many milliseconds. A write
 * for each costs a tenth of a list request.
 */
const together = { minLength: 4096, periodicFlush: 250 }

/**
 * Opens the log, one JSON object a line. Values of fields that may hold secrets or personal data are replaced, and of
 * errors only those parts are kept that cannot carry rows (PostgreSQL's detail texts do).
 */
export function openLog({ logLevel, logFile }: Pick<Config, 'logLevel' | 'logFile'>): Logger {
  if (logFile) makeReady(logFile)
  const target = pino.destination({ dest: logFile ?? 1, sync: false, mode: 0o600, ...together })
  // a full disk must not end the service because of its log
  target.on('error', () => {})
  if (logFile) {
    const again = (): void => {
      makeReady(logFile)
      target.reopen()
    }
    reopening.add(again)
    target.on('close', () => reopening.delete(again))
  }
  return pino(
    {
      level: logLevel,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: censored },
      serializers: { err: bareError },
    },
    target,
  )
}

/** One for each log file of this process that is open. */
const reopening = new Set<() => void>()

/**
 * Goes on writing at the paths of the log files, for somebody has moved the files away, as logrotate does.
 * @returns what failed; that log goes on in the file that was moved
 */
export function reopenLogs(): unknown[] {
  return [...reopening].flatMap((again) => {
    try {
      again()
      return []
    } catch (error) {
      return [error]
    }
  })
}

/** Opening it here shows at the start, and not silently later, that it cannot be written. */
function makeReady(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  closeSync(openSync(path, 'a', 0o600))
  giveToOwnerOf(dirname(path), path)
}

/**
 * The same record with `***` for every secret; the very same object where it holds none, as nearly always. pino's own
 * redaction copies each record once for every path it knows. Errors are left to their serializer.
 */
function censored(value: object, depth = 0): Record<string, unknown> {
  const fields = value as Record<string, unknown>
  let copy: Record<string, unknown> | undefined
  for (const [key, item] of Object.entries(fields)) {
    const shown = secretNames.has(key) ? '***' : isPlain(item) && depth < 8 ? censored(item, depth + 1) : item
    if (shown !== item) (copy ??= Array.isArray(value) ? ([...value] as never) : { ...fields })[key] = shown
  }
  return copy ?? fields
}

const isPlain = (item: unknown): item is object =>
  item !== null &&
  typeof item === 'object' &&
  (Array.isArray(item) || Object.getPrototypeOf(item) === Object.prototype || Object.getPrototypeOf(item) === null)

function bareError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const { code, constraint, table, column, routine } = error as unknown as Record<string, unknown>
  return { type, message, stack, errorCode: code, constraint, table, column, routine }
}
