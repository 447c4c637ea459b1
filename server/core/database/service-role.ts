import type pg from 'pg'

/** What the service may do to the rows of a table besides reading them. */
export interface TableRights {
  insert: boolean
  /** All columns, none, or those named. */
  update: boolean | readonly string[]
  delete: boolean
}

/**
 * All that the service may do in the database: each table that it may touch, and what it may run with the owner's
 * rights.
 */
export interface ServiceRights {
  tables: Readonly<Record<string, TableRights>>
  /** Functions that act with the rights of the owner, as `name(type, …)`. */
  functions: readonly string[]
}

/**
 * Makes the role that the service signs in as unless it is there: one that owns nothing and may not give itself
 * anything.
 */
export async function ensureServiceRole(owner: pg.ClientBase, role: string): Promise<void> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [role])
  if (rowCount) return
  await owner
    .query(
      `create role ${owner.escapeIdentifier(role)} login noinherit nosuperuser nocreatedb nocreaterole noreplication`,
    )
    // roles belong to the whole server: another database on it may have been quicker
    .catch((error: { code?: string }) => {
      if (!['42710', '23505'].includes(error.code ?? '')) throw error
    })
}

/**
 * Gives the service exactly its rights, on tables that a migration has just made too, and takes back what it has beyond
 * them. Nothing is written where all is as it should be, and nothing is given to or taken from a role that owns tables.
 * @returns whether PostgreSQL itself now holds the role to these rights: it is no superuser and not, directly or by
 *   membership, the owner of database, schema or a table, and can neither switch triggers off nor remove rows that stay
 */
export async function grantServiceRights(owner: pg.ClientBase, role: string, rights: ServiceRights): Promise<boolean> {
  const { rows } = await owner.query<{ is: boolean }>(ownsQuery, [role])
  if (rows[0]!.is) return false
  const has = await owner.query<{ line: string }>(givenQuery, [role])
  const wanted = await wantedLines(owner, rights)
  const given = new Set(has.rows.map(({ line }) => line))
  if (given.size !== wanted.size || [...wanted].some((line) => !given.has(line)))
    await owner.query(await grantScript(owner, role, rights))
  const staying = Object.entries(rights.tables)
    .filter(([, right]) => !right.delete)
    .map(([table]) => table)
  const held = await owner.query<{ held: boolean }>(heldQuery, [role, staying])
  return held.rows[0]?.held ?? false
}

const ownsQuery = `
  select exists (
    select from pg_class c
    join pg_roles r on r.oid = c.relowner
    where c.relnamespace = current_schema()::regnamespace and r.rolname = $1
  ) "is"`

/** `kind`, name, column and right, of everything that the role or everybody was given here by name. */
const givenQuery = `
  with "here" as (select current_schema()::regnamespace "schema"),
  "who" as (select oid, false "everybody" from pg_roles where rolname = $1 union all select 0, true),
  "given" as (
    select 'table' "kind", c.relname::text "name", '' "column", a.privilege_type "right", a.grantee
    from pg_class c, "here", aclexplode(c.relacl) a
    where c.relnamespace = "schema" and c.relkind in ('r', 'p', 'v', 'm', 'S')
    union all
    select 'table', c.relname, t.attname, a.privilege_type, a.grantee
    from pg_class c
    join pg_attribute t on t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped, "here", aclexplode(t.attacl) a
    where c.relnamespace = "schema"
    union all
    select 'function', p.oid::regprocedure::text, '', a.privilege_type, a.grantee
    from pg_proc p, "here", aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where p.pronamespace = "schema" and p.prosecdef
    union all
    select 'schema', '', '', a.privilege_type, a.grantee
    from pg_namespace n, "here", aclexplode(n.nspacl) a
    where n.oid = "schema" and a.privilege_type = 'CREATE'
    union all
    select 'schema', '', '', 'USAGE', "who".oid
    from "who", "here"
    where not "everybody" and has_schema_privilege("who".oid, "schema", 'USAGE')
    union all
    select 'database', '', '', a.privilege_type, a.grantee
    from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
    where d.datname = current_database() and a.privilege_type <> 'CONNECT'
  )
  select concat_ws('|', case when "everybody" then 'everybody' end, "kind", "name", "column", "right") "line"
  from "given"
  join "who" on "who".oid = "given".grantee`

const heldQuery = `
  select not r.rolsuper
    and not r.rolcreaterole
    and not pg_has_role(r.oid, n.nspowner, 'member')
    and not pg_has_role(r.oid, d.datdba, 'member')
    and not has_schema_privilege(r.oid, n.oid, 'create')
    and not has_parameter_privilege(r.oid, 'session_replication_role', 'set')
    and not exists (
      select from pg_class c
      where c.relnamespace = n.oid
        and c.relkind = 'r'
        and (
          pg_has_role(r.oid, c.relowner, 'member')
          or has_table_privilege(r.oid, c.oid, 'truncate')
          or has_table_privilege(r.oid, c.oid, 'trigger')
          or (c.relname = any($2::text[]) and has_table_privilege(r.oid, c.oid, 'delete'))
        )
    ) "held"
  from pg_roles r, pg_namespace n, pg_database d
  where r.rolname = $1
    and n.oid = current_schema()::regnamespace
    and d.datname = current_database()`

/** The rights on tables and functions that are there by now, in the words of the query above. */
async function wantedLines(owner: pg.ClientBase, rights: ServiceRights): Promise<Set<string>> {
  const { tables, functions, sequences } = await existing(owner, rights)
  return new Set([
    'schema|||USAGE',
    ...functions.map((name) => `function|${name}||EXECUTE`),
    ...sequences.map((name) => `table|${name}||USAGE`),
    ...tables.flatMap(([table, right]) => [
      `table|${table}||SELECT`,
      ...(right.insert ? [`table|${table}||INSERT`] : []),
      ...(right.update === true ? [`table|${table}||UPDATE`] : []),
      ...(right.update ? columnsOf(right) : []).map((column) => `table|${table}|${column}|UPDATE`),
      ...(right.delete ? [`table|${table}||DELETE`] : []),
    ]),
  ])
}

const columnsOf = ({ update }: TableRights): readonly string[] => (typeof update === 'boolean' ? [] : update)

async function grantScript(owner: pg.ClientBase, role: string, rights: ServiceRights): Promise<string> {
  const name = (one: string) => owner.escapeIdentifier(one)
  const service = name(role)
  const { schema, database, tables, functions, sequences } = await existing(owner, rights)
  const on = (those: typeof tables) => those.map(([table]) => `${name(schema)}.${name(table)}`).join(', ')
  const grant = (what: string, those: typeof tables) =>
    those.length > 0 ? [`grant ${what} on ${on(those)} to ${service}`] : []
  return [
    `revoke all on all tables in schema ${name(schema)} from ${service}, public`,
    `revoke all on all sequences in schema ${name(schema)} from ${service}, public`,
    `revoke create on schema ${name(schema)} from ${service}, public`,
    `revoke create, temporary on database ${name(database)} from ${service}, public`,
    `grant usage on schema ${name(schema)} to ${service}`,
    ...grant('select', tables),
    ...grant(
      'insert',
      tables.filter(([, right]) => right.insert),
    ),
    ...grant(
      'update',
      tables.filter(([, right]) => right.update === true),
    ),
    ...tables.flatMap((one) =>
      columnsOf(one[1]).length > 0 ? grant(`update (${columnsOf(one[1]).map(name).join(', ')})`, [one]) : [],
    ),
    ...grant(
      'delete',
      tables.filter(([, right]) => right.delete),
    ),
    ...sequences.map((one) => `grant usage on sequence ${name(schema)}.${name(one)} to ${service}`),
    ...functions.flatMap((one) => [
      `revoke all on function ${one} from ${service}, public`,
      `grant execute on function ${one} to ${service}`,
    ]),
  ].join(';\n')
}

interface Existing {
  schema: string
  database: string
  tables: [string, TableRights][]
  functions: string[]
  /** Of which new rows of these tables draw a number; those of identities need no right. */
  sequences: string[]
}

/** Where we are, and which tables and functions of the rights are there: all, once every migration has run. */
async function existing(owner: pg.ClientBase, rights: ServiceRights): Promise<Existing> {
  const { rows } = await owner.query<Omit<Existing, 'tables'> & { tables: string[] }>(
    `select current_schema() "schema",
      current_database() "database",
      array(
        select relname::text from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      ) "tables",
      array(
        select oid::regprocedure::text from pg_proc where pronamespace = current_schema()::regnamespace and prosecdef
      ) "functions",
      array(
        select s.relname::text
        from pg_depend d
        join pg_class s on s.oid = d.objid and s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace
        join pg_class t on t.oid = d.refobjid
        where d.deptype = 'a' and t.relname = any($1)
      ) "sequences"`,
    [Object.entries(rights.tables).flatMap(([table, right]) => (right.insert ? [table] : []))],
  )
  const { schema, database, tables, functions, sequences } = rows[0]!
  return {
    schema,
    database,
    sequences,
    tables: Object.entries(rights.tables).filter(([table]) => tables.includes(table)),
    functions: rights.functions.filter((one) => functions.includes(one)),
  }
}
