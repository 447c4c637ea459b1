import { z } from 'zod'
import { call } from '../../core/call.ts'
import { exportReason } from '../../core/exports.ts'
import { listed, nothing, pick } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, sortedPaging } from '../../core/paging.ts'
import { provincePermit } from '../../school/runtime/schools.calls.ts'
import { cards, inOrder, period } from '../statistics/statistics.schema.ts'
import { isProvincePeriod } from './province-periods.ts'
import { provinceScreens, type ProvinceScreen } from './province-tables.ts'

/** Groups of fewer people than this are shown to nobody outside their school. */
export const smallGroup = 10
/** What is told outside a school is a multiple of this: people, what they did, and sums of what they have. */
export const roundedTo = 5

/** Schools that can be chosen: they stand in the address, of which proxies take 8 KB. */
const maxSchools = 200

const screenKeys = provinceScreens.map(([key]) => key) as [ProvinceScreen, ...ProvinceScreen[]]

/** Periods that lie in each other or beside each other: others would be subtracted (decision 126). */
const inPeriods = <S extends z.ZodType<{ startTime: string; endTime: string }>>(schema: S): S =>
  inOrder(
    schema.refine(isProvincePeriod, {
      message: '时间须为一个月、一个学期（9 月或 3 月起的六个月）或一个学年（9 月起）',
      path: ['endTime'],
    }) as S,
  )

const which = {
  screen: pick('统计', screenKeys),
  startTime: period.startTime.unwrap(),
  endTime: period.endTime.unwrap(),
  /** All schools unless told. */
  schoolIds: listed(
    z
      .array(z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/, '学校代码不正确'))
      .min(1, '请选择学校')
      .max(maxSchools, `一次最多选择 ${maxSchools} 所学校；要看全部学校请不选择`),
  )
    .meta({ label: '学校' })
    .optional(),
}

/**
 * `few`: it has fewer students than {@link smallGroup}; `withheld`: it does not take part. Neither is in any figure.
 */
const state = z.enum(['told', 'few', 'withheld'])
const schoolRow = z.object({
  schoolId: z.string(),
  schName: z.string(),
  state,
  /**
   * Under the keys of the cards, calculated from rounded numbers; null where there is none, and where few people are
   * behind it: then it is in `small`.
   */
  figures: z.record(z.string(), z.number().nullable()),
  small: z.array(z.string()),
  /** The moment until which every change is in them. */
  asOf: z.string(),
})
const figureKind = z.object({ key: z.string(), name: z.string(), unit: z.string(), definition: z.string() })

/** The eight screens of the statistics across schools, for whoever may see them (decision 126). */
export const provinceApi = {
  info: call('GET', '/operator/statistics/info', {
    summary: '全省统计：总览',
    permit: provincePermit,
    cost: 'statistic',
    input: inPeriods(z.object(which)),
    output: z.object({
      ...cards,
      /** How many schools were asked about, and are in the figures. */
      asked: z.number(),
      counted: z.number(),
      schools: z.array(schoolRow),
      tables: z.array(
        z.object({
          key: z.string(),
          rows: z.array(
            z.object({
              id: z.string(),
              name: z.string(),
              values: z.record(z.string(), z.number().nullable()),
              /** In how many schools too few people are behind some of its figures; these schools are not in them. */
              small: z.number(),
            }),
          ),
        }),
      ),
    }),
  }),
  schools: call('GET', '/operator/statistics', {
    summary: '全省统计：各校',
    permit: provincePermit,
    cost: 'statistic',
    /** Sorted by the key of a card. */
    input: inPeriods(sortedPaging.extend(which)),
    output: paged(schoolRow),
  }),
  exportSchools: fileCall('POST', '/operator/statistics/export', {
    summary: '导出全省统计',
    permit: provincePermit,
    input: inPeriods(sortedPaging.extend(which).extend({ reason: exportReason })),
  }),
  options: call('GET', '/operator/statistics/schools', {
    summary: '全省统计：学校',
    permit: provincePermit,
    input: nothing,
    output: z.array(z.object({ id: z.string(), name: z.string(), isWithheld: z.boolean() })),
  }),
  own: call('GET', '/schoolInfo/provinceFigures', {
    summary: '提供给全省统计的数字',
    permit: 'school:list',
    cost: 'statistic',
    input: inPeriods(z.object({ startTime: which.startTime, endTime: which.endTime })),
    output: z.object({
      state,
      /** Whether anybody is named who may see statistics across schools. */
      isSeen: z.boolean(),
      screens: z.array(
        z.object({
          screen: z.enum(screenKeys),
          kinds: z.array(figureKind),
          figures: z.record(z.string(), z.number().nullable()),
          small: z.array(z.string()),
        }),
      ),
    }),
  }),
}
