import { sql } from 'kysely'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'

/** Of some people the name of one who may do more than the caller; undefined where nobody may. One statement. */
export async function whoOutranks(
  { db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>,
  suIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ suiName: string }>`
      select p."suiName"
      from "roleUser" u
      join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" and r."enable" = '1'
      join "person" p on p."schoolId" = u."schoolId" and p."suId" = u."suId"
      where u."schoolId" = ${actor.schoolId}
        and u."suId" = any(${suIds}::uuid[])
        and u."suId" <> ${actor.suId}
        and (
          not r."permits" <@ ${[...actor.permits]}::text[]
          or (r."dataScope" = ${sql.lit(dataScope.school)} and not ${scope.whole}::boolean)
        )
      limit 1`.execute(db)
  return rows[0]?.suiName
}

/**
 * Refuses to touch the account of somebody who may do more than the caller: who can set a person's mail or password, or
 * end their account, could otherwise act in their place. One statement.
 */
export async function assertNotOutranked(
  ctx: Pick<Context, 'db' | 'actor' | 'scope'>,
  suIds: readonly string[],
): Promise<void> {
  const name = await whoOutranks(ctx, suIds)
  if (name !== undefined) throw new Failure('outranks-you', { name })
}
