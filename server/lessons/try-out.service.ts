import type { Checked } from '../../contract/core/call.ts'
import { labelOf } from '../../contract/core/dictionary.ts'
import { invalidInput } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { EvaluationDraft } from '../../contract/evaluation/evaluation.schema.ts'
import type { scoringApi } from '../../contract/evaluation/scoring.calls.ts'
import type { Context } from '../core/context.ts'
import { entriesFor, type RatedRule } from '../credits/rules.ts'
import { scoredLabels } from '../labels/label-names.service.ts'

/** A draft as the rules read it; version 0 is one that is not saved. */
export const ratedRuleOf = ({ hourCap, ...draft }: EvaluationDraft, versionNo = 0): RatedRule => ({ ...draft, hourCap: hourCap ?? null, versionNo })

/** What one participation would get under a rule that need not be saved yet, with the arithmetic of each value. */
export async function tryOut(ctx: Context, { rule, esLessonLevel, liHours, adId, ...rest }: Checked<typeof scoringApi.tryOut>) {
  const { db, actor } = ctx
  const level = await db.selectFrom('lessonLevel').select(['llName', 'llFactor']).where('schoolId', '=', actor.schoolId).where('llId', '=', esLessonLevel).executeTakeFirst()
  if (!level) throw invalidInput([{ field: 'esLessonLevel', msg: '所选级别不存在，请重新选择' }])
  const award = adId ? await db.selectFrom('awardDetail').select(['adName', 'hours', 'credit', 'points']).where('schoolId', '=', actor.schoolId).where('adId', '=', adId).executeTakeFirst() : undefined
  if (adId && !award) throw invalidInput([{ field: 'adId', msg: '所选奖项不存在，请重新选择' }])
  const names = new Map((await scoredLabels(ctx)).map(({ sqlId, sqlName }) => [sqlId, sqlName]))
  const entries = entriesFor({ ...rest, declaredHours: liHours ?? rule.baseHours, rule: ratedRuleOf(rule), levelName: level.llName, levelFactor: level.llFactor, award: award ?? null })
  return {
    entries: entries.map(({ clType, sqlId, value, explain }) => ({
      clType, sqlId, value: fromHundredths(value), name: sqlId === null ? labelOf('credit_type', clType) : (names.get(sqlId) ?? '已删除的能力'),
      // an unsaved rule has no version to name
      text: explain.text.replace('评价规则第 0 版，', ''),
    })),
  }
}
