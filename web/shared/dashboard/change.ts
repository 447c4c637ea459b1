import { figure } from '../../core/service/figure.ts'

/** The class a change is drawn with: welcome, unwelcome, or neither. */
export type ChangeTone = 'is-up' | 'is-down' | ''

/** What a rise of a figure means: good news, bad news, or neither. */
export type Rise = 'welcome' | 'unwelcome' | 'neutral'

/** How a change is drawn: by whether it is welcome, not by its direction. */
export const toneOf = (rate: number | null, rise: Rise): ChangeTone =>
  rate === null || rate === 0 || rise === 'neutral' ? '' : rate > 0 === (rise === 'welcome') ? 'is-up' : 'is-down'

/** Per cent beyond which a rate only says that there was next to nothing before. */
const telling = 999

/** A change in words: its rate, or what it was before where a rate would say nothing. */
export function changeText(rate: number | null, before: number, unit: string): string {
  if (rate === null) return '—'
  if (rate === 0) return '持平'
  if (rate > telling) return `↑ 原为 ${figure(before)} ${unit}`
  return `${rate > 0 ? '↑' : '↓'} ${figure(Math.abs(rate))}%`
}
