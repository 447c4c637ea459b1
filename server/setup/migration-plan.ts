import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
} from 'kysely'
import { progressTable } from '../core/database/backfill.ts'
import type { Migrations } from '../core/database/migrate.ts'

/** What a statement of a migration costs those who use the table meanwhile. */
export type Work = 'brief' | 'index' | 'concurrent' | 'rewrite' | 'rows' | 'backfill' | 'create'

export interface PlannedStep {
  /** Name of the table without quotes. */
  table: string
  work: Work
}

/**
 * The statements that migrations send, without a database: reads among them find nothing, so a migration that goes by
 * what it reads is told as far as it comes.
 */
export async function plannedSteps(
  migrations: Migrations,
  names: readonly string[],
): Promise<Map<string, PlannedStep[]>> {
  const plans = new Map<string, PlannedStep[]>()
  for (const name of names) {
    const sent: CompiledQuery[] = []
    const db = new Kysely<unknown>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (one) => new PostgresIntrospector(one),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: (event) => void (event.level === 'query' && sent.push(event.query)),
    })
    await migrations[name]!.up(db).catch(() => {})
    const all = sent.flatMap(({ sql }) => stepsOf(sql))
    const created = new Set(all.filter(({ work }) => work === 'create').map(({ table }) => table))
    const steps = new Map(
      all
        .filter(({ table, work }) => work === 'create' || !created.has(table))
        // its own notes
        .filter(({ table, work }) => work === 'create' || table !== progressTable)
        .map((step) => [`${step.table} ${step.work}`, step]),
    )
    plans.set(name, [...steps.values()])
  }
  return plans
}

const table = String.raw`(?:only\s+)?(?:if (?:not )?exists\s+)?"?(\w+)"?`
/** The first that fits a statement tells its work. */
const kinds: readonly [Work, RegExp][] = [
  ['create', new RegExp(String.raw`^create table ${table}`, 'i')],
  ['concurrent', new RegExp(String.raw`^create (?:unique )?index concurrently .*?\bon ${table}`, 'is')],
  // the rows of its first batch, which is looked for without a database as well
  ['backfill', new RegExp(String.raw`^with backfill as \(\s*select .*?\bfrom ${table}`, 'is')],
  ['index', new RegExp(String.raw`^create (?:unique )?index .*?\bon ${table}`, 'is')],
  ['rewrite', new RegExp(String.raw`^alter table ${table}\b.*\b(?:type|stored)\b`, 'is')],
  [
    'index',
    new RegExp(
      String.raw`^alter table ${table}\b.*\badd (?:constraint \S+ )?(?:primary key|unique|check|foreign key)\b(?!.*\bnot valid$)`,
      'is',
    ),
  ],
  ['brief', new RegExp(String.raw`^(?:alter|drop) table ${table}`, 'i')],
  ['brief', new RegExp(String.raw`^create (?:or replace )?(?:constraint )?trigger .*?\bon ${table}`, 'is')],
  ['rows', new RegExp(String.raw`^(?:with .*?)?\b(?:update|insert into|delete from) ${table}`, 'is')],
]

function stepsOf(text: string): PlannedStep[] {
  return text.split(/;[ \t]*\n/).flatMap((part) => {
    // what stands before a statement to explain it
    const statement = part.replace(/^(?:\s*--[^\n]*\n)*\s*/, '')
    for (const [work, pattern] of kinds) {
      const found = pattern.exec(statement)?.[1]
      if (found) return [{ table: found, work }]
    }
    return []
  })
}
