import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { systemClock } from '../core/base/clock.ts'
import { parseConfig } from '../core/base/config.ts'
import type { Connection } from '../core/database/connection.ts'
import { openDatabase } from '../core/database/pool.ts'
import { openSignals } from '../core/database/signals.ts'
import { folderStore } from '../core/files/files.ts'
import { noRateLimits } from './no-rate-limits.ts'

/**
 * The service as one more process on the database of a test; started by `startInstance`, which gives the connection,
 * the data folder and the secrets in hexadecimal digits. Its first line of output is its address.
 */
const { connection, dataDir, secrets } = JSON.parse(process.argv[2]!) as {
  connection: Connection
  dataDir: string
  secrets: { pepper: string; fieldKey: string; hashKey: string }
}
const log = pino({ level: 'silent' })
const app = await buildApp({
  db: openDatabase(connection, { max: 4 }).db,
  config: parseConfig({ DATA_DIR: dataDir, ...noRateLimits }),
  secrets: {
    pepper: Buffer.from(secrets.pepper, 'hex'),
    fieldKey: Buffer.from(secrets.fieldKey, 'hex'),
    hashKey: Buffer.from(secrets.hashKey, 'hex'),
  },
  clock: systemClock,
  files: folderStore(dataDir),
  signals: openSignals(connection, log),
  log,
})
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
