import type { Checked } from '../../contract/core/call.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { Failure } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { registrationApi } from '../../contract/lessons/registration.calls.ts'
import type { Context } from '../core/context.ts'
import type { Explain } from '../credits/rules.ts'
import { gatesOf } from './credit-trace.ts'
import { visibleLessons } from './lessons.queries.ts'

/** Why a participant has, or does not have, his credit: the gates he passed, and the arithmetic of every value he was granted. */
export async function creditTrace(ctx: Context, { laId }: Checked<typeof registrationApi.explain>) {
  const { schoolId } = ctx.actor
  const facts = await visibleLessons(ctx)
    .innerJoin('registration', (join) => join.onRef('registration.schoolId', '=', 'lesson.schoolId').onRef('registration.liId', '=', 'lesson.liId'))
    .select(['lesson.liId', 'registration.suId', 'laStatus', 'applyTime', 'refuseReason', 'laSignStatus', 'signInTime', 'laResult', 'awardName', 'liStatus', 'liPublictySdate', 'liPublictyEdate', 'completeTime'])
    .where('registration.laId', '=', laId).where('registration.delFlag', '=', '0').executeTakeFirst()
  if (!facts) throw new Failure('not-found')
  const rows = await ctx.db
    .selectFrom('creditLedger')
    .leftJoin('qualityLabel', (join) => join.onRef('qualityLabel.schoolId', '=', 'creditLedger.schoolId').onRef('qualityLabel.sqlId', '=', 'creditLedger.sqlId'))
    .select(['clType', 'clValue', 'explain', 'sqlName']).where('creditLedger.schoolId', '=', schoolId).where('bizId', '=', facts.liId).where('creditLedger.suId', '=', facts.suId).orderBy('clType').orderBy('clId').execute()
  const entries = rows.map(({ clType, clValue, explain, sqlName }) => ({ clType: labelOf('credit_type', clType) + (sqlName ? `·${sqlName}` : ''), value: fromHundredths(clValue), explain: (explain as Explain).text }))
  return { gates: gatesOf({ ...facts, entries: entries.length }), entries }
}
