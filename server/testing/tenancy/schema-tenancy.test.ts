import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../database.ts'

test('every unique index holds the school, but those by which a school is found', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select i.indexrelid::regclass::text as "name"
    from pg_index i
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace and t.relname not like 'kysely%'
    join pg_attribute s on s.attrelid = t.oid and s.attname = 'schoolId'
    where i.indisunique and not s.attnum = any(i.indkey::smallint[])
    order by 1`.execute(db)
  expect(rows.map(({ name }) => name.replaceAll('"', '')).sort()).toEqual([
    // by which an address of a calendar is found
    'calendarFeed_tokenHash_key',
    // a file's name in the store, and what people outside know a thing by, before anybody knows the school
    'file_storeKey_key',
    'identityTry_codeHash_key',
    'identityTry_stateHash_key',
    'importBatch_errorId_key',
    // tables that stay with the machine that is asked first
    'job_pkey',
    // a role of the database sees the school that its name says
    'platformReader_roleName_key',
    'resetRequest_pkey',
    // the school that is meant where nobody has said which yet
    'school_signInHost',
    'session_accessHash_key',
    'session_pkey',
    'session_refreshHash_key',
    // as the first two
    'transcriptIssue_serial_key',
    'trustedDevice_tokenHash_key',
  ])
})

test('every foreign key begins with the school on both sides', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select c.conrelid::regclass || '.' || c.conname as "name"
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f' and (a.attname, b.attname) is distinct from ('schoolId', 'schoolId')
    order by 1`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual([])
})

test('numbers that the database gives itself are bigint', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select a.attrelid::regclass || '.' || a.attname as "name"
    from pg_attribute a
    join pg_class t on t.oid = a.attrelid and t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
    where a.attnum > 0
      and not a.attisdropped
      and (a.attidentity <> '' or pg_get_serial_sequence(a.attrelid::regclass::text, a.attname) is not null)
      and a.atttypid <> 'bigint'::regtype
    order by 1`.execute(db)
  // what the figures of a school call a place and a kind of entry; both count within one database
  expect(rows.map(({ name }) => name.replaceAll('"', ''))).toEqual(['statItem.itId', 'statPlace.plId'])
})

/**
 * An engine that keeps schools on several machines cannot run these as they are: their rows come from transition tables
 * (docs/scaling.md). The list may only become shorter.
 */
const insertingByQuery = [
  'circleMember_note_delete',
  'circleMember_note_insert',
  'circleMember_note_update',
  'configuration_changed',
  'lesson_note_subject',
  'lesson_note_update',
  'note_approval',
  'note_approval_of_supplement',
  'note_creditLedger',
  'note_curriculum',
  'note_lesson',
  'note_lessonPerson',
  'note_lessonSession',
  'note_loginDay',
  'note_loginDay_update',
  'note_person',
  'note_person_update',
  'note_registration',
  'note_supplement',
  'note_supplement_update',
  'supplement_count_delete',
  'supplement_count_insert',
  'supplement_count_update',
  'supplement_note_subject',
]

test('no further trigger function inserts by a query', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string }>`
    select p.proname as "name"
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and p.prorettype = 'trigger'::regtype
      and p.prosrc ~* 'insert\\s+into[^;]*\\mselect\\M'
    order by 1`.execute(db)
  expect(rows.map(({ name }) => name)).toEqual(insertingByQuery)
})
