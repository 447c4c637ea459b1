import { z } from 'zod'
import { flag, id, pick, rangeEnd, rangeStart } from '../../core/fields.ts'

/** The longest period a statistic is asked for, in days: a little over six school years. */
export const maxPeriod = 2200

const days = (from: string, to: string): number =>
  (Date.parse(to.slice(0, 10)) - Date.parse(from.slice(0, 10))) / 86_400_000

/** Of fewer people neither shares nor means are told: they would say what one of them is or has. */
export const minGroupSize = 5
/**
 * The key of the one row that stands for shares by political status where the filter is narrower than they are told.
 */
export const coarsePoliticalStatus = 'coarse'

/** The period of a statistic; one edge may be left open. */
export const period = { startTime: rangeStart('开始时间').optional(), endTime: rangeEnd('结束时间').optional() }

/** Refuses a period that ends before it begins or is longer than anybody needs. */
export const inOrder = <S extends z.ZodType<{ startTime?: string | undefined; endTime?: string | undefined }>>(
  schema: S,
): S =>
  schema
    .refine(({ startTime, endTime }) => !startTime || !endTime || startTime <= endTime, {
      message: '结束时间不能早于开始时间',
      path: ['endTime'],
    })
    .refine(({ startTime, endTime }) => !startTime || !endTime || days(startTime, endTime) <= maxPeriod, {
      message: '时间范围不能超过 6 年',
      path: ['endTime'],
    }) as S

/** Where students stand: the filters of every statistic about them. */
export const place = {
  collegeId: id('学院').optional(),
  majorId: id('专业').optional(),
  scClassId: id('班级').optional(),
  grade: z.string().max(10).optional().meta({ label: '年级' }),
}

/** What a course or a supplement record is: a node of the curriculum with all below it, and a level. */
export const subject = { lsId: id('模块').optional(), llId: z.string().max(10).optional().meta({ label: '级别' }) }

/** Students who do not study now (on leave, gone, graduated) count too. */
export const includingLeavers = { everybody: flag('含非在读学生').optional() }

/**
 * One figure with what it was before. Numbers are rounded to two decimals; null says that there is nothing to divide by
 * or that no period was asked for.
 */
export const card = z.object({
  key: z.string(),
  name: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  /** The period before, and the share by which the figure changed, in per cent. */
  prev: z.number().nullable(),
  changeRate: z.number().nullable(),
  /** The same period of the year before. */
  lastYear: z.number().nullable(),
  lastYearRate: z.number().nullable(),
  /** What is counted (统计口径). */
  definition: z.string(),
})
export type Card = z.infer<typeof card>

/** Figures with the moment up to which all changes are in them, and the two periods they are compared with. */
const span = z
  .object({
    startTime: z.string(),
    endTime: z.string(),
    /** Only as many days of it as have passed of the period asked for, which is still running. */
    part: z.boolean(),
  })
  .nullable()
export const cards = { cards: z.array(card), asOf: z.string(), previous: span, lastYear: span }

/** The figures of the cards under their keys, beside them. */
export const flat = <const K extends string>(keys: readonly K[]) =>
  Object.fromEntries(keys.map((key) => [key, z.number().nullable()])) as Record<K, z.ZodNullable<z.ZodNumber>>

/**
 * What belongs to no college, or people of no grade: groups of a figure that no college or grade as a filter leads to.
 */
export const missingPlaces = [
  ['college', '未分学院'],
  ['grade', '未登记年级'],
  ['both', '学院与年级均未登记'],
] as const
export const lacking = { lacking: pick('未登记', ['college', 'grade', 'both']).optional() }
export const noCollege = { lacking: pick('未登记', ['college']).optional() }

export const count = { id: z.string(), name: z.string() }
