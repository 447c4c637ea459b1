import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../core/base/config.ts'
import { StartFault } from '../../core/base/start-fault.ts'
import { connectionTo, type Connection } from '../../core/database/connection.ts'
import { walArchiveOf } from './configured-wal-archive.ts'
import { joinRunning, startEmbedded } from '../../core/postgres/embedded.ts'

/** A database as its owner, for a command. */
export interface ReachedDatabase {
  connection: Connection
  close: () => Promise<void>
}

/**
 * The database that the settings name, as it is: the one of a running program beside it, else it is started; nothing is
 * made or migrated.
 * @throws StartFault where there is none
 */
export async function reachDatabase(config: Config, print: (text: string) => void): Promise<ReachedDatabase> {
  const { dataDir, databaseUrl, migrationDatabaseUrl } = config
  if (databaseUrl)
    return { connection: connectionTo(migrationDatabaseUrl ?? databaseUrl), close: () => Promise.resolve() }
  if (!existsSync(join(dataDir, 'postgres')))
    throw new StartFault(`${dataDir} 中没有数据库。请用 DATA_DIR 指定数据目录，或用 DATABASE_URL 指定外部数据库。`)
  const running = joinRunning(dataDir)
  if (running) return { connection: running, close: () => Promise.resolve() }
  const embedded = await startEmbedded({ dataDir, log: print, archive: await walArchiveOf(config) })
  return { connection: embedded.connection, close: () => embedded.stop() }
}
