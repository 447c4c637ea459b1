import { z } from 'zod'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { cards, includingLeavers, inOrder, period, place } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'abilitystat:list' as const
const statistic = statisticCalls(permit)
/** Scores that occurred in the period; without one everything so far. */
const filter = paging.extend({ ...period, ...place, ...includingLeavers, pageSize: paging.shape.pageSize.default(200) })
const input = inOrder(filter)
const colleges = filter.extend(sortedBy('rank', 'students', 'total'))
const label = z.object({ sqlId: z.string(), sqlName: z.string(), score: z.number() })
/** Means over all students counted, those without a score too. */
const mean = { students: z.number(), labels: z.array(label), total: z.number() }

export const abilityStatApi = {
  colleges: statistic('POST', '/statistics/ability/collegeAbilityScore', {
    summary: '能力统计：各学院',
    input: inOrder(colleges),
    output: paged(z.object({ collegeId: z.string(), collegeName: z.string(), ...mean, rank: z.number() })).extend({
      /** All students counted. */
      school: z.object(mean),
      /**
       * To compare with: all students of the asking person's area, and those of the college and of the grade that were
       * chosen, whatever else is filtered.
       */
      beside: z.array(z.object({ key: z.enum(['all', 'college', 'grade']), name: z.string(), ...mean })),
      ...cards,
    }),
  }),
  labels: statistic('POST', '/statistics/ability/abilityTagAvgScore', {
    summary: '能力统计：各标签',
    input,
    /**
     * `offered`: hours of the courses of the asking person's area and of the chosen college that were completed,
     * weighted by their rules for the label.
     */
    output: paged(
      z.object({
        sqlId: z.string(),
        sqlName: z.string(),
        avg: z.number(),
        max: z.number(),
        p25: z.number(),
        p50: z.number(),
        p75: z.number(),
        offered: z.number(),
      }),
    ),
  }),
  grades: statistic('POST', '/statistics/ability/gradeScore', {
    summary: '能力统计：各年级',
    input,
    output: paged(z.object({ grade: z.string(), ...mean })),
  }),
  exportList: fileCall('POST', '/statistics/ability/exportCollegeAbilityScore', {
    summary: '导出能力统计',
    permit: 'abilitystat:export',
    input: inOrder(colleges.extend({ reason: exportReason })),
  }),
}
