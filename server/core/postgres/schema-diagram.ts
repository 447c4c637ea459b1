import type { Connection } from '../database/connection.ts'
import { withClient } from './schema-text.ts'

/**
 * The tables that a newcomer meets first, by the part of the house that they belong to. All others hang on one of
 * these.
 */
const parts: Record<string, readonly string[]> = {
  'School and people': [
    'school',
    'term',
    'college',
    'major',
    'schoolClass',
    'department',
    'person',
    'account',
    'role',
    'roleUser',
  ],
  'Courses, from plan to ledger': [
    'curriculum',
    'lessonLevel',
    'evaluation',
    'awardTemplate',
    'awardDetail',
    'circle',
    'lesson',
    'lessonSession',
    'registration',
    'question',
    'supplement',
    'creditLedger',
  ],
  'Approval flows': ['workflowCategory', 'workflow', 'workflowStep', 'approval', 'approvalTask'],
  Outcomes: ['signingKey', 'transcriptIssue', 'graduationBatch', 'graduationRow', 'thresholdBase', 'studentWarning'],
}

interface Entity {
  name: string
  /** Columns that are part of the key or of a reference, in their order. */
  columns: { name: string; type: string; keys: ('PK' | 'FK')[]; nullable: boolean }[]
  references: { target: string; columns: string[] }[]
}

const head = `# The main tables

Drawn from the database by \`npm run schema\`; a test compares. Every table and column: [schema.sql](schema.sql). What each
is for: \`server/migrations/first-schema\`.

Shown are keys and references. \`schoolId\` leads every key and every reference, and is left out of the names of the lines;
references to \`school\` alone are left out, for almost every table has one.
`

/**
 * The text of docs/schema.md for a migrated database: a diagram (Mermaid) for each part of the main tables.
 * @throws Error when a table named above is not there
 */
export async function schemaDiagram(connection: Connection): Promise<string> {
  const rows = await withClient(
    connection,
    async (client) => (await client.query<Entity>(entitiesQuery, [Object.values(parts).flat()])).rows,
  )
  const entities = new Map(rows.map((row) => [row.name, row]))
  const sections = Object.entries(parts).map(([title, names]) => {
    const shown = names.map((name) => {
      const entity = entities.get(name)
      if (!entity) throw new Error(`no table ${name} to draw`)
      return entity
    })
    return `## ${title}\n\n\`\`\`mermaid\nerDiagram\n${[...shown.flatMap(lines), ...shown.map(box)].join('\n')}\n\`\`\`\n`
  })
  return [head, ...sections].join('\n')
}

function lines({ name, columns, references }: Entity): string[] {
  return references.map(({ target, columns: through }) => {
    const own = through.filter((column) => column !== 'schoolId')
    const used = columns.filter(({ name: column }) => through.includes(column))
    const optional = used.some(({ nullable }) => nullable)
    // a reference that is the whole key: at most one row for what it points to
    const key = columns.filter(({ keys }) => keys.includes('PK'))
    const single = key.length === used.length && used.every(({ keys }) => keys.includes('PK'))
    return `  ${target} ${optional ? '|o' : '||'}--${single ? 'o|' : 'o{'} ${name} : "${own.join(', ')}"`
  })
}

function box({ name, columns }: Entity): string {
  return `  ${name} {\n${columns.map((column) => `    ${column.type} ${column.name} ${column.keys.join(', ')}`).join('\n')}\n  }`
}

const entitiesQuery = `
  select
    c.relname as "name",
    (
      select json_agg(
        json_build_object(
          'name', a.attname,
          'type', a.atttypid::regtype::text,
          'keys', array_remove(
            array[
              case when exists (
                select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey)
              ) then 'PK' end,
              case when exists (
                select from pg_constraint k where k.conrelid = c.oid and k.contype = 'f' and a.attnum = any (k.conkey)
              ) then 'FK' end
            ],
            null
          ),
          'nullable', not a.attnotnull
        )
        order by a.attnum
      )
      from pg_attribute a
      where a.attrelid = c.oid
        and a.attnum > 0
        and exists (
          select from pg_constraint k
          where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any (k.conkey)
        )
    ) as "columns",
    (
      select coalesce(
        json_agg(
          json_build_object(
            'target', t.relname,
            'columns', (
              select json_agg(a.attname order by p.position)
              from unnest(k.conkey) with ordinality p(attnum, position)
              join pg_attribute a on a.attrelid = c.oid and a.attnum = p.attnum
            )
          )
          order by k.conkey[2], t.relname collate "C"
        ),
        '[]'
      )
      from pg_constraint k
      join pg_class t on t.oid = k.confrelid
      where k.conrelid = c.oid and k.contype = 'f' and cardinality(k.conkey) > 1
    ) as "references"
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname = any ($1)`
