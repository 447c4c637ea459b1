import { z } from 'zod'
import { call } from '../core/call.ts'
import { exportReason } from '../core/exports.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { everybody, inOrder, period, place } from './statistics.schema.ts'

const permit = 'abilitystat:list' as const
/** Scores that occurred in the period; without one everything so far. */
const input = inOrder(paging.extend({ ...period, ...place, ...everybody, pageSize: paging.shape.pageSize.default(200) }))
const label = z.object({ sqlId: z.string(), sqlName: z.string(), score: z.number() })
/** Means over all students counted, those without a score too. */
const mean = { students: z.number(), labels: z.array(label), total: z.number() }

export const abilityStatApi = {
  colleges: call('POST', '/statistics/ability/collegeAbilityScore', {
    summary: '能力统计：各学院',
    permit,
    writes: false,
    input,
    output: paged(z.object({ collegeId: z.string(), collegeName: z.string(), ...mean, rank: z.number() })).extend({ school: z.object(mean), asOf: z.string() }),
  }),
  exportColleges: call('POST', '/statistics/ability/exportCollegeAbilityScore', { summary: '导出各学院能力统计', permit, writes: false, gives: 'file', input: input.safeExtend({ reason: exportReason }), output: fileOutput }),
  labels: call('POST', '/statistics/ability/abilityTagAvgScore', {
    summary: '能力统计：各标签',
    permit,
    writes: false,
    input,
    /** `offered`: hours of the courses completed in the period, weighted by their rules for the label. */
    output: paged(z.object({ sqlId: z.string(), sqlName: z.string(), avg: z.number(), max: z.number(), p25: z.number(), p50: z.number(), p75: z.number(), offered: z.number() })),
  }),
  grades: call('POST', '/statistics/ability/gradeScore', { summary: '能力统计：各年级', permit, writes: false, input, output: paged(z.object({ grade: z.string(), ...mean })) }),
}
