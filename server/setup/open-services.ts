import { mkdirSync, statfsSync } from 'node:fs'
import type pg from 'pg'
import { atMost } from '../core/base/at-most.ts'
import type { Config } from '../core/base/config.ts'
import { telemetry } from '../core/base/telemetry.ts'
import type { Connection } from '../core/database/connection.ts'
import { startEmbedded, type EmbeddedDatabase } from '../core/postgres/embedded.ts'
import { assertArchiver } from '../core/backup/archiver.ts'
import { assertRestored, guardWriting } from '../core/base/data-folder.ts'
import { awaitDatabase, isConnectTimeout } from '../core/database/await-database.ts'
import { schoolBinder } from '../core/database/school-binder.ts'
import { openDatabaseClock, type DatabaseClock } from '../core/database/database-clock.ts'
import { checkPooler } from '../core/database/pooler.ts'
import { openDatabase } from '../core/database/pool.ts'
import { isAway } from '../core/database/unreachable.ts'
import { openFiles } from '../core/files/files.ts'
import { checkFileStore } from '../core/files/store-mark.ts'
import { openVirusScanner } from '../core/files/virus-scanner.ts'
import { processKind } from '../../contract/core/codes/platform.ts'
import { startHeartbeat, type Heartbeat } from '../core/watch/heartbeat.ts'
import type { AppServices } from '../core/http/http.ts'
import { openLog } from '../core/base/log.ts'
import { openSecrets } from '../core/secrets/secrets.ts'
import { openReplica, type Replica } from '../core/database/replica.ts'
import { openSignals, type Signals } from '../core/database/signals.ts'
import { isDiskFull, diskFullText, StartFault } from '../core/base/start-fault.ts'
import { addressesOf, addressesWithin } from './addresses.ts'
import { walArchiveFaults, walArchiveOf } from './backup/configured-wal-archive.ts'
import { assertSameDatabase, embeddedRole, prepareDatabase, serviceRoleOf } from './prepare-database.ts'

export interface OpenServices {
  services: AppServices
  /** Of the owner of the database, for what the service may not do. */
  owner: Connection
  /** Of the service, without a pooler between. */
  direct: Connection
  /** Of the service. */
  pool: pg.Pool
  /** Undefined with an external database. */
  embedded: EmbeddedDatabase | undefined
  /** Closes pool and embedded database. */
  close: () => Promise<void>
}

/**
 * Opens everything below the application: data folder, database with its schema up to date, secrets, file store, log.
 * @param print told, in Chinese, when the person has to wait
 * @param running a database that another process has opened, to be used as a guest; its owner's connection
 */
export async function openServices(
  config: Config,
  print: (text: string) => void,
  running?: Connection,
): Promise<OpenServices> {
  const { dataDir, databaseUrl, migrationDatabaseUrl, databaseEngine } = config
  assertRestored(dataDir)
  const faults = walArchiveFaults()
  const archive = await walArchiveOf(config, faults.tell)
  if (archive && !running) await assertArchiver(config.walArchive!, dataDir)
  const embedded = databaseUrl || running ? undefined : await startEmbedded({ dataDir, log: print, archive })
  const inside = databaseUrl ? undefined : (embedded?.connection ?? running)
  const { connection, direct, owner } = inside ? addressesWithin(inside) : addressesOf(config)
  if (!inside)
    await awaitDatabase(connection, print).catch((error: unknown) => Promise.reject(asStartFault(error, config)))
  const options = {
    preparedStatements: config.preparedStatements,
    direct,
    bind: databaseEngine === 'citus' ? await schoolBinder() : undefined,
  }
  const { db, pool, close } = openDatabase(connection, { ...options, max: config.poolSize })
  const apart = openDatabase(connection, { ...options, max: 1 })
  let signals: Signals | undefined
  let clock: DatabaseClock | undefined
  let heart: Heartbeat | undefined
  let replica: Replica | undefined
  let unhear: (() => void) | undefined
  const closeAll = async () => {
    clock?.close()
    unhear?.()
    await Promise.all([heart?.stop(), replica?.close(), signals?.close()])
    void apart.close()
    // a connection that some deaf piece of work still holds must not keep the program from ending
    await atMost(2000, close())
    await embedded?.stop()
  }
  try {
    guardWriting(dataDir, () => mkdirSync(dataDir, { recursive: true }))
    if (!inside && !running) await checkPooler({ connection, direct, owner }, config)
    if (direct && !running) await assertSameDatabase(pool, direct, 'DIRECT_DATABASE_URL')
    const role = inside ? embeddedRole : migrationDatabaseUrl ? await serviceRoleOf(pool, owner) : undefined
    const isHeld = await prepareDatabase(owner, role, print, databaseEngine)
    const secrets = await openSecrets(db, config)
    const log = guardWriting(dataDir, () => openLog(config))
    // the process that others are guests of says it for all
    if (!isHeld && !running) log.warn(unheld)
    faults.sendTo(log)
    unhear = telemetry.connectionCut.subscribe((connection) =>
      log.warn(connection, 'a connection to the database had fallen silent and was given up'),
    )
    signals = openSignals(direct ?? connection, log)
    clock = await openDatabaseClock(db, log)
    const files = guardWriting(dataDir, () => openFiles(config))
    await checkFileStore(db, files, log)
    const { replicaUrl: url, poolSize, preparedStatements } = config
    replica = url ? openReplica(db, { url, poolSize, preparedStatements, log }) : undefined
    const services: AppServices = {
      db,
      healthDb: apart.db,
      config,
      secrets,
      clock,
      files,
      scanner: openVirusScanner(config, log),
      signals,
      replica,
      log,
    }
    heart = startHeartbeat(services, pool, running ? processKind.web : processKind.main)
    return { services, owner, direct: direct ?? connection, pool, embedded, close: closeAll }
  } catch (error) {
    await closeAll()
    throw asStartFault(error, config)
  }
}

const unheld =
  'the service signs in to PostgreSQL as owner or superuser: PostgreSQL itself does not guard ledger and audit trail; ' +
  'see MIGRATION_DATABASE_URL in docs/operations.md'

/** Troubles of the place rather than of the program, told in words. */
export function asStartFault(error: unknown, { dataDir, databaseUrl, migrationDatabaseUrl }: Config): unknown {
  const { code = '', message = '', syscall } = error as { code?: string; message?: string; syscall?: string }
  // PostgreSQL without room for its WAL breaks off all connections and starts anew
  const brokenOff =
    !databaseUrl &&
    (/^(57P0|08)/.test(code) || /Connection terminated|connection error|ECONNRE|ENOENT.*PGSQL/.test(message))
  if (isDiskFull(error) || (brokenOff && freeBytes(dataDir) < 100 * 1_048_576))
    return new StartFault(diskFullText(dataDir))
  const unreachable =
    // a file may be missing too
    (isAway(code) && (code !== 'ENOENT' || syscall === 'connect')) ||
    ['08001', '57P03', '28P01', '28000', '3D000', '42501'].includes(code) ||
    isConnectTimeout({ message })
  if (!databaseUrl || !unreachable) return error
  const names = migrationDatabaseUrl ? 'DATABASE_URL 或 MIGRATION_DATABASE_URL' : 'DATABASE_URL'
  return new StartFault(`无法使用 ${names} 指定的数据库：${message}`)
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
