import { yesNo } from '../../contract/core/codes/platform.ts'
import { accountStatus } from '../../contract/core/codes/school.ts'
import { StartFault } from '../core/base/start-fault.ts'
import type { PublicContext } from '../core/request/context.ts'
import { matchesHash } from '../core/secrets/passwords.ts'
import { isSuspended } from '../school/school/school.service.ts'
import { demoAccounts, demoPassword } from './account-list.ts'

/**
 * The demo's accounts and their password stand in the README: a service in production never opens to whoever has read
 * it. A school of one's own that happens to have the demo's code is told apart by its passwords.
 * @throws StartFault where somebody could sign in to a demo school by the demo's password
 */
export async function refuseOpenDemo({ db, secrets }: Pick<PublicContext, 'db' | 'secrets'>): Promise<void> {
  const accounts = await db
    .selectFrom('account')
    .innerJoin('person', (join) =>
      join.onRef('person.schoolId', '=', 'account.schoolId').onRef('person.suId', '=', 'account.suId'),
    )
    .select(['account.schoolId', 'passwordHash'])
    .where('account.schoolId', 'in', ['demo', 'demo2'])
    .where('account.suStatus', '=', accountStatus.active)
    .where('person.delFlag', '=', yesNo.no)
    .where(
      'suLoginName',
      'in',
      demoAccounts.map(({ username }) => username),
    )
    .orderBy('account.schoolId')
    .execute()
  const open = new Set<string>()
  for (const { schoolId, passwordHash } of accounts)
    if (!open.has(schoolId) && (await matchesHash(demoPassword, passwordHash, secrets))) open.add(schoolId)
  const schools: string[] = []
  for (const schoolId of open) if (!(await isSuspended({ db }, schoolId))) schools.push(schoolId)
  if (schools.length > 0)
    throw new StartFault(
      [
        `数据目录中有演示学校（${schools.join('、')}），任何人都能用公开的账号和密码登录，生产环境不启动。`,
        '请把 DATA_DIR 换成空的目录，再用 dekt create-school 建立自己的学校；',
        `要留用这里的其他学校，先暂停演示学校：${schools.map((one) => `dekt schools suspend ${one} --why "演示"`).join('，')}。`,
      ].join('\n'),
    )
}
