import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { weeksText } from './class-times.ts'
import { classScopeColumns } from './classes.queries.ts'

/** Meetings of classes that exist for whoever asks. */
const visibleTimes = ({ db, actor, scope }: Context) =>
  from({ db, actor }, 'classTime')
    .innerJoin('schoolClass', withinSchool('schoolClass.scClassId', 'classTime.scClassId'))
    .where(inScope(scope, classScopeColumns))

/** The timetable of a class, the latest term first. */
export async function classTimes(
  ctx: Context,
  { scClassId }: Checked<typeof classApi.times>,
): Promise<Output<typeof classApi.times>> {
  const rows = await visibleTimes(ctx)
    .select(['ctId', 'tmName', 'ctName', 'weekday', 'startAt', 'endAt', 'weeks', 'placeText'])
    .where('classTime.scClassId', '=', scClassId)
    .orderBy('firstMonday', 'desc')
    .orderBy('weekday')
    .orderBy('startAt')
    .orderBy('ctId')
    .limit(500)
    .execute()
  return rows.map(({ weeks, ...row }) => ({ ...row, weeks: weeksText(weeks) }))
}

/** Removes meetings from timetables. @throws Failure `not-found` when one of them is out of sight */
export const removeClassTimes = (ctx: Context, { ids }: Checked<typeof classApi.removeTimes>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleTimes(tx)
      .select(['ctId', 'ctName', 'tmName', 'schoolClass.scClassId', 'schoolClass.scClassName'])
      .where(anyOf('ctId', ids))
      .execute()
    if (rows.length !== ids.length) throw new Failure('not-found')
    await tx.db.deleteFrom('classTime').where('schoolId', '=', tx.actor.schoolId).where(anyOf('ctId', ids)).execute()
    await auditMany(
      tx,
      rows.map(({ scClassId, scClassName, ctName, tmName }) => ({
        action: '删除课表',
        bizType: 'schoolClass',
        bizId: scClassId,
        bizName: scClassName,
        before: { ctName, tmName },
      })),
    )
    return { affected: rows.length }
  })
