import type { Checked } from '../../../contract/core/call.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { studentApi } from '../../../contract/school/people/students.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { switchAccounts } from './accounts.service.ts'
import { lockStudents, lockTeachers, type LockedPerson } from './lock-people.service.ts'
import { assertNotOutranked } from './rank-check.service.ts'

type Input = Checked<typeof studentApi.switch>
/** Switches the accounts of students on or off; all or none. Whoever is switched off is signed out at once. */
export const switchStudents = (ctx: Context, input: Input) =>
  switchPeople(ctx, input, '学生', (tx) => lockStudents(tx, input.ids))

/** The same for members of staff. */
export const switchTeachers = (ctx: Context, input: Input) =>
  switchPeople(ctx, input, '教师', (tx) => lockTeachers(tx, input.ids))

async function switchPeople(
  ctx: Context,
  { ids, suStatus }: Input,
  what: string,
  reach: (tx: Context) => Promise<LockedPerson[]>,
) {
  const isOff = suStatus === accountStatus.disabled
  const changed = await inTransaction(ctx, async (tx) => {
    const people = await reach(tx)
    if (isOff && ids.includes(tx.actor.suId)) throw new Failure('own-account')
    await assertNotOutranked(tx, ids)
    const switched = new Set(await switchAccounts(tx, tx.actor.schoolId, ids, suStatus))
    // the form of a person holds whether their account is on: one that was read before must not switch it back
    await tx.db
      .updateTable('person')
      .set(updatedColumns(tx))
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('suId', [...switched]))
      .execute()
    await auditMany(
      tx,
      people
        .filter(({ suId }) => switched.has(suId))
        .map(({ suId, suiName, suiNumber }) => ({
          action: `${isOff ? '停用' : '启用'}${what}账号`,
          bizType: 'person',
          bizId: suId,
          bizName: `${suiName}（${suiNumber}）`,
        })),
    )
    return [...switched]
  })
  forgetActors(ctx.actor.schoolId, changed)
  return { affected: changed.length }
}
