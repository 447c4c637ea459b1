import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import type { Permit } from '../../../contract/core/call.ts'
import { dayOf } from '../../core/base/clock.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { mayAct } from '../people/may-act.ts'

/**
 * Those of a school who hold a right today, whatever part of the school it is for: whom to tell of what needs somebody
 * with it.
 */
export async function holdersOf(ctx: Context, permit: Permit): Promise<string[]> {
  const rows = await from(ctx, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .innerJoin('person', withinSchool('person.suId', 'roleUser.suId'))
    .innerJoin('account', withinSchool('account.suId', 'roleUser.suId'))
    .select('roleUser.suId')
    .distinct()
    .where(sql<boolean>`${permit} = any("role"."permits")`)
    .where('role.enable', '=', enableStatus.enabled)
    .where(mayAct('person', 'account'))
    .where((or) => or.or([or('roleUser.endDate', 'is', null), or('roleUser.endDate', '>=', dayOf(ctx.clock.now()))]))
    .execute()
  return rows.map(({ suId }) => suId)
}
