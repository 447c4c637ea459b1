import type { EChartsCoreOption } from 'echarts/core'
import type { ChartTheme } from '../../core/chart/chart.tsx'
import {
  barRows,
  columnNames,
  fewLines,
  fontSize,
  legendLines,
  lineHeight,
  linesIn,
  scaleAt,
  scalesOf,
  standsUpright,
  textWidth,
  widest,
} from './chart-layout.ts'
import { inkOn } from './ink.ts'
import { figure } from '../../core/service/figure.ts'

/** A drawing in the colours of a theme, for a chart of a width in pixels. */
export type Option = (theme: ChartTheme, width: number) => EChartsCoreOption
/** A drawing, and the height that it wants in a width, where that depends on what is drawn; both in pixels. */
export interface Plan {
  option: Option
  height?: (width: number) => number
}

export interface Series {
  name: string
  data: readonly (number | null)[]
  /** What is counted. Two quantities have two axes. */
  unit: string
  /** Drawn as a mark on the bars of the others. */
  isMark?: boolean
}

const tooltip = ({ card, line, text }: ChartTheme, trigger: 'axis' | 'item') => ({
  trigger,
  backgroundColor: card,
  borderColor: line,
  textStyle: { color: text },
  confine: true,
})
/** All names of the series, in as many lines as they take. */
const legend = ({ text }: ChartTheme, count: number) =>
  count < 2
    ? { show: false }
    : { top: 0, type: 'plain' as const, textStyle: { color: text }, itemWidth: 14, itemHeight: 10, itemGap: 10 }
const legendHeight = (series: readonly { name: string }[], width: number): number =>
  series.length < 2
    ? 8
    : 20 *
        legendLines(
          series.map(({ name }) => name),
          width,
        ) +
      8
/** An axis of figures; where all are counts, of whole ones; percents go to 100 where they stand beside others. */
const numbers = ({ soft, line }: ChartTheme, series: readonly Series[], isOneOfTwo: boolean) => ({
  type: 'value' as const,
  splitLine: { lineStyle: { color: line, opacity: 0.5 } },
  ...(series.every(({ data }) => data.every((one) => one === null || Number.isInteger(one))) && { minInterval: 1 }),
  ...(series.every(({ unit }) => unit === '%')
    ? { axisLabel: { color: soft, formatter: '{value}%' }, ...(isOneOfTwo && { min: 0, max: 100 }) }
    : { axisLabel: { color: soft } }),
})
/** The axes of the quantities there are: one, or two on either side, each under its unit. */
function axesOf(theme: ChartTheme, series: readonly Series[], side: 'right' | 'top') {
  // without a series yet there is an axis all the same: the library draws none without
  const scales = series.length === 0 ? [''] : scalesOf(series.map(({ unit }) => unit)).slice(0, 2)
  const isDouble = scales.length === 2
  const at = ({ unit }: Series) => scaleAt(scales, unit)
  const axes = scales.map((scale, index) => {
    const own = series.filter((one) => at(one) === index)
    const name = [...new Set(own.map(({ unit }) => unit))].join('、')
    return {
      ...numbers(theme, own, isDouble),
      ...(isDouble && side === 'right' && scale !== '%' && { name, nameTextStyle: { color: theme.soft } }),
      ...(index === 1 && { position: side, splitLine: { show: false } }),
    }
  })
  return { axes, at, isDouble }
}
const names = ({ soft, line }: ChartTheme, data: readonly string[]) => ({
  type: 'category' as const,
  data: [...data],
  axisLabel: { color: soft, fontSize },
  axisLine: { lineStyle: { color: line } },
  axisTick: { show: false },
})
const everyName = (width: number) => ({
  interval: 0,
  hideOverlap: false,
  width,
  overflow: 'break' as const,
  lineHeight,
})
const markerText = ['●', '■', '▲', '◆']

/**
 * Lines over time, told apart by dash and marker too. Many are named where they end, and only the highest of them are
 * drawn.
 */
export const lines = (x: readonly string[], all: readonly Series[]): Plan => ({
  option: (theme, width) => {
    const series = fewLines(all)
    const { axes, at, isDouble } = axesOf(theme, series, 'right')
    const isNamedAtEnd = series.length > 3 && width >= 420
    const colorOf = (index: number) => theme.colors[index % theme.colors.length]!
    const ends = {
      show: true,
      distance: 6,
      formatter: ({ seriesIndex = 0, seriesName = '' }) => `{m|${markerText[seriesIndex % 4]!}} {n|${seriesName}}`,
    }
    return {
      color: [...theme.colors],
      tooltip: tooltip(theme, 'axis'),
      legend: legend(theme, isNamedAtEnd ? 0 : series.length),
      grid: {
        left: 8,
        right: isNamedAtEnd ? widest(series.map(({ name }) => name)) + 36 : 16,
        top: (isNamedAtEnd ? 12 : legendHeight(series, width)) + (isDouble ? 22 : 8),
        bottom: 4,
        containLabel: true,
      },
      xAxis: { ...names(theme, x), axisLabel: { color: theme.soft, fontSize, hideOverlap: true } },
      yAxis: axes,
      series: series.map((one, index) => ({
        type: 'line',
        name: one.name,
        data: [...one.data],
        smooth: 0.2,
        showSymbol: x.length < 40,
        ...(isDouble && { yAxisIndex: at(one) }),
        ...theme.cue(index),
        ...(isNamedAtEnd && {
          endLabel: {
            ...ends,
            rich: { m: { color: colorOf(index), lineHeight: 17 }, n: { color: theme.text, fontSize, lineHeight: 17 } },
          },
          labelLayout: { moveOverlap: 'shiftY' },
        }),
      })),
    }
  },
})

interface BarOptions {
  stacked?: boolean
  /** Lying even where the names would fit under upright bars. */
  lying?: boolean
}

/**
 * Bars side by side or stacked; lying where their names would not fit under them. A single series tells its figures at
 * its bars.
 */
export function bars(labels: readonly string[], series: readonly Series[], options: BarOptions = {}): Plan {
  const { stacked = false, lying = false } = options
  const solid = series.filter(({ isMark }) => !isMark)
  const abreast = stacked ? 1 : Math.max(1, solid.length)
  const isLying = (width: number) => lying || !standsUpright(labels, abreast, width)
  return {
    height: (width) =>
      isLying(width)
        ? Math.max(180, legendHeight(series, width) + 56 + labels.length * barRows(labels, abreast, width).rowHeight)
        : 280,
    option: (theme, width) => {
      const horizontal = isLying(width)
      const { axes, at, isDouble } = axesOf(theme, series, horizontal ? 'top' : 'right')
      const { labelWidth } = barRows(labels, abreast, width)
      const each = (width - 72) / Math.max(1, labels.length)
      const category = {
        ...names(theme, labels),
        axisLabel: { color: theme.soft, fontSize, ...everyName(horizontal ? labelWidth : each - 6) },
        ...(horizontal && { inverse: true }),
      }
      const isTold = horizontal && series.length === 1
      const largest = widest(series.flatMap(({ data }) => data.map((one) => figure(one ?? 0))))
      return {
        color: [...theme.colors],
        tooltip: tooltip(theme, 'axis'),
        legend: legend(theme, series.length),
        grid: {
          left: 8,
          right: isTold ? largest + 16 : 16,
          top: legendHeight(series, width) + (isDouble && !horizontal ? 22 : 4),
          bottom: 4,
          containLabel: true,
        },
        xAxis: horizontal ? axes : category,
        yAxis: horizontal ? category : axes,
        series: series.map((one, index) => ({
          type: one.isMark ? 'scatter' : 'bar',
          name: one.name,
          data: one.isMark ? one.data.map((value, row) => (horizontal ? [value, row] : [row, value])) : [...one.data],
          ...(one.isMark ? { symbol: theme.cue(index).symbol, symbolSize: 9, z: 3 } : { barMaxWidth: 26 }),
          ...(isDouble && { [horizontal ? 'xAxisIndex' : 'yAxisIndex']: at(one) }),
          ...(stacked && { stack: 'all' }),
          ...(isTold && {
            label: {
              show: true,
              position: 'right',
              color: theme.text,
              formatter: ({ value }: { value: number | null }) => figure(value ?? 0),
            },
          }),
        })),
      }
    },
  }
}

/** Shares of a whole; values and shares stand in the legend, where they are never in each other's way. */
export const donut = (parts: readonly { name: string; value: number }[], unit: string): Plan => ({
  option: (theme, width) => {
    const all = parts.reduce((sum, { value }) => sum + value, 0)
    const of = (name: string) => parts.find((part) => part.name === name)?.value ?? 0
    const told = (name: string) =>
      `${name}  ${figure(of(name))}（${all === 0 ? 0 : Math.round((of(name) * 1000) / all) / 10}%）`
    const isNarrow = width <= 420
    const room = isNarrow ? width - 40 : width * 0.5 - 30
    const shorten = (text: string): string =>
      textWidth(text) <= room ? text : shorten(text.replace(/.(…)?(?= {2})/u, '…'))
    return {
      color: [...theme.colors],
      tooltip: { ...tooltip(theme, 'item'), valueFormatter: (value: unknown) => `${figure(Number(value))} ${unit}` },
      legend: {
        type: 'plain',
        textStyle: { color: theme.text },
        itemWidth: 12,
        itemHeight: 10,
        formatter: (name: string) => shorten(told(name)),
        tooltip: { show: true, formatter: ({ name }: { name: string }) => tip(told(name)) },
        ...(isNarrow
          ? { orient: 'horizontal', left: 'center', bottom: 0 }
          : { orient: 'vertical', right: 0, top: 'middle' }),
      },
      series: [
        {
          type: 'pie',
          label: { show: false },
          itemStyle: { borderColor: theme.card, borderWidth: 2 },
          data: parts.map((part) => ({ ...part })),
          ...(isNarrow
            ? { radius: ['36%', '58%'], center: ['50%', '34%'] }
            : { radius: ['46%', '72%'], center: ['26%', '50%'] }),
        },
      ],
    }
  },
})

export const funnel = (steps: readonly { name: string; value: number }[]): Plan => ({
  option: (theme) => ({
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
          fontSize,
          formatter: ({ name }: { name: string }) =>
            `${name} ${figure(steps.find((one) => one.name === name)?.value ?? 0)}`,
        },
        itemStyle: { borderWidth: 0 },
        data: steps.map(({ name, value }) => ({ name, value })),
      },
    ],
  }),
})

/**
 * A tip of one's own wording, for a tooltip's `formatter`. The library takes text for HTML there, unlike everywhere
 * else; names are words.
 */
const tip = (text: string): HTMLElement => Object.assign(document.createElement('span'), { textContent: text })

/** A table of colours: rows by columns, each under its name. */
export function heat(
  columns: readonly string[],
  rows: readonly string[],
  cells: readonly (readonly [number, number, number])[],
): Plan {
  const rowLabel = (width: number) => Math.min(widest(rows) + 2, Math.max(72, Math.min(200, width * 0.28)))
  const each = (width: number) => (width - rowLabel(width) - 28) / Math.max(1, columns.length)
  const way = (width: number) => columnNames(columns, each(width))
  const rowHeight = (width: number) =>
    Math.max(26, ...rows.map((row) => linesIn(row, rowLabel(width)) * lineHeight + 4))
  return {
    height: (width) =>
      Math.max(
        200,
        72 +
          rows.length * rowHeight(width) +
          (way(width) === 'turned' ? widest(columns) : way(width) === 'broken' ? lineHeight : 0),
      ),
    option: (theme, width) => {
      const highest = Math.max(1, ...cells.map(([, , n]) => n))
      const isTold = widest(cells.map(([, , n]) => figure(n))) + 6 <= each(width)
      return {
        tooltip: {
          ...tooltip(theme, 'item'),
          formatter: ({ value: [x, y, n] }: { value: [number, number, number] }) =>
            tip(`${rows[y]} ${columns[x]}：${figure(n)}`),
        },
        grid: { left: 8, right: 8, top: 8, bottom: 44, containLabel: true },
        xAxis: {
          ...names(theme, columns),
          splitArea: { show: false },
          axisLabel: {
            color: theme.soft,
            fontSize,
            ...(way(width) === 'turned'
              ? { interval: 0, hideOverlap: false, rotate: 90 }
              : everyName(Math.max(12, each(width) - 4))),
          },
        },
        yAxis: {
          ...names(theme, rows),
          inverse: true,
          axisLabel: { color: theme.soft, fontSize, ...everyName(rowLabel(width)) },
        },
        visualMap: {
          min: 0,
          max: highest,
          text: [figure(highest), '0'],
          orient: 'horizontal',
          left: 'center',
          bottom: 0,
          itemHeight: 120,
          itemWidth: 12,
          calculable: false,
          textStyle: { color: theme.soft },
          inRange: { color: [theme.card, theme.colors[0]!] },
        },
        series: [
          {
            type: 'heatmap',
            data: cells.map((cell) => ({
              value: [...cell],
              label: { color: inkOn(theme.card, theme.colors[0]!, cell[2] / highest) },
            })),
            itemStyle: { borderColor: theme.line, borderWidth: 0.5 },
            label: {
              show: isTold,
              fontSize,
              formatter: ({ value: [, , n] }: { value: [number, number, number] }) => figure(n),
            },
          },
        ],
      }
    },
  }
}

export const radar = (indicators: readonly { name: string; max: number }[], series: readonly Series[]): Plan => ({
  height: (width) => 320 + legendHeight(series, width),
  option: (theme, width) => ({
    color: [...theme.colors],
    tooltip: tooltip(theme, 'item'),
    legend: { ...legend(theme, series.length), top: 'auto', bottom: 0 },
    radar: {
      center: ['50%', width <= 420 ? '43%' : '46%'],
      radius: width <= 420 ? '52%' : '62%',
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
  }),
})
