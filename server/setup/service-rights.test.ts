import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { parseConfig } from '../core/base/config.ts'
import type { Connection } from '../core/database/connection.ts'
import { grantServiceRights } from '../core/database/service-role.ts'
import { serviceUser } from '../core/postgres/cluster.ts'
import { asOwner, ownDatabase, testDatabase, type TestDatabase } from '../testing/database.ts'
import { rmSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openServices } from './open-services.ts'
import { prepareDatabase } from './prepare-database.ts'
import { serviceRights } from './service-rights.ts'

const { db } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'console-rights-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('in the database', () => {
  test('the service may do to each table what the table of rights says, and no more', async () => {
    const { rows } = await sql<{ table: string; rights: string[]; updatable: string[]; columns: number }>`
      select c.relname "table",
        array(
          select r
          from unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger', 'maintain']) r
          where has_table_privilege(${serviceUser}, c.oid, r)
        ) "rights",
        array(
          select a.attname::text
          from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and has_column_privilege(${serviceUser}, c.oid, a.attnum, 'update')
          order by 1
        ) "updatable",
        (select count(*)::int from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) "columns"
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'`.execute(db)
    const found = Object.fromEntries(
      rows.map(({ table, rights, updatable, columns }) => [
        table,
        {
          insert: rights.includes('insert'),
          update: updatable.length === columns ? true : updatable.length > 0 && updatable,
          delete: rights.includes('delete'),
          others: rights.filter((one) => !['select', 'insert', 'update', 'delete'].includes(one)),
          reads: rights.includes('select'),
        },
      ]),
    )
    const wanted = Object.fromEntries(
      Object.entries(serviceRights.tables).map(([table, right]) => [
        table,
        {
          ...right,
          update: typeof right.update === 'boolean' ? right.update : right.update.toSorted(),
          others: [],
          reads: true,
        },
      ]),
    )
    expect(found).toEqual(wanted)
  })

  test('it runs with the owner’s rights only what is named, and nobody else runs that', async () => {
    const { rows } = await sql<{ name: string; service: boolean; everybody: boolean; path: string[] }>`
      select oid::regprocedure::text "name",
        has_function_privilege(${serviceUser}, oid, 'execute') "service",
        exists (select from aclexplode(proacl) where grantee = 0) "everybody",
        proconfig "path"
      from pg_proc
      where pronamespace = 'public'::regnamespace and prosecdef
      order by 1`.execute(db)
    expect(rows).toEqual(
      serviceRights.functions
        .toSorted()
        .map((name) => ({ name, service: true, everybody: false, path: ['search_path=public, pg_temp'] })),
    )
  })

  test('it is neither superuser nor owner, and belongs to no other role', async () => {
    const { rows } = await sql<{ user: string; super: boolean; owns: number; groups: number }>`
      select current_user "user", rolsuper "super",
        (select count(*)::int from pg_class where relowner = r.oid) "owns",
        (select count(*)::int from pg_auth_members where member = r.oid) "groups"
      from pg_roles r
      where rolname = current_user`.execute(db)
    expect(rows).toEqual([{ user: serviceUser, super: false, owns: 0, groups: 0 }])
  })
})

describe('PostgreSQL itself refuses the service', () => {
  const kept = ['creditLedger', 'auditLog', 'auditSeal', 'auditArchive']
  const each = kept.flatMap((table) => [
    [`update "${table}" set "schoolId" = ''`, `permission denied for table ${table}`],
    [`delete from "${table}"`, `permission denied for table ${table}`],
    [`truncate "${table}"`, `permission denied for table ${table}`],
    [`alter table "${table}" disable trigger all`, `must be owner of table ${table}`],
    [`drop table "${table}"`, `must be owner of table ${table}`],
    [
      `create trigger t before insert on "${table}" execute function refuse_change()`,
      `permission denied for table ${table}`,
    ],
    [`alter table "${table}" owner to current_user`, `must be owner of table ${table}`],
    [
      `grant update on "${table}" to current_user; update "${table}" set "schoolId" = ''`,
      `permission denied for table ${table}`,
    ],
  ])
  test.each([
    ...each,
    ['set session_replication_role = replica', 'permission denied to set parameter "session_replication_role"'],
    ['drop function refuse_change()', 'must be owner of function refuse_change'],
    [
      'create or replace function refuse_change() returns trigger language plpgsql as $$ begin return new; end $$',
      'permission denied for schema public',
    ],
    ['create table "mine" ()', 'permission denied for schema public'],
    ['create function mine() returns int language sql as $$ select 1 $$', 'permission denied for schema public'],
    ['delete from "registration"', 'permission denied for table registration'],
    ['update "transcriptIssue" set "serial" = $$$$', 'permission denied for table transcriptIssue'],
    ['select from kysely_migration', 'permission denied for table kysely_migration'],
    ['set role postgres', 'permission denied to set role "postgres"'],
    ['create role mine', 'permission denied to create role'],
    [`copy "school" to program 'cat'`, 'permission denied to COPY to or from an external program'],
  ])('%s', async (statement, words) => {
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(words)
  })
})

describe('rights are given at each run of migrations', () => {
  /** Of a database of its own, by a role that nobody has made yet. */
  async function rightsOf(database: TestDatabase, role: string) {
    const has = (right: string, table: string) =>
      asOwner(async (all) => {
        const { rows } = await sql<{ has: boolean }>`
          select has_table_privilege(${role}, ${`"${table}"`}, ${right}) "has"`.execute(all)
        return rows[0]!.has
      }, database)
    return { has }
  }
  const newRole = () => `role_${Math.random().toString(36).slice(2)}`
  const dropRole = (role: string) => asOwner((all) => sql.raw(`drop owned by ${role}; drop role ${role}`).execute(all))

  test('to a database of the version before, whose role is made', async () => {
    const database = await ownDatabase('empty')
    const role = newRole()
    expect(await prepareDatabase(database.owner, { name: role, isOurs: true })).toBe(true)
    const { has } = await rightsOf(database, role)
    expect([await has('insert', 'auditLog'), await has('update', 'auditLog')]).toEqual([true, false])
    expect(await prepareDatabase(database.owner, { name: role, isOurs: true })).toBe(true)
    await asOwner((all) => sql.raw(`drop owned by ${role}`).execute(all), database)
    await dropRole(role)
    await database.close()
  })

  test('and what it has too much or too little is put right', async () => {
    const database = await ownDatabase()
    const { has } = await rightsOf(database, serviceUser)
    await asOwner(
      (all) =>
        sql
          .raw(
            `grant update, truncate on "creditLedger" to ${serviceUser};
            grant delete on "auditLog" to public;
            grant update ("serial") on "transcriptIssue" to ${serviceUser};
            grant create on schema public to public;
            revoke insert on "lesson" from ${serviceUser};
            grant execute on function analyze_table(text) to public`,
          )
          .execute(all),
      database,
    )
    expect(await has('delete', 'auditLog')).toBe(true)
    expect(await prepareDatabase(database.owner, { name: serviceUser, isOurs: true })).toBe(true)
    expect(
      await Promise.all([
        has('update', 'creditLedger'),
        has('truncate', 'creditLedger'),
        has('delete', 'auditLog'),
        has('insert', 'lesson'),
      ]),
    ).toEqual([false, false, false, true])
    await expect(sql`update "transcriptIssue" set "serial" = ''`.execute(database.db)).rejects.toThrow('denied')
    await expect(sql`create table "mine" ()`.execute(database.db)).rejects.toThrow('denied')
    await expect(sql`create temporary table "mine" ()`.execute(database.db)).rejects.toThrow('denied')
    await database.close()
  })

  test('nothing is written where all is as it should be', async () => {
    const database = await ownDatabase()
    await prepareDatabase(database.owner, { name: serviceUser, isOurs: true })
    const written = () =>
      asOwner(async (all) => {
        const { rows } = await sql<{ at: string }>`
          select string_agg(c.xmin::text, ' ' order by c.oid) "at" from pg_class c
          where c.relnamespace = 'public'::regnamespace`.execute(all)
        return rows[0]!.at
      }, database)
    const before = await written()
    await prepareDatabase(database.owner, { name: serviceUser, isOurs: true })
    expect(await written()).toBe(before)
    await database.close()
  })

  test('a role that could switch the guard off is not called guarded, and an owner loses nothing', async () => {
    const database = await ownDatabase()
    const client = new pg.Client(database.owner)
    await client.connect()
    try {
      const role = newRole()
      await client.query(`create role ${role} login superuser`)
      expect(await grantServiceRights(client, role, serviceRights)).toBe(false)
      await client.query(`alter role ${role} nosuperuser`)
      expect(await grantServiceRights(client, role, serviceRights)).toBe(true)
      await client.query(`grant set on parameter session_replication_role to ${role}`)
      expect(await grantServiceRights(client, role, serviceRights)).toBe(false)
      await client.query(`revoke set on parameter session_replication_role from ${role}`)
      await client.query(`grant pg_write_all_data to ${role}`)
      expect(await grantServiceRights(client, role, serviceRights)).toBe(false)
      await client.query(`drop owned by ${role}`)
      await client.query(`drop role ${role}`)
      expect(await grantServiceRights(client, 'postgres', serviceRights)).toBe(false)
      const { rows } = await client.query(`select has_table_privilege('postgres', '"creditLedger"', 'truncate') "has"`)
      expect(rows).toEqual([{ has: true }])
    } finally {
      await client.end()
      await database.close()
    }
  })
})

describe('an external database', () => {
  const urlOf = ({ host, user, database }: Connection, as = user) =>
    `postgres://${as}@/${database}?host=${encodeURIComponent(host!)}`
  async function opened(settings: Record<string, string>) {
    const logFile = join(folder, `${Math.random()}.log`)
    const open = await openServices(
      parseConfig({ DATA_DIR: folder, LOG_FILE: logFile, NODE_ENV: 'production', ...settings }),
      () => {},
    )
    const { rows } = await open.pool.query<{ user: string }>(`select current_user "user"`)
    await open.services.db.selectFrom('school').select('schoolId').execute()
    open.services.log.info('opened')
    await expect.poll(() => readFileSync(logFile, 'utf8')).toContain('"opened"')
    await open.close()
    return { user: rows[0]!.user, log: readFileSync(logFile, 'utf8') }
  }

  test('is opened as the service by one address, and migrated by another', async () => {
    const { owner, close } = await ownDatabase('empty')
    await close()
    const { user, log } = await opened({
      DATABASE_URL: urlOf(owner, serviceUser),
      MIGRATION_DATABASE_URL: urlOf(owner),
    })
    expect([user, log]).toEqual([serviceUser, expect.not.stringContaining('does not guard')])
  })

  test('with one address works, and the log tells that nothing guards', async () => {
    const { owner, close } = await ownDatabase('empty')
    await close()
    const { user, log } = await opened({ DATABASE_URL: urlOf(owner) })
    expect(user).toBe('postgres')
    expect(log.match(/PostgreSQL itself does not guard ledger and audit trail/g)).toHaveLength(1)
  })

  test('of which the two addresses lead to different places is refused', async () => {
    const [one, other] = [await ownDatabase('empty'), await ownDatabase('empty')]
    const settings = { DATABASE_URL: urlOf(one.owner, serviceUser), MIGRATION_DATABASE_URL: urlOf(other.owner) }
    await expect(opened(settings)).rejects.toThrow('须指向同一个数据库')
    await one.close()
    await other.close()
  })
})
