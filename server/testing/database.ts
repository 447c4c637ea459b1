import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../core/database/connection.ts'
import { openDatabase, type Database, type Db } from '../core/database/pool.ts'
import { serviceConnection } from '../core/postgres/embedded.ts'
import { schoolBinder } from '../core/database/school-binder.ts'
import { copyDivided } from './citus-server.ts'
import { template } from './database.setup.ts'
import { atFileEnd } from './file-end.ts'

/** Opened as the service, so that every test proves that its rights suffice. */
export interface TestDatabase extends Database {
  connection: Connection
  /** Of the owner, for what the service may not do: `asOwner`. */
  owner: Connection
  /** Of one test file, not of all. */
  isOwn: boolean
}

const bind = inject('citus') ? await schoolBinder() : undefined

let shared: TestDatabase | undefined
let own: TestDatabase | undefined

/**
 * The database that all tests share, but for files that are `apart()`; schools keep them apart, and nothing is cleaned.
 * One pool per test process.
 */
export async function testDatabase(): Promise<TestDatabase> {
  if (own) return own
  shared ??= { ...openAsService(inject('connection')), isOwn: false }
  return shared
}

/**
 * Gives the file that calls it, before anything else, a database that no other test file uses: for what works on all
 * schools at once, such as a runner of jobs, which would take the jobs of others, or a sweep at a later time, which
 * would take what others still need.
 */
export async function useOwnDatabase(): Promise<void> {
  const mine = (own = await ownDatabase())
  atFileEnd(() => {
    own = undefined
    return mine.close()
  })
}

function openAsService(owner: Connection) {
  const connection = serviceConnection(owner)
  const pooled = inject('pooled')
  const opened = pooled
    ? openDatabase(
        { ...pooled, database: owner.database! },
        { max: 12, direct: connection, preparedStatements: inject('pooledPrepared') },
      )
    : openDatabase(connection, { max: 12, bind })
  return { ...opened, connection, owner }
}

/** Does something with the database of the tests that only its owner may do. */
export async function asOwner<R>(work: (db: Db, pool: pg.Pool) => Promise<R>, database?: TestDatabase): Promise<R> {
  const { db, pool, close } = openDatabase((database ?? (await testDatabase())).owner, { max: 2, bind })
  return work(db, pool).finally(close)
}

/**
 * A migrated database of one's own, for tests of what is not kept apart by schools. Empty: without any migration,
 * opened as its owner, for then nobody has been given any rights.
 */
export async function ownDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const owner = { ...inject('connection'), database: `own_${randomUUID().replaceAll('-', '')}` }
  const nodes = inject('citus')
  if (nodes && kind === 'migrated') {
    await copyDivided(nodes, owner.database, template)
    return { ...openAsService(owner), isOwn: true }
  }
  const admin = new pg.Client({ ...owner, database: 'postgres' })
  await admin.connect()
  // copied file by file, it costs a fifth of what it does through the WAL
  await admin
    .query(`create database ${owner.database} template ${kind === 'empty' ? 'template1' : template} strategy file_copy`)
    .finally(() => admin.end())
  if (kind === 'migrated') return { ...openAsService(owner), isOwn: true }
  return { ...openDatabase(owner, { max: 12 }), connection: owner, owner, isOwn: true }
}
