import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/** Where the names of referred records stand: table, id, name. */
const sources = {
  college: ['college', 'scId', 'scName'],
  major: ['major', 'smId', 'smName'],
  schoolClass: ['schoolClass', 'scClassId', 'scClassName'],
  department: ['department', 'sdId', 'sdName'],
  person: ['person', 'suId', 'suiName'],
  role: ['role', 'srId', 'srName'],
  curriculum: ['curriculum', 'lsId', 'lsName'],
  level: ['lessonLevel', 'llId', 'llName'],
  label: ['qualityLabel', 'sqlId', 'sqlName'],
  awardTemplate: ['awardTemplate', 'atId', 'atName'],
  award: ['awardDetail', 'adId', 'adName'],
  evaluation: ['evaluation', 'esId', 'esName'],
  circleClass: ['circleClass', 'ccId', 'ccName'],
  newsType: ['newsType', 'ntId', 'ntName'],
  news: ['news', 'niId', 'niTitle'],
  circle: ['circle', 'ciId', 'ciName'],
  workflowCategory: ['workflowCategory', 'wfcId', 'wfcName'],
  file: ['file', 'fileId', 'fileName'],
} as const

/** `checker`: a person, a role or a department. */
export type RefKind = keyof typeof sources | 'checker'

/** Names by kind and id. */
export type Names = ReadonlyMap<string, string>
/** The key of a record in {@link Names}. */
export const nameKey = (kind: RefKind, id: string): string => `${kind}:${id}`

/** The names of the records that are referred to, deleted people and courses included; one statement. */
export async function namesOf(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  wanted: ReadonlyMap<RefKind, ReadonlySet<string>>,
): Promise<Names> {
  const parts = [...wanted].flatMap(([kind, ids]) =>
    (kind === 'checker' ? (['person', 'role', 'department'] as const) : [kind]).map((source) => ({
      kind,
      source,
      ids: [...ids],
    })),
  )
  if (parts.length === 0) return new Map()
  const selects = parts.map(({ kind, source, ids }) => {
    const [table, id, name] = sources[source]
    return sql`
      select ${kind}::text as "kind", ${sql.ref(id)}::text as "id", ${sql.ref(name)} as "name"
      from ${sql.table(table)}
      where "schoolId" = ${actor.schoolId}
        and ${sql.ref(id)} = any(${source === 'level' ? sql`${ids}::text[]` : sql`${ids}::uuid[]`})`
  })
  const { rows } = await sql<{
    kind: RefKind
    id: string
    name: string
  }>`${sql.join(selects, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ kind, id, name }) => [nameKey(kind, id), name]))
}
