import { pino } from 'pino'
import { parseConfig } from '../core/base/config.ts'
import type { Connection } from '../core/database/connection.ts'
import { openDatabase } from '../core/database/pool.ts'
import { folderStore } from '../core/files/files.ts'
import { startJobs } from '../core/jobs/job-runner.ts'
import { openSignals } from '../core/database/signals.ts'
import { systemClock } from '../core/base/clock.ts'
import { importJobs } from '../platform/imports/import-jobs.ts'
import { actorFor } from '../school/session/tokens.ts'
import { importers } from '../setup/importers.ts'

/**
 * A process to be killed: runs the jobs of imports on the database and with the secrets of the test that forks it
 * (`import-runner <connection as JSON> <secrets as hexadecimal JSON>`).
 */
const connection = JSON.parse(process.argv[2]!) as Connection
const secrets = Object.fromEntries(
  Object.entries(JSON.parse(process.argv[3]!) as Record<string, string>).map(([name, hex]) => [
    name,
    Buffer.from(hex, 'hex'),
  ]),
) as { pepper: Buffer; fieldKey: Buffer; hashKey: Buffer }
const { db } = openDatabase(connection, { max: 4 })
const log = pino({ level: 'silent' })
const services = {
  db,
  secrets,
  clock: systemClock,
  config: parseConfig({}),
  files: folderStore('/nowhere'),
  signals: openSignals(connection, log),
  log,
}
const { import: imports } = importJobs(services, importers, actorFor)
await startJobs({ ...services, handlers: { import: imports! }, pollMs: 100, beatMs: 100 })
