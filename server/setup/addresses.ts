import type { Config } from '../core/base/config.ts'
import { connectionTo, type Connection } from '../core/database/connection.ts'
import { serviceConnection } from '../core/postgres/embedded.ts'

/** How a database is reached: by the service, by it past a pooler where one stands between, and by its owner. */
export interface Addresses {
  connection: Connection
  direct: Connection | undefined
  owner: Connection
}

/** Of an embedded database, by its owner's connection. */
export const addressesWithin = (owner: Connection): Addresses => ({
  connection: serviceConnection(owner),
  direct: undefined,
  owner,
})

/** Of an external database, by the settings. */
export function addressesOf({ databaseUrl = '', directDatabaseUrl, migrationDatabaseUrl }: Config): Addresses {
  return {
    connection: connectionTo(databaseUrl),
    direct: directDatabaseUrl === undefined ? undefined : connectionTo(directDatabaseUrl),
    owner: connectionTo(migrationDatabaseUrl ?? directDatabaseUrl ?? databaseUrl),
  }
}
