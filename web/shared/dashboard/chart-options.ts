import type { EChartsCoreOption } from 'echarts/core'
import type { ChartTheme } from '../../core/chart/chart.tsx'

/** A drawing in the colours of a theme. */
export type Option = (theme: ChartTheme) => EChartsCoreOption
/**
 * What is drawn otherwise where a chart has less room than told, in pixels; the narrowest last, for all that fit are
 * applied.
 */
const fitted = (
  option: EChartsCoreOption,
  otherwise: readonly (readonly [maxWidth: number, option: EChartsCoreOption])[],
  usual: EChartsCoreOption,
): EChartsCoreOption => ({
  ...option,
  media: [...otherwise.map(([maxWidth, narrow]) => ({ query: { maxWidth }, option: narrow })), { option: usual }],
})
const labelWidth = (width: number) => ({ axisLabel: { width } })

export interface Series {
  name: string
  data: readonly (number | null)[]
  /** Percents: they have an axis of their own, for beside counts of thousands they would not be seen. */
  isRate?: boolean
}

const tooltip = ({ card, line, text }: ChartTheme, trigger: 'axis' | 'item') => ({
  trigger,
  backgroundColor: card,
  borderColor: line,
  textStyle: { color: text },
  confine: true,
})
const legend = ({ text }: ChartTheme, count: number) =>
  count < 2
    ? { show: false }
    : { top: 0, textStyle: { color: text }, itemWidth: 14, itemHeight: 10, type: 'scroll' as const }
/** An axis of figures; where all are counts, of whole ones. */
const numbers = ({ soft, line }: ChartTheme, series: readonly Series[]) => ({
  type: 'value' as const,
  axisLabel: { color: soft },
  splitLine: { lineStyle: { color: line, opacity: 0.5 } },
  ...(series.every(({ data }) => data.every((one) => one === null || Number.isInteger(one))) && { minInterval: 1 }),
})
const names = ({ soft, line }: ChartTheme, data: readonly string[]) => ({
  type: 'category' as const,
  data: [...data],
  axisLabel: { color: soft, hideOverlap: true, width: 96, overflow: 'truncate' as const },
  axisLine: { lineStyle: { color: line } },
  axisTick: { show: false },
})
const grid = (series: number) => ({ left: 8, right: 16, top: series > 1 ? 36 : 16, bottom: 4, containLabel: true })

/** Lines over time, told apart by dash and marker too. */
export const lines =
  (x: readonly string[], series: readonly Series[]): Option =>
  (theme) => ({
    color: [...theme.colors],
    tooltip: tooltip(theme, 'axis'),
    legend: legend(theme, series.length),
    grid: grid(series.length),
    xAxis: names(theme, x),
    yAxis: numbers(theme, series),
    series: series.map(({ name, data }, at) => ({
      type: 'line',
      name,
      data: [...data],
      smooth: 0.2,
      showSymbol: x.length < 40,
      ...theme.cue(at),
    })),
  })

/**
 * Bars side by side or stacked; horizontal where names are long. Rates beside amounts go by an axis on the other side.
 */
export const bars =
  (labels: readonly string[], series: readonly Series[], { stacked = false, horizontal = false } = {}): Option =>
  (theme) => {
    const [rates, amounts] = [series.filter(({ isRate }) => isRate), series.filter(({ isRate }) => !isRate)]
    const both = rates.length > 0 && amounts.length > 0
    const category = { ...names(theme, labels), ...(horizontal && { inverse: true }) }
    const percents = {
      ...numbers(theme, rates),
      min: 0,
      max: 100,
      position: horizontal ? 'top' : 'right',
      splitLine: { show: false },
      axisLabel: { color: theme.soft, formatter: '{value}%' },
    }
    const value = both ? [numbers(theme, amounts), percents] : numbers(theme, series)
    const onOther = (one: Series) => both && one.isRate === true && { [horizontal ? 'xAxisIndex' : 'yAxisIndex']: 1 }
    const at = (width: number) => (horizontal ? { yAxis: labelWidth(width) } : { xAxis: labelWidth(width) })
    const room = (width: number) => (horizontal ? width : Math.round((width * 0.8) / Math.max(1, labels.length)))
    return fitted(
      {
        color: [...theme.colors],
        tooltip: tooltip(theme, 'axis'),
        legend: legend(theme, series.length),
        grid: grid(series.length),
        xAxis: horizontal ? value : category,
        yAxis: horizontal ? category : value,
        series: series.map((one) => ({
          type: 'bar',
          name: one.name,
          data: [...one.data],
          barMaxWidth: 26,
          ...onOther(one),
          ...(stacked && { stack: 'all' }),
        })),
      },
      horizontal
        ? [
            [800, at(150)],
            [420, at(88)],
          ]
        : [
            [800, at(Math.max(96, room(420)))],
            [420, at(Math.max(60, room(300)))],
          ],
      at(horizontal ? 260 : Math.max(96, room(800))),
    )
  }

/** Shares of a whole; values and shares stand in the legend, where they are never in each other's way. */
export const donut =
  (parts: readonly { name: string; value: number }[], unit: string): Option =>
  (theme) => {
    const all = parts.reduce((sum, { value }) => sum + value, 0)
    const of = (name: string) => parts.find((part) => part.name === name)?.value ?? 0
    const beside = {
      legend: { orient: 'vertical', left: 'auto', right: 0, top: 'middle', bottom: 'auto' },
      series: [{ radius: ['46%', '72%'], center: ['28%', '50%'] }],
    }
    const below = {
      legend: { orient: 'horizontal', left: 'center', right: 'auto', top: 'auto', bottom: 0 },
      series: [{ radius: ['36%', '58%'], center: ['50%', '34%'] }],
    }
    return fitted(
      {
        color: [...theme.colors],
        tooltip: { ...tooltip(theme, 'item'), valueFormatter: (value: unknown) => `${String(value)} ${unit}` },
        legend: {
          type: 'plain',
          textStyle: { color: theme.text },
          itemWidth: 12,
          itemHeight: 10,
          formatter: (name: string) =>
            `${name.length > 12 ? `${name.slice(0, 11)}…` : name}  ${of(name)}（${all === 0 ? 0 : Math.round((of(name) * 1000) / all) / 10}%）`,
        },
        series: [
          {
            type: 'pie',
            label: { show: false },
            itemStyle: { borderColor: theme.card, borderWidth: 2 },
            data: parts.map((part) => ({ ...part })),
          },
        ],
      },
      [[420, below]],
      beside,
    )
  }

export const funnel =
  (steps: readonly { name: string; value: number }[]): Option =>
  (theme) => ({
    color: [...theme.colors],
    tooltip: tooltip(theme, 'item'),
    legend: { show: false },
    series: [
      {
        type: 'funnel',
        sort: 'none',
        left: '18%',
        right: '18%',
        top: 8,
        bottom: 8,
        minSize: '18%',
        gap: 3,
        label: {
          show: true,
          position: 'inside',
          color: theme.text,
          backgroundColor: theme.card,
          padding: [2, 6],
          borderRadius: 4,
          fontSize: 12,
          formatter: ({ name }: { name: string }) => `${name} ${steps.find((one) => one.name === name)?.value ?? 0}`,
        },
        itemStyle: { borderWidth: 0 },
        data: steps.map(({ name, value }) => ({ name, value })),
      },
    ],
  })

/**
 * A tip of one's own wording, for a tooltip's `formatter`. The library takes text for HTML there, unlike everywhere
 * else; names are words.
 */
const tip = (text: string): HTMLElement => Object.assign(document.createElement('span'), { textContent: text })

/** A table of colours: rows by columns. */
export const heat =
  (
    columns: readonly string[],
    rows: readonly string[],
    cells: readonly (readonly [number, number, number])[],
  ): Option =>
  (theme) => {
    const maxRows = Math.max(1, ...cells.map(([, , n]) => n))
    return fitted(
      {
        tooltip: {
          ...tooltip(theme, 'item'),
          formatter: ({ value: [x, y, n] }: { value: [number, number, number] }) =>
            tip(`${rows[y]} ${columns[x]}：${n}`),
        },
        grid: { left: 8, right: 8, top: 8, bottom: 44, containLabel: true },
        xAxis: { ...names(theme, columns), splitArea: { show: false } },
        yAxis: { ...names(theme, rows), inverse: true },
        visualMap: {
          min: 0,
          max: maxRows,
          text: [String(maxRows), '0'],
          orient: 'horizontal',
          left: 'center',
          bottom: 0,
          itemHeight: 120,
          itemWidth: 12,
          calculable: false,
          textStyle: { color: theme.soft },
          inRange: { color: [theme.card, theme.colors[0]!] },
        },
        // figures on strong colours are written in the colour of the ground
        series: [
          {
            type: 'heatmap',
            data: cells.map((cell) => ({
              value: [...cell],
              ...(cell[2] > maxRows * 0.6 && { label: { color: theme.card } }),
            })),
            itemStyle: { borderColor: theme.line, borderWidth: 0.5 },
            label: { color: theme.text },
          },
        ],
      },
      [[640, { yAxis: labelWidth(96), series: [{ label: { show: columns.length <= 5 } }] }]],
      { yAxis: labelWidth(150), series: [{ label: { show: columns.length <= 16 } }] },
    )
  }

export const radar =
  (indicators: readonly { name: string; max: number }[], series: readonly Series[]): Option =>
  (theme) => ({
    color: [...theme.colors],
    tooltip: tooltip(theme, 'item'),
    legend: { bottom: 0, textStyle: { color: theme.text }, type: 'scroll' as const },
    radar: {
      center: ['50%', '46%'],
      radius: '62%',
      indicator: indicators.map((one) => ({ ...one })),
      axisName: { color: theme.text },
      axisLine: { lineStyle: { color: theme.line } },
      splitLine: { lineStyle: { color: theme.line } },
      splitArea: { show: false },
    },
    series: [
      {
        type: 'radar',
        data: series.map(({ name, data }, at) => ({
          name,
          value: [...data],
          ...theme.cue(at),
          ...(at === 0 && { areaStyle: { opacity: 0.12 } }),
        })),
      },
    ],
  })
