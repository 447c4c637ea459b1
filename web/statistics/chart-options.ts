import type { EChartsCoreOption } from 'echarts/core'
import type { ChartLook } from '../core/chart.tsx'

type Option = (look: ChartLook) => EChartsCoreOption
interface Series {
  name: string
  data: readonly (number | null)[]
}

const tooltip = ({ card, line, text }: ChartLook, trigger: 'axis' | 'item') => ({ trigger, backgroundColor: card, borderColor: line, textStyle: { color: text }, confine: true })
const legend = ({ text }: ChartLook, count: number) => (count < 2 ? { show: false } : { top: 0, textStyle: { color: text }, itemWidth: 14, itemHeight: 10, type: 'scroll' as const })
/** An axis of figures; where all are counts, of whole ones. */
const numbers = ({ soft, line }: ChartLook, series: readonly Series[]) => ({ type: 'value' as const, axisLabel: { color: soft }, splitLine: { lineStyle: { color: line, opacity: 0.5 } }, ...(series.every(({ data }) => data.every((one) => one === null || Number.isInteger(one))) && { minInterval: 1 }) })
const names = ({ soft, line }: ChartLook, data: readonly string[]) => ({ type: 'category' as const, data: [...data], axisLabel: { color: soft, hideOverlap: true, width: 96, overflow: 'truncate' as const }, axisLine: { lineStyle: { color: line } }, axisTick: { show: false } })
const grid = (series: number) => ({ left: 8, right: 16, top: series > 1 ? 36 : 16, bottom: 4, containLabel: true })

/** Lines over time, told apart by dash and marker too. */
export const lines = (x: readonly string[], series: readonly Series[]): Option => (look) => ({
  color: [...look.colors], tooltip: tooltip(look, 'axis'), legend: legend(look, series.length), grid: grid(series.length), xAxis: names(look, x), yAxis: numbers(look, series),
  series: series.map(({ name, data }, at) => ({ type: 'line', name, data: [...data], smooth: 0.2, showSymbol: x.length < 40, ...look.cue(at) })),
})

/** Bars side by side or stacked; lying where names are long. */
export const bars = (labels: readonly string[], series: readonly Series[], { stacked = false, lying = false } = {}): Option => (look) => {
  const [category, value] = [{ ...names(look, labels), ...(lying && { inverse: true }) }, numbers(look, series)]
  return {
    color: [...look.colors], tooltip: tooltip(look, 'axis'), legend: legend(look, series.length), grid: grid(series.length), xAxis: lying ? value : category, yAxis: lying ? category : value,
    series: series.map(({ name, data }) => ({ type: 'bar', name, data: [...data], barMaxWidth: 26, ...(stacked && { stack: 'all' }) })),
  }
}

/** Shares of a whole; values and shares stand in the legend, where they are never in each other's way. */
export const donut = (parts: readonly { name: string; value: number }[], unit: string): Option => (look) => {
  const all = parts.reduce((sum, { value }) => sum + value, 0)
  const of = (name: string) => parts.find((part) => part.name === name)?.value ?? 0
  return {
    color: [...look.colors], tooltip: { ...tooltip(look, 'item'), valueFormatter: (value: unknown) => `${String(value)} ${unit}` },
    legend: { type: 'scroll', orient: 'vertical', right: 0, top: 'middle', textStyle: { color: look.text }, itemWidth: 12, itemHeight: 10, formatter: (name: string) => `${name.length > 9 ? `${name.slice(0, 8)}…` : name}  ${of(name)}（${all === 0 ? 0 : Math.round((of(name) * 1000) / all) / 10}%）` },
    series: [{ type: 'pie', radius: ['46%', '72%'], center: ['28%', '50%'], label: { show: false }, itemStyle: { borderColor: look.card, borderWidth: 2 }, data: parts.map((part) => ({ ...part })) }],
  }
}

export const funnel = (steps: readonly { name: string; value: number; unit: string }[]): Option => (look) => ({
  color: [...look.colors], tooltip: tooltip(look, 'item'), legend: { show: false },
  series: [{ type: 'funnel', sort: 'none', left: '18%', right: '18%', top: 8, bottom: 8, minSize: '18%', gap: 3, label: { show: true, position: 'inside', color: '#fff', fontSize: 12, formatter: ({ name }: { name: string }) => `${name} ${steps.find((one) => one.name === name)?.value ?? 0}` }, itemStyle: { borderWidth: 0 }, data: steps.map(({ name, value }) => ({ name, value })) }],
})

/** A table of colours: rows by columns. */
export const heat = (columns: readonly string[], rows: readonly string[], cells: readonly (readonly [number, number, number])[]): Option => (look) => heated(look, columns, rows, cells, Math.max(1, ...cells.map(([, , n]) => n)))
const heated = (look: ChartLook, columns: readonly string[], rows: readonly string[], cells: readonly (readonly [number, number, number])[], highest: number): ReturnType<Option> => ({
  tooltip: { ...tooltip(look, 'item'), formatter: ({ value: [x, y, n] }: { value: [number, number, number] }) => `${rows[y]} ${columns[x]}：${n}` },
  grid: { left: 8, right: 8, top: 8, bottom: 44, containLabel: true }, xAxis: { ...names(look, columns), splitArea: { show: false } }, yAxis: { ...names(look, rows), inverse: true },
  visualMap: { min: 0, max: highest, orient: 'horizontal', left: 'center', bottom: 0, itemHeight: 120, itemWidth: 12, calculable: false, textStyle: { color: look.soft }, inRange: { color: [look.card, look.colors[0]!] } },
  series: [{ type: 'heatmap', data: cells.map((cell) => ({ value: [...cell], label: { color: cell[2] > highest * 0.45 ? '#fff' : look.text } })), itemStyle: { borderColor: look.line, borderWidth: 0.5 }, label: { show: columns.length <= 12 } }],
})

export const radar = (indicators: readonly { name: string; max: number }[], series: readonly Series[]): Option => (look) => ({
  color: [...look.colors], tooltip: tooltip(look, 'item'), legend: { bottom: 0, textStyle: { color: look.text }, type: 'scroll' as const },
  radar: { center: ['50%', '46%'], radius: '62%', indicator: indicators.map((one) => ({ ...one })), axisName: { color: look.text }, axisLine: { lineStyle: { color: look.line } }, splitLine: { lineStyle: { color: look.line } }, splitArea: { show: false } },
  series: [{ type: 'radar', data: series.map(({ name, data }, at) => ({ name, value: [...data], ...look.cue(at), ...(at === 0 && { areaStyle: { opacity: 0.12 } }) })) }],
})
