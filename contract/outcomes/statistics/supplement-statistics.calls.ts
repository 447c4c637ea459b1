import { z } from 'zod'
import { exportReason } from '../../core/exports.ts'
import { pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { cards, count, includingLeavers, inOrder, lacking, period, place, subject } from './statistics.schema.ts'
import { statisticCalls } from './statistic-call.ts'

const permit = 'supstat:list' as const
const statistic = statisticCalls(permit)
/**
 * Supplement records by the moment they were handed in and the student they are of; drafts and removed ones never
 * count.
 */
const which = { ...period, ...place, ...subject, ...includingLeavers }
const input = inOrder(z.object(which))
const part = z.object({ ...count, count: z.number(), hours: z.number() })

/** Where a record stands, as the cards count it. */
export const supplementStages = [
  ['pass', '已通过'],
  ['refuse', '已驳回'],
  ['pending', '审批中'],
  ['publicty', '公示中'],
  ['granted', '已入账'],
  ['decided', '审批已结束'],
  ['twice', '疑似重复'],
] as const

/** `refuseReason`: word for word. */
const detail = paging.extend({
  ...which,
  ...lacking,
  stage: pick(
    '进展',
    supplementStages.map(([key]) => key) as ['pass', 'refuse', 'pending', 'publicty', 'granted', 'decided', 'twice'],
  ).optional(),
  lisType: z.string().max(10).optional(),
  refuseReason: z.string().max(1000).optional().meta({ label: '驳回原因' }),
  ...sortedBy('createTime'),
})

export const supplementStatApi = {
  info: statistic('POST', '/statistics/sup/lessonsInfoSupCount', {
    summary: '补录统计：总览',
    input,
    output: z.object({
      ...cards,
      apply: z.number(),
      pass: z.number(),
      refuse: z.number(),
      pending: z.number(),
      publicty: z.number(),
      hours: z.number(),
      types: z.array(part),
      /**
       * `hours`: what the ledger holds of the records counted; `total`: these and the hours that came otherwise, of
       * courses, and occurred in the period (null where a node or level is asked for, or the asking person sees but a
       * node below a module); `rate`: the share in per cent.
       */
      colleges: z.array(
        z.object({
          ...count,
          count: z.number(),
          hours: z.number(),
          total: z.number().nullable(),
          rate: z.number().nullable(),
        }),
      ),
      reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
    }),
  }),
  classes: statistic('POST', '/statistics/sup/lessonClassSup', {
    summary: '补录统计：各模块',
    input,
    output: z.array(part),
  }),
  levels: statistic('POST', '/statistics/sup/lessonLevelSup', {
    summary: '补录统计：各级别',
    input,
    output: z.array(part),
  }),
  months: statistic('POST', '/statistics/sup/lessonInfoSup', {
    summary: '补录统计：各月',
    input,
    output: z.array(z.object({ month: z.string(), apply: z.number(), pass: z.number() })),
  }),
  detail: statistic('POST', '/statistics/detail/lessonsSupDetail', {
    summary: '补录明细',
    input: inOrder(detail),
    output: paged(
      z.object({
        lisId: z.string(),
        lisName: z.string(),
        suId: z.string(),
        suiName: z.string(),
        suiNumber: z.string(),
        collegeName: z.string(),
        className: z.string(),
        lsName: z.string(),
        levelName: z.string(),
        lisType: z.string(),
        lisStatus: z.string(),
        lisAward: z.string(),
        lisOrg: z.string(),
        /** What the ledger holds of a credited record; what is recognised of another. */
        hours: z.string(),
        createTime: z.string(),
        opens: z.boolean(),
        opensStudent: z.boolean(),
      }),
    ),
  }),
  exportDetail: fileCall('POST', '/statistics/detail/exportLessonsSupDetail', {
    summary: '导出补录明细',
    permit: 'supstat:export',
    needsFreshCode: true,
    input: inOrder(detail.extend({ reason: exportReason })),
  }),
}
