import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import { operatorApi } from '../../contract/school/runtime/schools.calls.ts'
import { audit } from '../core/audit/audit.ts'
import { from } from '../core/database/tenant.ts'
import type { Context } from '../core/request/context.ts'
import { inTransaction } from '../core/request/transaction.ts'
import { createSchool } from './create-school.ts'
import { firstPasswordFault } from './first-password.ts'

/** Makes a school with its first administrator, who has to change the password at the first sign-in. */
export async function addSchool(ctx: Context, input: Checked<typeof operatorApi.add>): Promise<{ schoolId: string }> {
  const { schoolId, schName, adminName, username, password } = input
  const fault = firstPasswordFault(password, ctx.config, [schoolId, schName, username, adminName])
  if (fault) throw invalidInput([{ field: 'password', msg: fault }])
  return inTransaction(ctx, async (tx) => {
    if (await from({ db: tx.db, schoolId }, 'school').select('schoolId').executeTakeFirst())
      throw new Failure('school-taken', { schoolId })
    await createSchool(tx, { schoolId, schName, admin: { username, name: adminName, password } })
    await audit(tx, { action: operatorApi.add.summary, bizType: 'school', bizId: schoolId, bizName: schName })
    return { schoolId }
  })
}
