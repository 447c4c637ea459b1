import { sql } from 'kysely'
import { backfill } from '../core/database/backfill.ts'
import { concurrentIndex } from '../core/database/concurrent-index.ts'
import type { Connection } from '../core/database/connection.ts'
import { migrate, type Migrations } from '../core/database/migrate.ts'
import { up } from '../migrations/202611240010-migration-progress.ts'

/** A table of things, and how far backfills have come. */
export const things: Migrations = {
  '1-progress': { up },
  '2-table': {
    up: async (db) =>
      void (await sql
        .raw(
          `create table thing ("schoolId" text, id uuid default gen_random_uuid(), old int, new int, fills int not null default 0, primary key ("schoolId", id));
          insert into thing ("schoolId", old) select 'school' || n % 3, n from generate_series(1, 6000) n`,
        )
        .execute(db)),
  },
}

/** What a release with stepwise migrations does to it: a column is filled, and how often each row was is counted. */
export const later: Migrations = {
  ...things,
  '3-fill': {
    isStepwise: true,
    up: async (db) =>
      void (await backfill(db, {
        name: '3-fill',
        table: 'thing',
        key: ['schoolId', 'id'],
        set: 'new = old * 2, fills = fills + 1',
        where: 'new is null',
        batchRows: 100,
        pauseMs: 20,
      })),
  },
  '4-index': {
    isStepwise: true,
    up: (db) => concurrentIndex(db, { name: 'thing_new', on: 'thing (new)', waitMs: 700 }),
  },
}

/** How long the tests wait. */
export const patience = { timeoutMs: 500, retryAfterMs: Array.from({ length: 20 }, () => 100) }

/** As a process of its own, to be killed: `migrating-process <connection as JSON>`. */
if (process.argv[1]?.endsWith('migrating-process.mjs')) {
  await migrate(JSON.parse(process.argv[2]!) as Connection, later, { patience, print: (text) => console.log(text) })
  console.log('done')
}
