import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { EvaluationDraft } from '../../../contract/rules/evaluation/evaluation.schema.ts'
import type { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { entriesFor, type Limits, type RatedRule } from '../credits/rules.ts'
import { scoredLabels } from '../../rules/labels/label-names.service.ts'

/** A draft as the rules read it; version 0 is one that is not saved. */
export const ratedRuleOf = (
  { hourCap, yearCap, bestOnlyGroup, ...draft }: EvaluationDraft,
  versionNo = 0,
): RatedRule => ({
  ...draft,
  hourCap: hourCap ?? null,
  yearCap: yearCap ?? null,
  bestOnlyGroup: bestOnlyGroup ?? '',
  versionNo,
})

/** What one participation would get under a rule that need not be saved yet, with the arithmetic of each value. */
export async function tryOut(
  ctx: Context,
  { rule, esLessonLevel, liHours, adId, teamSize, teamRank, had, ...rest }: Checked<typeof scoringApi.tryOut>,
) {
  const { db, actor } = ctx
  const level = await from({ db, actor }, 'lessonLevel')
    .select(['llName', 'llFactor'])
    .where('llId', '=', esLessonLevel)
    .executeTakeFirst()
  if (!level) throw invalidInput([{ field: 'esLessonLevel', msg: '所选级别不存在，请重新选择' }])
  const award = adId
    ? await from({ db, actor }, 'awardDetail')
        .select(['adName', 'hours', 'credit', 'points', 'abilityFactor'])
        .where('adId', '=', adId)
        .executeTakeFirst()
    : undefined
  if (adId && !award) throw invalidInput([{ field: 'adId', msg: '所选奖项不存在，请重新选择' }])
  const names = new Map((await scoredLabels(ctx)).map(({ sqlId, sqlName }) => [sqlId, sqlName]))
  const team = teamSize && teamRank ? { size: teamSize, rank: teamRank } : undefined
  if (team && team.rank > team.size) throw invalidInput([{ field: 'teamRank', msg: '名次不能大于团队人数' }])
  const entries = entriesFor(
    {
      ...rest,
      team,
      declaredHours: liHours ?? rule.baseHours,
      rule: ratedRuleOf(rule),
      levelName: level.llName,
      levelFactor: level.llFactor,
      award: award ?? null,
    },
    undefined,
    limitsOf(rule, had),
  )
  return {
    entries: entries.map(({ clType, sqlId, value, explain }) => ({
      clType,
      sqlId,
      value: fromHundredths(value),
      name: sqlId === null ? labelOf('credit_type', clType) : (names.get(sqlId) ?? '已删除的能力'),
      // an unsaved rule has no version to name
      text: explain.text.replace('评价规则第 0 版，', ''),
    })),
  }
}

/** What the student is supposed to have already: in the rule's group, and of the school year's hours. */
function limitsOf({ bestOnlyGroup, yearCap }: EvaluationDraft, had: number | undefined): Limits | undefined {
  if (had === undefined) return undefined
  return {
    best: bestOnlyGroup ? { group: bestOnlyGroup, had: { hours: had, credit: 0, points: 0 } } : undefined,
    rooms: yearCap === undefined ? [] : [{ name: '本学年', left: yearCap - had }],
  }
}
