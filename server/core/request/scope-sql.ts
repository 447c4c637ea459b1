import { sql, type RawBuilder } from 'kysely'
import type { Area, Scope } from '../../../contract/core/scope.ts'

/** Which columns of a query hold what an area speaks of, e.g. `{ college: 'person.suiCollegeId' }`. */
export interface ScopeColumns {
  college?: string
  major?: string
  class?: string
  department?: string
  grade?: string
  /** Whose row it is. */
  person?: string
  /** An array column with the curriculum path of the row. */
  path?: string
}

/**
 * The condition that a row lies within a scope. An empty scope gives `false`, never "all"; an area that names only
 * places the row has no column for covers nothing.
 */
export function inScope(scope: Scope, columns: ScopeColumns): RawBuilder<boolean> {
  if (scope.whole) return sql<boolean>`true`
  const parts = scope.areas.map((area) => areaCondition(area, columns)).filter((part) => part !== null)
  if (scope.suId && columns.person) parts.push(sql<boolean>`${sql.ref(columns.person)} = ${scope.suId}::uuid`)
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` or `)})`
}

function areaCondition(area: Area, columns: ScopeColumns): RawBuilder<boolean> | null {
  const places = [
    [columns.college, area.scIds],
    [columns.major, area.smIds],
    [columns.class, area.scClassIds],
    [columns.department, area.sdIds],
  ] as const
  const named = places.some(([, ids]) => ids.length > 0)
  const within = places.flatMap(([column, ids]) =>
    column && ids.length > 0 ? [sql<boolean>`${sql.ref(column)} = any(${ids}::uuid[])`] : [],
  )
  const narrowing: RawBuilder<boolean>[] = []
  if (area.grades.length > 0 && columns.grade)
    narrowing.push(sql<boolean>`${sql.ref(columns.grade)} = any(${area.grades}::text[])`)
  if (area.lsIds.length > 0 && columns.path)
    narrowing.push(sql<boolean>`${sql.ref(columns.path)} && ${area.lsIds}::uuid[]`)
  if (named)
    return within.length === 0
      ? null
      : sql<boolean>`(${sql.join([sql`(${sql.join(within, sql` or `)})`, ...narrowing], sql` and `)})`
  if (area.grades.length + area.lsIds.length === 0) return null
  return narrowing.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(narrowing, sql` and `)})`
}
