import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { StartFault } from '../../core/base/start-fault.ts'

/** The schema whose views a school's data platform reads. */
export const platformSchema = 'platform_v1'

/** A role that reads, as whoever runs the installation sees it. */
interface ReaderLine {
  schoolId: string
  roleName: string
  endDate: string
}

/** A reader with its password, which is shown once. */
export interface NewReader extends ReaderLine {
  password: string
}

const roleOf = (schoolId: string): string => `dekt_data_${schoolId}`

/** Every reader, by school. @param client of the owner */
export async function listReaders(client: pg.ClientBase): Promise<ReaderLine[]> {
  const { rows } = await client.query<ReaderLine>(
    `select "schoolId", "roleName", "endDate"::text from "platformReader" order by "schoolId"`,
  )
  return rows
}

/**
 * Makes the role by which a school's data platform reads, or gives the one it has a new password and end: it may read
 * the views of its school and nothing else.
 * @param days until it ends @throws StartFault
 */
export async function makeReader(client: pg.ClientBase, schoolId: string, days: number): Promise<NewReader> {
  await assertSchool(client, schoolId)
  const roleName = roleOf(schoolId)
  const [role, schema] = [client.escapeIdentifier(roleName), platformSchema]
  const password = randomBytes(24).toString('base64url')
  return inTransaction(client, async () => {
    const { rows } = await client.query<{ endDate: string; name: string; known: boolean }>(
      `select ((now() at time zone 'Asia/Shanghai')::date + $2::int)::text "endDate", current_database() "name",
        exists (select from pg_roles where rolname = $1) "known"`,
      [roleName, days],
    )
    const { endDate, name, known } = rows[0]!
    const database = client.escapeIdentifier(name)
    const settings = [
      'default_transaction_read_only = on',
      `search_path = ${schema}`,
      `statement_timeout = '60s'`,
      `idle_in_transaction_session_timeout = '60s'`,
      `lock_timeout = '5s'`,
    ]
    await client.query(
      [
        `${known ? 'alter' : 'create'} role ${role} login noinherit nosuperuser nocreatedb nocreaterole noreplication
          connection limit 5 password ${client.escapeLiteral(password)} valid until '${endDate} 23:59:59+08'`,
        ...settings.map((one) => `alter role ${role} in database ${database} set ${one}`),
        `revoke temporary on database ${database} from public`,
        `grant connect on database ${database} to ${role}`,
        `grant usage on schema ${schema} to ${role}`,
        `grant select on all tables in schema ${schema} to ${role}`,
      ].join(';\n'),
    )
    await client.query(
      `insert into "platformReader" ("schoolId", "roleName", "endDate")
      values ($1, $2, $3)
      on conflict ("schoolId") do update set "roleName" = excluded."roleName", "endDate" = excluded."endDate"`,
      [schoolId, roleName, endDate],
    )
    return { schoolId, roleName, endDate, password }
  })
}

/** Takes the role of a school away and ends what it has open. @throws StartFault where there is none */
export async function withdrawReader(client: pg.ClientBase, schoolId: string): Promise<void> {
  const roleName = roleOf(schoolId)
  const role = client.escapeIdentifier(roleName)
  await inTransaction(client, async () => {
    const { rowCount } = await client.query('delete from "platformReader" where "schoolId" = $1', [schoolId])
    const { rowCount: known } = await client.query('select from pg_roles where rolname = $1', [roleName])
    if (!rowCount && !known) throw new StartFault(`学校 ${schoolId} 没有数据平台账号。`)
    if (!known) return
    await client.query(`alter role ${role} nologin`)
    await client.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [roleName])
    const { rows } = await client.query<{ name: string }>('select current_database() "name"')
    await client.query(
      [
        `revoke all on all tables in schema ${platformSchema} from ${role}`,
        `revoke all on schema ${platformSchema} from ${role}`,
        `revoke all on database ${client.escapeIdentifier(rows[0]!.name)} from ${role}`,
        `drop role ${role}`,
      ].join(';\n'),
    )
  })
}

async function assertSchool(client: pg.ClientBase, schoolId: string): Promise<void> {
  const { rowCount } = await client.query('select from "school" where "schoolId" = $1', [schoolId])
  if (!rowCount) throw new StartFault(`没有学校 ${schoolId}。用 dekt schools list 查看学校代码。`)
}

async function inTransaction<R>(client: pg.ClientBase, work: () => Promise<R>): Promise<R> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if ((error as { code?: string }).code === '42501')
      throw new StartFault(
        `权限不足：数据库所有者不能管理角色。请数据库管理员执行 alter role 所有者 createrole，或由其代为执行本命令（${(error as Error).message}）。`,
      )
    throw error
  }
}
