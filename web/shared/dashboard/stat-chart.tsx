import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Chart, type ChartProps } from '../../core/chart/chart.tsx'
import { bars, donut, funnel, heat, lines, radar, type Option, type Series } from './chart-options.ts'
import { useListAddress, type Filters } from './stat-cards.tsx'

interface AnyColumn<Row> {
  /** The head of the column in the table. */
  title: string
  /**
   * The way to what a cell counts or is calculated from: filters of the list behind the screen, or an address
   * elsewhere. A zero, and a cell without a way, is plain.
   */
  to?: (row: Row) => Filters | string | undefined
  /** What a screen reader says of the way, where the figure alone says too little. */
  toLabel?: (row: Row) => string
  /** What the table shows where there is no value; a dash unless told. */
  lacking?: string
}
interface TextColumn<Row> extends AnyColumn<Row> {
  value: (row: Row) => string | number | null
  series?: undefined
}
interface SeriesColumn<Row> extends AnyColumn<Row> {
  value: (row: Row) => number | null
  /** Drawn as a series, under the title of the column or a name of its own. */
  series: true | string
  /** Percents: drawn by an axis of their own. */
  isRate?: boolean
}
/** A column of a statistic: what the table shows, whether the chart draws it, and where its cells lead. */
export type StatColumn<Row> = TextColumn<Row> | SeriesColumn<Row>

interface Drawn {
  /** What the marks stand for, row by row. */
  names: readonly string[]
  series: readonly Series[]
  unit: string
}
const marks = ({ names, series: [one] }: Drawn) =>
  names.flatMap((name, at) => {
    const value = one?.data[at] ?? null
    return value === null ? [] : [{ name, value }]
  })
const drawings = {
  lines: ({ names, series }: Drawn) => lines(names, series),
  bars: ({ names, series }: Drawn) => bars(names, series),
  horizontalBars: ({ names, series }: Drawn) => bars(names, series, { horizontal: true }),
  stackedBars: ({ names, series }: Drawn) => bars(names, series, { stacked: true }),
  stackedHorizontalBars: ({ names, series }: Drawn) => bars(names, series, { stacked: true, horizontal: true }),
  /** Shares by the first series. */
  donut: (drawn: Drawn) => donut(marks(drawn), drawn.unit),
  /** Steps by the first series. */
  funnel: (drawn: Drawn) => funnel(marks(drawn)),
  /** Series by rows, as colours. */
  heat: ({ names, series }: Drawn) =>
    heat(
      series.map(({ name }) => name),
      names,
      names.flatMap((_, y) => series.map(({ data }, x) => [x, y, data[y] ?? 0] as const)),
    ),
  /** An axis for each row, all of them as long as the highest figure. */
  radar: ({ names, series }: Drawn) => {
    const max = Math.max(0, ...series.flatMap(({ data }) => data.map((one) => one ?? 0))) || 1
    return radar(
      names.map((name) => ({ name, max })),
      series,
    )
  },
} satisfies Record<string, (drawn: Drawn) => Option>

interface StatFigureProps<Row> extends Pick<ChartProps, 'title' | 'label' | 'definition' | 'empty' | 'height'> {
  /** The rows of the table and the marks of the chart; undefined while they are being fetched. */
  rows: readonly Row[] | undefined
  columns: readonly StatColumn<Row>[]
  /** How the series are drawn; a drawing of one's own where the marks are not the rows of the table. */
  kind: keyof typeof drawings | Option
  /** What a mark stands for; the first column unless told. */
  name?: (row: Row) => string
  /** Rows that the chart draws, where it draws fewer than the table shows. */
  isDrawn?: (row: Row, at: number) => boolean
  /** The unit of shares. */
  unit?: string
  /** The colours of the series, where they have a meaning of their own. */
  colors?: readonly string[]
  /** Nothing to draw: without rows unless told. */
  isEmpty?: boolean | undefined
}

/** A statistic told once by its columns: as a chart, as a table, and as ways to the lists behind its figures. */
export function StatFigure<Row>({
  rows,
  columns,
  kind,
  name = (row) => String(columns[0]!.value(row)),
  isDrawn = () => true,
  unit = '',
  colors,
  isEmpty = rows?.length === 0,
  ...chart
}: StatFigureProps<Row>) {
  const address = useListAddress()
  const all = rows ?? []
  const drawn = all.filter(isDrawn)
  const series = columns.flatMap((column): Series[] =>
    column.series === undefined
      ? []
      : [
          {
            name: column.series === true ? column.title : column.series,
            data: drawn.map(column.value),
            ...(column.isRate && { isRate: true }),
          },
        ],
  )
  const option = typeof kind === 'function' ? kind : drawings[kind]({ names: drawn.map(name), series, unit })
  const cell = ({ value, to, toLabel, lacking = '—' }: StatColumn<Row>, row: Row): ReactNode => {
    const figure = value(row)
    if (figure === null) return lacking
    const target = figure === 0 ? undefined : to?.(row)
    return target === undefined ? (
      figure
    ) : (
      <Link to={typeof target === 'string' ? target : address(target)} aria-label={toLabel?.(row)}>
        {figure}
      </Link>
    )
  }
  return (
    <Chart
      {...chart}
      isLoading={!rows}
      isEmpty={isEmpty}
      option={colors ? (theme) => ({ ...option(theme), color: [...colors] }) : option}
      table={{
        heads: columns.map(({ title }) => title),
        rows: all.map((row) => columns.map((column) => cell(column, row))),
      }}
    />
  )
}

interface StatChartProps<Row> extends StatFigureProps<Row> {
  /** Takes the whole width of the screen. */
  isWide?: boolean
  /** Controls over the chart; they are in no picture. */
  controls?: ReactNode
}

/** A {@link StatFigure} on a card of its own. */
export function StatChart<Row>({ isWide = false, controls, ...figure }: StatChartProps<Row>) {
  return (
    <div className={`card${isWide ? ' is-wide' : ''}`} data-keep>
      {controls && (
        <div className="stat-switch" data-no-picture>
          {controls}
        </div>
      )}
      <StatFigure {...figure} />
    </div>
  )
}

/** The first ten rows: as many as a ranking draws. */
export const firstTen = (_: unknown, at: number): boolean => at < 10
