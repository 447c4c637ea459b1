import { z } from 'zod'
import { day, pick, integer } from '../../core/fields.ts'

/**
 * When a curriculum node takes supplements (docs/rules.md R20): the whole year, certain months of every year (most
 * schools: March and September), or certain days. A node without a window of its own has that of the node above, a
 * module that of the school's rules (`supMonths`).
 */
export const supplementWindow = z
  .strictObject({
    way: pick('补录开放时间', ['year', 'months', 'dates']),
    months: z
      .array(integer('月份', 1, 12))
      .max(12)
      .default([])
      .meta({ label: '开放月份' }),
    dates: z
      .array(z.strictObject({ start: day('开始日期'), end: day('结束日期') }))
      .max(12, '最多 12 段开放日期')
      .default([])
      .meta({ label: '开放日期' }),
  })
  .check((ctx) => {
    const { way, months, dates } = ctx.value
    const fault = (path: (string | number)[], message: string) =>
      ctx.issues.push({ code: 'custom', input: ctx.value, path, message })
    if (way === 'months' && months.length === 0) fault(['months'], '请选择开放月份')
    if (way === 'dates' && dates.length === 0) fault(['dates'], '请添加开放日期')
    dates.forEach(({ start, end }, at) => end < start && fault(['dates', at, 'end'], '结束日期不能早于开始日期'))
  })
export type SupplementWindow = z.output<typeof supplementWindow>

/**
 * The window of nodes that say nothing: the months in which the school takes supplements; none, and they take them at
 * no time.
 */
export const windowOfMonths = (months: readonly number[]): SupplementWindow =>
  months.length === 0 ? { way: 'dates', months: [], dates: [] } : { way: 'months', months: [...months], dates: [] }

/** Whether a day, `yyyy-MM-dd`, lies in the window; null is the whole year. */
export function isOpenOn(window: SupplementWindow | null, day: string): boolean {
  if (!window || window.way === 'year') return true
  if (window.way === 'months') return window.months.includes(Number(day.slice(5, 7)))
  return window.dates.some(({ start, end }) => start <= day && day <= end)
}

/** The window in words: `每年 3、9 月`. */
export function windowText(window: SupplementWindow | null): string {
  if (!window || window.way === 'year' || (window.way === 'months' && new Set(window.months).size === 12)) return '全年'
  if (window.way === 'months') return `每年 ${window.months.toSorted((a, b) => a - b).join('、')} 月`
  if (window.dates.length === 0) return '暂不开放'
  return window.dates
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .map(({ start, end }) => (start === end ? start : `${start} 至 ${end}`))
    .join('，')
}

/** The last open day in a row from an open day on; null where the window never closes. */
export function openUntil(window: SupplementWindow | null, day: string): string | null {
  if (!window || window.way === 'year' || (window.way === 'months' && new Set(window.months).size === 12)) return null
  if (window.way === 'months') {
    const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
    let next = month
    while (window.months.includes((next % 12) + 1)) next++
    return new Date(Date.UTC(year, next, 0)).toISOString().slice(0, 10)
  }
  let last = day
  for (const { start, end } of window.dates.toSorted((a, b) => (a.start < b.start ? -1 : 1)))
    if (start <= dayAfter(last) && end > last) last = end
  return last
}

/** The next day on which a closed window opens; null where it never does again. */
export function opensOn(window: SupplementWindow | null, day: string): string | null {
  if (!window || isOpenOn(window, day)) return null
  if (window.way === 'dates')
    return (
      window.dates
        .map(({ start }) => start)
        .filter((start) => start > day)
        .toSorted()[0] ?? null
    )
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  const next = window.months.map((one) => (one > month ? one : one + 12)).toSorted((a, b) => a - b)[0]
  return next === undefined ? null : new Date(Date.UTC(year, next - 1, 1)).toISOString().slice(0, 10)
}

const dayAfter = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
