import { closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pino, stdSerializers, type Logger } from 'pino'
import type { Config } from './config.ts'
import { giveToOwnerOf } from './database/data-folder.ts'

/** Words that never reach the log, wherever they stand in what is logged. */
const secretNames = ['password', 'oldPassword', 'newPassword', 'passwordHash', 'pepper', 'access_token', 'refresh_token', 'authorization', 'cookie', 'code', 'suiIdCard', 'suiPhone', 'birth']

/**
 * Opens the log, one JSON object a line. Values of fields that may hold secrets or personal data are replaced, and of errors
 * only those parts are kept that cannot carry rows (PostgreSQL's detail texts do). A file past 16 MB is put aside at the start.
 */
export function openLog({ logLevel, logFile }: Pick<Config, 'logLevel' | 'logFile'>): Logger {
  if (logFile) makeReady(logFile)
  const target = pino.destination({ dest: logFile ?? 1, sync: false })
  // a full disk must not end the service because of its log
  target.on('error', () => {})
  return pino({ level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '***' }, serializers: { err: bareError } }, target)
}

/** Opening it here shows at the start, and not silently later, that it cannot be written. */
function makeReady(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 16 * 1_048_576) renameSync(path, `${path}.1`)
  closeSync(openSync(path, 'a', 0o600))
  giveToOwnerOf(dirname(path), path)
}

function bareError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = stdSerializers.err(error)
  const { code, constraint, table, column, routine } = error as unknown as Record<string, unknown>
  return { type, message, stack, errorCode: code, constraint, table, column, routine }
}
