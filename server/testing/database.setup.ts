import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Connection } from '../core/database/connection.ts'
import { startEmbedded } from '../core/postgres/embedded.ts'
import { isAlive } from '../core/base/process.ts'
import { runningPostmaster, shutDown } from '../core/postgres/postmaster.ts'
import { citusNodes, copyDivided, createDividable, type CitusNodes } from './citus-server.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { embeddedRole, prepareDatabase } from '../setup/prepare-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the owner of the shared database. */
    connection: Connection
    /** With TEST_PGBOUNCER=1: how the service reaches a database through PgBouncer; its name is to be put in. */
    pooled: Connection | undefined
    /** Whether statements may be prepared there. */
    pooledPrepared: boolean
    /** With TEST_CITUS, the address of a coordinator: the machines of the engine that the tests run on. */
    citus: CitusNodes | undefined
  }
}

/** Migrated and never opened, so that it can be copied in a moment. */
export const template = 'template_console'

const prefix = 'console-test-db-'

/** One PostgreSQL for the whole test run, in a temporary folder, with one migrated database that all tests share. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweep()
  const citus = process.env['TEST_CITUS']
  if (citus) return setupOnCitus(project, citus)
  project.provide('citus', undefined)
  const dataDir = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(dataDir, 0o755) // as root, PostgreSQL runs as another user, who must get in
  const server = await startEmbedded({ dataDir, forTests: true })
  await run(server.connection, `create database ${template}`)
  await prepareDatabase({ ...server.connection, database: template }, embeddedRole)
  await run(server.connection, `create database shared template ${template}`)
  project.provide('connection', { ...server.connection, database: 'shared' })
  const pooler = process.env['TEST_PGBOUNCER'] === '1' ? await startPgbouncer(server.connection) : undefined
  project.provide('pooled', pooler?.through(''))
  project.provide('pooledPrepared', pooler?.keepsPrepared ?? false)
  return async () => {
    await pooler?.stop()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The same on a Citus that runs already; its databases are left to whoever runs it. */
async function setupOnCitus(project: TestProject, url: string): Promise<() => Promise<void>> {
  const nodes = await citusNodes(url)
  const [coordinator] = nodes
  await createDividable(nodes, template)
  await prepareDatabase({ ...coordinator!, database: template }, embeddedRole, () => {}, 'citus')
  await copyDivided(nodes, 'shared', template)
  project.provide('citus', nodes)
  project.provide('connection', { ...coordinator!, database: 'shared' })
  project.provide('pooled', undefined)
  project.provide('pooledPrepared', false)
  return async () => {}
}

async function run(connection: Connection, sql: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** Ends and removes what test runs left behind that were killed. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir()).filter((one) => one.startsWith(prefix))) {
    const [owner] = name.slice(prefix.length).split('-')
    if (!Number(owner) || isAlive(Number(owner))) continue
    const folder = join(tmpdir(), name)
    const left = runningPostmaster(join(folder, 'postgres'))
    if (left) await shutDown(join(folder, 'postgres'), left.pid, 2000)
    rmSync(folder, { recursive: true, force: true })
  }
}
