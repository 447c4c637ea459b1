import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import type { Connection } from '../core/database/connection.ts'
import { openDatabase, type Database } from '../core/database/pool.ts'
import { template } from './database.setup.ts'
import { atFileEnd } from './file-end.ts'

export interface TestDatabase extends Database {
  connection: Connection
  /** Of one test file, not of all. */
  isOwn: boolean
}

let shared: TestDatabase | undefined
let own: TestDatabase | undefined

/**
 * The database that all tests share, but for files that are `apart()`; schools keep them apart, and nothing is cleaned.
 * One pool per test process.
 */
export async function testDatabase(): Promise<TestDatabase> {
  if (own) return own
  const connection = inject('connection')
  shared ??= { ...openDatabase(connection, { max: 12 }), connection, isOwn: false }
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

/** A migrated database of one's own, for tests of what is not kept apart by schools. Empty: without any migration. */
export async function ownDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const connection = { ...inject('connection'), database: `own_${randomUUID().replaceAll('-', '')}` }
  const admin = new pg.Client({ ...connection, database: 'postgres' })
  await admin.connect()
  await admin
    .query(`create database ${connection.database} template ${kind === 'empty' ? 'template1' : template}`)
    .finally(() => admin.end())
  return { ...openDatabase(connection, { max: 12 }), connection, isOwn: true }
}
