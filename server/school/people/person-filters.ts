import { expressionBuilder, sql, type Expression, type SqlBool } from 'kysely'
import { Failure } from '../../../contract/core/failure.ts'
import { contains } from '../../core/database/paging.ts'
import type { DB } from '../../core/database/tables.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope, type ScopeColumns } from '../../core/request/scope-sql.ts'
import { isNamed } from '../organisation/person-columns.ts'
import { piiRight } from './person-facts.ts'

interface PersonFilters {
  search?: string | undefined
  suiName?: string | undefined
  suiNumber?: string | undefined
  suiCollegeId?: string | undefined
  suiSex?: string | undefined
  suiStatus?: string | undefined
  suiPolitical?: string | undefined
  suStatus?: string | undefined
}

/**
 * The conditions of the filters that lists of students and of staff have in common. By political status only those are
 * found whose political status the asking person may see.
 */
export function personConditions(
  { actor }: Pick<Context, 'actor'>,
  { search, suiName, suiNumber, suiCollegeId, suiSex, suiStatus, suiPolitical, suStatus }: PersonFilters,
  scopeColumns: ScopeColumns,
): Expression<SqlBool>[] {
  if (suiPolitical && !actor.permits.has(piiRight)) throw new Failure('not-permitted')
  const column = expressionBuilder<DB, 'person'>()
  return [
    search && isNamed(search),
    suiName && contains('person.suiName', suiName),
    suiNumber && contains('person.suiNumber', suiNumber),
    suiCollegeId && column('person.suiCollegeId', '=', suiCollegeId),
    suiSex && column('person.suiSex', '=', suiSex),
    suiStatus && column('person.suiStatus', '=', suiStatus),
    suiPolitical && column('person.suiPolitical', '=', suiPolitical),
    suiPolitical && inScope(actor.scopeFor(piiRight), scopeColumns),
    suStatus &&
      sql<boolean>`exists (
        select
        from "account" a
        where a."schoolId" = "person"."schoolId" and a."suId" = "person"."suId" and a."suStatus" = ${suStatus}
      )`,
  ].filter((one) => one !== undefined && one !== '')
}
