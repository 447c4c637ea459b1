import { use, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Chart, type ChartProps } from '../../core/chart/chart.tsx'
import { figure } from '../../core/service/figure.ts'
import { useIsFormer } from '../../core/service/use-call.ts'
import { unitIn } from './chart-layout.ts'
import { bars, donut, funnel, heat, lines, radar, type Plan, type Series } from './chart-options.ts'
import { SpanContext } from './span.ts'
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
  lacking?: string | ((row: Row) => string)
}
interface TextColumn<Row> extends AnyColumn<Row> {
  value: (row: Row) => string | number | null
  series?: undefined
}
interface SeriesColumn<Row> extends AnyColumn<Row> {
  value: (row: Row) => number | null
  /** Drawn as a series, under the title of the column or a name of its own. */
  series: true | string
  /** What is counted; the brackets of the title unless told. Two quantities are drawn by two axes. */
  unit?: string
  /** Drawn as a mark on the bars of the other series. */
  isMark?: boolean
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
  horizontalBars: ({ names, series }: Drawn) => bars(names, series, { lying: true }),
  stackedBars: ({ names, series }: Drawn) => bars(names, series, { stacked: true }),
  stackedHorizontalBars: ({ names, series }: Drawn) => bars(names, series, { stacked: true, lying: true }),
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
} satisfies Record<string, (drawn: Drawn) => Plan>

interface StatFigureProps<Row> extends Pick<
  ChartProps,
  'title' | 'label' | 'definition' | 'controls' | 'note' | 'terms' | 'empty'
> {
  /** The rows of the table and the marks of the chart; undefined while they are being fetched. */
  rows: readonly Row[] | undefined
  columns: readonly StatColumn<Row>[]
  /** How the series are drawn; a drawing of one's own where the marks are not the rows of the table. */
  kind: keyof typeof drawings | Plan
  /** How high the drawing is at least, in pixels; as high as what is drawn needs unless told. */
  height?: number
  /** What a mark stands for; the first column unless told. */
  name?: (row: Row) => string
  /** Rows that the chart draws, where it draws fewer than the table shows. */
  isDrawn?: (row: Row, at: number) => boolean
  /** What is counted; the units of the series unless told. */
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
  unit,
  colors,
  isEmpty = rows?.length === 0,
  height,
  label,
  ...chart
}: StatFigureProps<Row>) {
  const address = useListAddress()
  const isFormer = useIsFormer()
  const span = use(SpanContext)
  const all = rows ?? []
  const drawn = all.filter(isDrawn)
  const series = columns.flatMap((column): Series[] =>
    column.series === undefined
      ? []
      : [
          {
            name: column.series === true ? column.title : column.series,
            data: drawn.map(column.value),
            unit: column.unit ?? unitIn(column.title),
            isMark: column.isMark ?? false,
          },
        ],
  )
  const counted = unit ?? [...new Set(series.flatMap((one) => one.unit || []))].join('、')
  const { option, height: needed } =
    typeof kind === 'string' ? drawings[kind]({ names: drawn.map(name), series, unit: counted }) : kind
  const cell = ({ value, to, toLabel, lacking = '—' }: StatColumn<Row>, row: Row): ReactNode => {
    const told = value(row)
    if (told === null) return typeof lacking === 'string' ? lacking : lacking(row)
    const shown = typeof told === 'number' ? <Amount>{told}</Amount> : told
    const target = told === 0 ? undefined : to?.(row)
    return target === undefined ? (
      shown
    ) : (
      <Link to={typeof target === 'string' ? target : address(target)} aria-label={toLabel?.(row)}>
        {shown}
      </Link>
    )
  }
  return (
    <Chart
      {...chart}
      label={spoken(label, drawn.map(name), series)}
      unit={counted}
      height={(width) => Math.max(height ?? 0, needed?.(width) ?? height ?? 300)}
      isLoading={!rows}
      isFormer={isFormer}
      span={span}
      isEmpty={isEmpty}
      option={colors ? (theme, width) => ({ ...option(theme, width), color: [...colors] }) : option}
      table={{
        heads: columns.map(({ title }) => title),
        rows: all.map((row) => columns.map((column) => cell(column, row))),
      }}
    />
  )
}

/** A number as people read it, and still a number to the sheet that is made of the table. */
const Amount = ({ children }: { children: number }) => figure(children)

const said = (value: number | null | undefined): string => (value == null ? '无' : figure(value))

/** What somebody hears of a drawing: its figures too, where they are few; all of them are in the table. */
function spoken(label: string, names: readonly string[], series: readonly Series[]): string {
  if (names.length * series.length > 40) return `${label}。全部数字见表格`
  const rows = names.map((name, row) =>
    [name, ...series.map((one) => `${series.length > 1 ? `${one.name} ` : ''}${said(one.data[row])}`)].join(' '),
  )
  return rows.length === 0 ? label : `${label}：${rows.join('；')}`
}

interface StatChartProps<Row> extends StatFigureProps<Row> {
  /** Takes the whole width of the screen. */
  isWide?: boolean
}

/** A {@link StatFigure} on a card of its own. */
export function StatChart<Row>({ isWide = false, ...figure }: StatChartProps<Row>) {
  return (
    <div className={`card${isWide ? ' is-wide' : ''}`} data-keep>
      <StatFigure {...figure} />
    </div>
  )
}

/** The first ten rows: as many as a ranking draws. */
export const firstTen = (_: unknown, at: number): boolean => at < 10
