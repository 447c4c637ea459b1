import { z } from 'zod'
import { partakeMode, resultStatus } from '../../core/codes/programme.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { amount, flag, id, pick, text, integer } from '../../core/fields.ts'
import { paged, paging } from '../../core/paging.ts'
import { evaluationDraft } from './evaluation.schema.ts'

const amounts = z.object({ hours: z.string(), credit: z.string(), points: z.string() })

/** A student whose totals would change; amounts are decimal text, changes carry their sign. */
const changedRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  collegeName: z.string(),
  suiGrade: z.string(),
  /** Records of their that the rule rates. */
  times: z.number(),
  change: amounts,
  moduleBefore: z.string(),
  moduleAfter: z.string(),
  /** Whether the module's minimum is met. */
  passBefore: z.boolean(),
  passAfter: z.boolean(),
})

/**
 * Trying a rule out before it is saved: what one participation would get, and whose totals a change would have moved.
 */
export const scoringApi = {
  tryOut: call('POST', '/evaluationSystem/tryOut', {
    summary: '试算评价规则',
    permit: 'evaluation:list',
    input: z.strictObject({
      rule: evaluationDraft,
      esLessonLevel: text('级别', 8),
      /** Hours of the course as approved; those of the rule where left out. */
      liHours: amount('课程学时').optional(),
      partakeMode: pick('参与方式', valuesOf('partake_mode')).default(partakeMode.participant),
      laResult: pick('评定结果', valuesOf('result_status')).default(resultStatus.passed),
      adId: id('奖项').optional(),
      volunteer: flag('志愿活动').default(false),
      teamSize: integer('团队人数', 2, 20).optional(),
      teamRank: integer('名次', 1, 20).optional(),
      /** Hours the student is supposed to have already, in the rule's group and this school year. */
      had: amount('已有学时').optional(),
    }),
    output: z.object({
      entries: z.array(
        z.object({
          clType: z.string(),
          sqlId: z.string().nullable(),
          name: z.string(),
          value: z.string(),
          text: z.string(),
        }),
      ),
    }),
  }),
  whatIf: call('POST', '/evaluationSystem/whatIf', {
    summary: '评估评价规则改动的影响',
    permit: 'evaluation:edit',
    input: paging.extend({
      esId: id('评价规则'),
      rule: evaluationDraft,
      only: pick('范围', ['all', 'gain', 'lose']).default('all'),
    }),
    output: paged(changedRow).extend({
      /** Completed courses of the system and level, and the records they gave to students in reach. */
      lessons: z.number(),
      times: z.number(),
      people: z.number(),
      /** Students whose hours, credit or points would be other. */
      changed: z.number(),
      up: z.number(),
      down: z.number(),
      change: amounts,
      /** Students who would then meet the module's minimum, and who would no longer. */
      gain: z.number(),
      lose: z.number(),
      abilities: z.array(z.object({ sqlId: z.string(), sqlName: z.string(), before: z.string(), after: z.string() })),
      /** Courses not completed yet that keep the version they were made under. */
      running: z.number(),
      moduleName: z.string(),
      minHours: z.string(),
    }),
  }),
}
