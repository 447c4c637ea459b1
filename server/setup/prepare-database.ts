import type pg from 'pg'
import { StartFault } from '../core/base/start-fault.ts'
import type { Connection } from '../core/database/connection.ts'
import { checkEngine, citusOptions, distributeTables, type DatabaseEngine } from '../core/database/citus.ts'
import { migrate } from '../core/database/migrate.ts'
import { withOwnClient } from '../core/database/own-client.ts'
import { ensureServiceRole, grantServiceRights } from '../core/database/service-role.ts'
import { serviceUser } from '../core/postgres/cluster.ts'
import { migrations } from '../migrations/index.ts'
import { serviceRights } from './service-rights.ts'

/** The role that the service signs in as. */
interface ServiceRole {
  name: string
  /** Whether it is made where it is missing: in our own cluster, which lets in whoever reaches its socket. */
  isOurs: boolean
}

/** The service's role in an embedded database. */
export const embeddedRole: ServiceRole = { name: serviceUser, isOurs: true }

/**
 * Brings the schema up to date and gives the service its rights on it, one process at a time.
 * @param role undefined where the service is the owner
 * @param print told, in Chinese, why it waits
 * @param engine of the database; a divided one is divided after the migrations
 * @throws StartFault where the server is not what the engine says
 * @returns whether PostgreSQL itself holds the service to its rights
 */
export async function prepareDatabase(
  owner: Connection,
  role: ServiceRole | undefined,
  print: (text: string) => void = () => {},
  engine: DatabaseEngine = 'postgresql',
): Promise<boolean> {
  await checkEngine(owner, engine)
  let isHeld = false
  const afterwards = async (client: pg.PoolClient): Promise<void> => {
    if (engine === 'citus') await distributeTables(client, print)
    if (role?.isOurs) await ensureServiceRole(client, role.name)
    if (role) isHeld = await grantServiceRights(client, role.name, serviceRights)
  }
  const connection = engine === 'citus' ? { ...owner, options: citusOptions } : owner
  await migrate(connection, migrations, { afterwards, print })
  return isHeld
}

const whereQuery = `
  select current_user "name",
    concat_ws(
      ' ', current_database(), current_schema(), extract(epoch from pg_postmaster_start_time())
    ) "place"`

/**
 * Who the service is in an external database, which its owner reaches by another address.
 * @throws StartFault when the two lead to different databases
 */
export async function serviceRoleOf(service: pg.Pool, owner: Connection): Promise<ServiceRole> {
  return { name: await assertSameDatabase(service, owner, 'MIGRATION_DATABASE_URL'), isOurs: false }
}

/**
 * Compares where two addresses lead to; sessions may differ in their settings, such as the time zone.
 * @param setting that gives the second address
 * @returns the name that the service is known by
 * @throws StartFault when the two lead to different databases
 */
export async function assertSameDatabase(service: pg.Pool, other: Connection, setting: string): Promise<string> {
  return withOwnClient(other, async (own) => {
    const [here, there] = await Promise.all(
      [service, own].map(async (one) => (await one.query<{ name: string; place: string }>(whereQuery)).rows[0]!),
    )
    if (here!.place !== there!.place) throw new StartFault(`DATABASE_URL 与 ${setting} 须指向同一个数据库。`)
    return here!.name
  })
}
