import { sql } from 'kysely'
import { peopleKind } from '../../../contract/core/codes/outcomes.ts'
import type { Context } from '../../core/request/context.ts'
import { personsAt } from './places.ts'

/** Whether at least so many students study at a school now; no more of them are looked at. */
export async function studentsAreAtLeast({ db }: Pick<Context, 'db'>, schoolId: string, least: number) {
  const { rows } = await sql`
    select
    from ${personsAt}
    where s."schoolId" = ${schoolId}
      and pl."schoolId" = ${schoolId}
      and pl."plKind" = ${sql.lit(peopleKind.students)}
      and pl."enrolled"
    limit ${least}`.execute(db)
  return rows.length === least
}
