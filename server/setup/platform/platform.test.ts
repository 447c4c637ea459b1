import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { transcriptApi } from '../../../contract/outcomes/transcripts/transcripts.calls.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { withOwner } from '../school-archive/owner.ts'
import { listReaders, makeReader, platformSchema, withdrawReader } from './readers.ts'

await useOwnDatabase()
const { owner } = await testDatabase()
const open: pg.Client[] = []
afterAll(async () => {
  await Promise.all(open.map((one) => one.end().catch(() => {})))
  // roles belong to the whole server and outlive the database of this file
  await withOwner(owner, async (client) => {
    for (const { schoolId } of await listReaders(client)) await withdrawReader(client, schoolId)
  })
})

async function withStudent(): Promise<{ school: TestSchool; student: TestStudent }> {
  const school = await newSchool()
  const [student] = (await (await oneClass(school)).students(1)) as [TestStudent]
  for (const plan of recordPlans) await grantRecord(school, student, plan)
  await school.admin.download(transcriptApi.export, { suIds: [student.suId] })
  return { school, student }
}

/** A connection as a data platform makes it. */
async function connected(user: string, password: string): Promise<pg.Client> {
  const client = new pg.Client({ ...owner, user, password })
  client.on('error', () => {})
  await client.connect()
  open.push(client)
  return client
}

test('a data platform reads the views of its school, each column as the papers say, and nothing else at all', async () => {
  const { school, student } = await withStudent()
  const { student: foreign } = await withStudent()
  const made = await withOwner(owner, (client) => makeReader(client, school.schoolId, 30))
  const reader = await connected(made.roleName, made.password)
  const read = async (text: string) => (await reader.query<Record<string, unknown>>(text)).rows

  const { rows: columns } = await withOwner(owner, (client) =>
    client.query<{ view: string; column: string }>(
      `select table_name "view", column_name "column" from information_schema.columns
      where table_schema = $1 order by table_name, ordinal_position`,
      [platformSchema],
    ),
  )
  const views = [...new Set(columns.map(({ view }) => view))]
  expect(views).toEqual([
    'activities',
    'credits',
    'modules',
    'participations',
    'students',
    'supplements',
    'transcripts',
  ])
  // the papers name every view and every column
  const papers = readFileSync(new URL('../../../docs/integration.md', import.meta.url), 'utf8')
  for (const { view, column } of columns) {
    const part = papers.split(`\n### ${view}`)[1]?.split('\n### ')[0] ?? ''
    expect(part.includes(`\`${column}\``), `docs/integration.md tells of ${view}.${column}`).toBe(true)
  }

  const students = await read('select * from students')
  expect(students.map((one) => one['student_number'])).toContain(student.suiNumber)
  expect(JSON.stringify(students)).not.toContain(foreign.suiNumber)
  const sums = await read(
    `select sum(amount) as hours from platform_v1.credits where student_id = '${student.suId}' and kind = '1'`,
  )
  expect(sums).toEqual([{ hours: '28.07' }])
  const [issue] = (await school.admin.send(issueApi.list, { suId: student.suId })).records
  expect(await read('select issue_id, status from transcripts')).toEqual([{ issue_id: issue!.tiId, status: '1' }])
  for (const view of views) {
    const rows = await read(`select * from ${view}`)
    for (const row of rows) expect(JSON.stringify(row)).not.toContain(foreign.suId)
  }
  // no way to reach anybody, no identity number, nothing secret
  expect(
    columns.filter(({ column }) => /phone|mail|card|address|birth|photo|password|key|serial/.test(column)),
  ).toEqual([])

  // everything else is refused, whatever the session calls itself and whatever it switches off
  await reader.query('set default_transaction_read_only = off')
  const { rows: tables } = await withOwner(owner, (client) =>
    client.query<{ name: string }>(
      `select quote_ident(relname) "name" from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'm')`,
    ),
  )
  expect(tables.length).toBeGreaterThan(80)
  for (const { name } of tables)
    await expect(reader.query(`select from public.${name}`), name).rejects.toThrow('denied')
  for (const text of [
    'delete from students',
    `insert into modules (name) values ('x')`,
    'update credits set amount = 9',
    'truncate public.person',
    'create table x (a int)',
    'create table public.x (a int)',
    'create temporary table x (a int)',
    'create function platform_v1.f() returns int language sql as $$select 1$$',
    'create view platform_v1.x as select 1',
    'create schema x',
    `set session authorization ${pg.escapeIdentifier('postgres')}`,
    `set role ${pg.escapeIdentifier('postgres')}`,
    `alter role ${pg.escapeIdentifier(made.roleName)} createrole`,
    'select * from pg_authid',
    `select pg_read_file('/etc/passwd')`,
    `copy (select 1) to program 'id'`,
    `copy students to '/tmp/x'`,
    `select public.remove_archived_audit('x', 1)`,
    `select public.analyze_table('person')`,
    `select * from public."platformReader"`,
    'lock table public.person',
    'refresh materialized view students',
    `set session_replication_role = replica`,
  ])
    await expect(reader.query(text), text).rejects.toThrow()
  // a function of one's own in a condition is not shown rows of others by the barrier
  expect(await read(`select count(*)::int as n from students where student_number = '${foreign.suiNumber}'`)).toEqual([
    { n: 0 },
  ])
  // the owner itself, and the service, are no reader: they see none
  const { rows: none } = await withOwner(owner, (client) => client.query('select * from platform_v1.students'))
  expect(none).toEqual([])
  await expect(
    school.services.db
      .selectFrom('platform_v1.students' as 'person')
      .selectAll()
      .execute(),
  ).rejects.toThrow('denied')
})

test('an account is renewed, ends by itself, and is withdrawn with what it has open; others go on', async () => {
  const { school } = await withStudent()
  const { school: other } = await withStudent()
  const make = (schoolId: string, days = 30) => withOwner(owner, (client) => makeReader(client, schoolId, days))
  const [first, neighbour] = [await make(school.schoolId), await make(other.schoolId)]
  const [reader, beside] = [
    await connected(first.roleName, first.password),
    await connected(neighbour.roleName, neighbour.password),
  ]
  const { rows: limits } = await reader.query<Record<string, string>>(
    `select current_setting('statement_timeout') "timeout", current_setting('default_transaction_read_only') "readOnly"`,
  )
  expect(limits).toEqual([{ timeout: '1min', readOnly: 'on' }])
  const renewed = await make(school.schoolId, 60)
  expect([renewed.roleName, renewed.password === first.password]).toEqual([first.roleName, false])
  expect(renewed.endDate > first.endDate).toBe(true)
  const until = await withOwner(owner, (client) =>
    client.query<{ on: string }>(
      `select (rolvaliduntil at time zone 'Asia/Shanghai')::date::text "on" from pg_roles where rolname = $1`,
      [first.roleName],
    ),
  )
  expect(until.rows).toEqual([{ on: renewed.endDate }])

  await withOwner(owner, (client) => withdrawReader(client, school.schoolId))
  await expect(reader.query('select 1')).rejects.toThrow()
  await expect(connected(renewed.roleName, renewed.password)).rejects.toThrow()
  expect((await beside.query('select * from students')).rows).toHaveLength(1)
  expect((await withOwner(owner, listReaders)).map(({ schoolId }) => schoolId)).not.toContain(school.schoolId)
  await expect(withOwner(owner, (client) => withdrawReader(client, school.schoolId))).rejects.toThrow(
    '没有数据平台账号',
  )
  await expect(make('nobody')).rejects.toThrow('没有学校 nobody')
})
