import { yesNo } from '../../contract/core/codes/platform.ts'
import { accountStatus } from '../../contract/core/codes/school.ts'
import type { DemoAccount } from '../../contract/school/session/demo.calls.ts'
import type { PublicContext } from '../core/request/context.ts'
import { demoPassword, demoAccounts } from './account-list.ts'

/**
 * The accounts the sign-in page offers to whoever opens it: those of the demo school that can be signed in to. They
 * come with their password, so that one click takes the same way into the service as typing does and there is no other
 * way to guard. In production nothing is offered, whatever the database holds.
 */
export async function offeredAccounts({ config, db }: Pick<PublicContext, 'config' | 'db'>): Promise<DemoAccount[]> {
  if (config.production) return []
  const schoolId = 'demo'
  const open = await db
    .selectFrom('account')
    .innerJoin('person', (join) =>
      join.onRef('person.schoolId', '=', 'account.schoolId').onRef('person.suId', '=', 'account.suId'),
    )
    .select('suLoginName')
    .where('account.schoolId', '=', schoolId)
    .where('account.suStatus', '=', accountStatus.active)
    .where('person.delFlag', '=', yesNo.no)
    .where(
      'suLoginName',
      'in',
      demoAccounts.map(({ username }) => username),
    )
    .execute()
  const names = new Set(open.map(({ suLoginName }) => suLoginName))
  return demoAccounts
    .filter(({ username }) => names.has(username))
    .map((account) => ({ schoolId, password: demoPassword, ...account }))
}
