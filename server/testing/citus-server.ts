import pg from 'pg'
import type { Connection } from '../core/database/connection.ts'

/** A Citus that the tests run on: the machine that is asked first, then those that keep schools. */
export type CitusNodes = Connection[]

/**
 * The machines of a running Citus.
 * @param url of a superuser on the coordinator; to a database that tells its workers
 */
export async function citusNodes(url: string): Promise<CitusNodes> {
  const { hostname, port, username, pathname } = new URL(url)
  const coordinator = { host: hostname, port: Number(port), user: decodeURIComponent(username) }
  const rows = await ask<{ host: string; port: number }>(
    { ...coordinator, database: pathname.slice(1) || 'postgres' },
    `select nodename "host", nodeport "port" from pg_dist_node where noderole = 'primary' and groupid <> 0 order by 2`,
  )
  return [coordinator, ...rows.map((row) => ({ ...coordinator, ...row }))]
}

/** Makes a database of the same name on every machine and has them know each other. */
export async function createDividable(nodes: CitusNodes, name: string): Promise<void> {
  for (const node of nodes) {
    await ask({ ...node, database: 'postgres' }, `create database ${name}`)
    await ask({ ...node, database: name }, 'create extension citus')
  }
  const [coordinator, ...workers] = nodes
  const there = { ...coordinator!, database: name }
  await ask(there, `select citus_set_coordinator_host('${coordinator!.host}', ${coordinator!.port})`)
  for (const { host, port } of workers) await ask(there, `select citus_add_node('${host}', ${port})`)
  await ask({ ...coordinator!, database: 'postgres' }, `alter database ${name} set citus.shard_count = 4`)
}

/**
 * Copies a database on every machine: the copies fit together like the originals. The engine's own connections to the
 * original are ended first, and again where it has been quick to come back.
 */
export async function copyDivided(nodes: CitusNodes, name: string, template: string): Promise<void> {
  for (const node of nodes) {
    const there = { ...node, database: 'postgres' }
    await ask(there, `alter database ${template} allow_connections false`)
    for (let tries = 0; ; tries++)
      try {
        await ask(there, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`)
        await ask(there, `create database ${name} template ${template}`)
        break
      } catch (error) {
        if ((error as { code?: string }).code !== '55006' || tries === 50) throw error
      }
  }
  await ask({ ...nodes[0]!, database: 'postgres' }, `alter database ${name} set citus.shard_count = 4`)
}

async function ask<R extends pg.QueryResultRow>(connection: Connection, text: string): Promise<R[]> {
  const client = new pg.Client(connection)
  await client.connect()
  return client
    .query<R>(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}
