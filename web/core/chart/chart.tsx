import BarChartOutlined from '@ant-design/icons/BarChartOutlined'
import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import TableOutlined from '@ant-design/icons/TableOutlined'
import { Button, Dropdown, Tooltip } from 'antd'
import type { EChartsCoreOption, EChartsType } from 'echarts/core'
import { useEffect, useId, useRef, useState, useSyncExternalStore, type ReactNode } from 'react'
import { tableApi } from '../../../contract/platform/files/table.calls.ts'
import { download } from '../service/api.ts'
import { ReadSkeleton } from '../screen/read-skeleton.tsx'
import { textOf } from './chart-text.ts'
import { EmptyState } from '../parts/empty-state.tsx'
import { savePage } from '../parts/picture.ts'
import '../parts/small-table.css'
import './chart.css'

const loadEngine = () => import('./chart-engine.ts')

/** The colours a chart is drawn with, those of the theme in force. */
export interface ChartTheme {
  /** The chart colours in their order. */
  colors: readonly string[]
  text: string
  soft: string
  line: string
  card: string
  /** The second cue beside the colour of a series: its dash and its marker. */
  cue: (at: number) => { lineStyle: { type: 'solid' | 'dashed' | 'dotted' }; symbol: string; symbolSize: number }
}

export interface ChartProps {
  title: string
  /** What the figures are counted in, shown beside the title. */
  unit?: string
  /** What the figure says, in one sentence: its accessible name. */
  label: string
  /** What is counted and how, shown on hover and on focus. */
  definition?: ReactNode
  /** Controls beside the title; they are in no picture. */
  controls?: ReactNode
  /** What somebody must know to read the drawing, shown under it. */
  note?: ReactNode
  /** What words of the figures mean, shown under the drawing and under the table. */
  terms?: ReactNode
  /** The drawing for a width in pixels. */
  option: (theme: ChartTheme, width: number) => EChartsCoreOption
  /** The same as a table: heads, then rows. */
  table: { heads: readonly string[]; rows: readonly (readonly ReactNode[])[] }
  isLoading?: boolean
  /** Nothing to draw; says so, with a hint what to do. */
  isEmpty?: boolean
  empty?: { text?: string; hint?: ReactNode }
  /** The figures still answer a former question: no file is made of them. */
  isFormer?: boolean
  /** The time that the figures cover, which the names of their files tell. */
  span?: string | undefined
  /** How high the drawing is at least, in pixels; where it depends on the width, by that. */
  height?: number | ((width: number) => number)
  /** What a click on a mark of the chart leads to, by the mark's name and that of its series. */
  onPick?: (name: string, series: string) => void
}

/**
 * A chart with its title, its definition and the same figures as a table. The library is fetched with the first chart
 * that is shown.
 */
export function Chart({
  title,
  unit = '',
  label,
  definition,
  controls,
  note,
  terms,
  option,
  table,
  isLoading = false,
  isEmpty = false,
  empty,
  isFormer = false,
  span,
  height = 300,
  onPick,
}: ChartProps) {
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const frame = useRef<HTMLElement>(null)
  // there by the time the figures are
  useEffect(() => void loadEngine().catch(() => undefined), [])
  const fileTitle = span ? `${title} ${span}` : title
  const savePicture = () => {
    const drawing = frame.current?.querySelector<HTMLElement>('.chart-drawing')
    if (drawing) void savePage(drawing, fileTitle, 'png')
  }
  const saveSheet = () =>
    void download(tableApi.sheet, {
      title: fileTitle,
      heads: [...table.heads],
      rows: table.rows.slice(0, 500).map((row) => row.map(textOf)),
    }).catch(() => undefined)
  const files = [
    { key: 'xlsx', label: '下载 Excel', onClick: saveSheet },
    ...(asTable ? [] : [{ key: 'png', label: '下载 PNG 图片', onClick: savePicture }]),
  ]
  return (
    <figure className="chart" aria-labelledby={id} ref={frame}>
      <figcaption>
        <h3 id={id}>
          {title}
          {unit && <small>（{unit}）</small>}
        </h3>
        {definition && (
          <Tooltip title={definition} trigger={['hover', 'focus']}>
            <button
              type="button"
              className="chart-definition"
              aria-label={`${title}的统计口径${typeof definition === 'string' ? `：${definition}` : ''}`}
            >
              <QuestionCircleOutlined />
            </button>
          </Tooltip>
        )}
        {!isEmpty && !isLoading && (
          <span className="chart-tools">
            <Button
              type="text"
              size="small"
              icon={asTable ? <BarChartOutlined /> : <TableOutlined />}
              aria-pressed={asTable}
              onClick={() => setAsTable(!asTable)}
            >
              {asTable ? '图形' : '表格'}
            </Button>
            <Dropdown menu={{ items: files }} trigger={['click']} disabled={isFormer}>
              <Button
                type="text"
                size="small"
                icon={<DownloadOutlined />}
                aria-label={`下载${title}`}
                disabled={isFormer}
              />
            </Dropdown>
          </span>
        )}
        {controls && (
          <span className="chart-controls" data-no-picture>
            {controls}
          </span>
        )}
      </figcaption>
      {isLoading ? (
        <ReadSkeleton style={{ minHeight: heightAt(height, usualWidth) }} />
      ) : isEmpty ? (
        <EmptyState {...empty} />
      ) : asTable ? (
        <ChartTable {...table} caption={title} />
      ) : (
        <>
          <Drawing label={label} option={option} height={height} onPick={onPick} />
          {note && <p className="chart-note">{note}</p>}
        </>
      )}
      {terms && !isLoading && !isEmpty && <p className="chart-note">{terms}</p>}
    </figure>
  )
}

function ChartTable({ heads: headers, rows, caption }: ChartProps['table'] & { caption: string }) {
  // columns of words begin at the left, figures end at the right
  const areWords = headers.map((_, at) => rows.some((row) => /\p{Script=Han}/u.test(String(textOf(row[at]) ?? ''))))
  const classOf = (at: number) => (at > 0 && !areWords[at] ? 'figures' : '')
  return (
    // a wide table is moved by the keyboard too
    <div className="chart-table" role="region" aria-label={`${caption}的表格`} tabIndex={0}>
      <table className="small-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {headers.map((head, at) => (
              <th key={head} scope="col" className={classOf(at)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={at} className={classOf(at)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The width a drawing is thought of before it is known, in pixels. */
const usualWidth = 480
const heightAt = (height: number | ((width: number) => number), width: number): number =>
  typeof height === 'number' ? height : height(width)

function Drawing({
  label,
  option,
  height,
  onPick,
}: Pick<ChartProps, 'label' | 'option'> & {
  height: NonNullable<ChartProps['height']>
  onPick: ChartProps['onPick'] | undefined
}) {
  const place = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<EChartsType>()
  const [width, setWidth] = useState(usualWidth)
  const theme = useSyncExternalStore(onTheme, themeMode)
  useEffect(() => {
    const element = place.current!
    let drawn: EChartsType | undefined
    let isGone = false
    const watch = new ResizeObserver(() => {
      if (element.clientWidth === 0 || isOnPaper) return
      setWidth(element.clientWidth)
      drawn?.resize()
    })
    void loadEngine().then(({ init }) => {
      if (isGone) return
      drawn = init(element, null, { renderer: 'svg' })
      watch.observe(element)
      setChart(drawn)
    })
    return () => {
      isGone = true
      watch.disconnect()
      drawn?.dispose()
      setChart(undefined)
    }
  }, [])
  const wanted = option(currentTheme(), width)
  const changes = JSON.stringify(wanted)
  useEffect(() => {
    if (!chart) return undefined
    const draw = (drawing: EChartsCoreOption, animation: boolean) =>
      chart.setOption(
        {
          animation,
          animationDuration: 220,
          textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
          aria: { enabled: false },
          ...drawing,
        },
        { notMerge: true },
      )
    draw(wanted, !window.matchMedia('(prefers-reduced-motion: reduce)').matches)
    return onPaper((isPaper) => {
      const element = place.current!
      if (isPaper) {
        const paper = Number(getComputedStyle(element).getPropertyValue('--paper-width'))
        element.style.flexBasis = `${heightAt(height, paper)}px`
        chart.resize({ width: paper, height: heightAt(height, paper) })
        draw(option(inLight(currentTheme), paper), false)
      } else {
        element.style.flexBasis = `${heightAt(height, width)}px`
        chart.resize({ width: 'auto', height: 'auto' })
        draw(wanted, false)
      }
      chart.getZr().flush()
    })
    // `changes` stands for what `wanted` says
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chart, changes, theme])
  useEffect(() => {
    if (!chart || !onPick) return undefined
    const picked = ({ name, seriesName }: { name?: unknown; seriesName?: unknown }) =>
      onPick(String(name), String(seriesName ?? ''))
    chart.on('click', picked)
    return () => void (chart.isDisposed() || chart.off('click', picked))
  }, [chart, onPick])
  return (
    <div
      ref={place}
      className="chart-drawing"
      style={{ flexBasis: heightAt(height, width) }}
      role="img"
      aria-label={label}
    />
  )
}

const themeMode = (): string => document.documentElement.dataset['theme'] ?? ''
function onTheme(listener: () => void): () => void {
  const watch = new MutationObserver(listener)
  watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => watch.disconnect()
}

let isOnPaper = false
const printListeners = new Set<(isPaper: boolean) => void>()
const redrawForPrint = (isPaper: boolean) => {
  if (isOnPaper === isPaper) return
  isOnPaper = isPaper
  for (const listener of printListeners) listener(isPaper)
}
window.matchMedia('print').addEventListener('change', ({ matches }) => redrawForPrint(matches))
window.addEventListener('beforeprint', () => redrawForPrint(true))
window.addEventListener('afterprint', () => redrawForPrint(false))

/** Calls a function before the page is printed and after, while there is still time to draw for it. */
function onPaper(listener: (isPaper: boolean) => void): () => void {
  printListeners.add(listener)
  return () => void printListeners.delete(listener)
}

/** What something is in the light theme: paper is white. */
function inLight<T>(read: () => T): T {
  const { dataset } = document.documentElement
  const before = dataset['theme']
  dataset['theme'] = 'light'
  try {
    return read()
  } finally {
    if (before === undefined) delete dataset['theme']
    else dataset['theme'] = before
  }
}

const dashes = ['solid', 'dashed', 'dotted'] as const
const markers = ['circle', 'rect', 'triangle', 'diamond'] as const

function currentTheme(): ChartTheme {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    colors: Array.from({ length: 8 }, (_, at) => of(`chart-${at + 1}`)),
    text: of('text'),
    soft: of('text-3'),
    line: of('border'),
    card: of('raised'),
    cue: (at) => ({
      lineStyle: { type: dashes[at % dashes.length]! },
      symbol: markers[at % markers.length]!,
      symbolSize: 6,
    }),
  }
}
