import type { EChartsCoreOption } from 'echarts/core'
import { widthOf } from '../../core/pdf/lines.ts'
import { outlines } from '../../core/pdf/outlines.ts'

export interface ReportChart {
  kind: 'bar' | 'line' | 'pie'
  title: string
  labels: string[]
  series: { name: string; data: number[] }[]
  stacked?: boolean
}

/** Points of the page; the picture has more dots than that. */
export const chartWidth = 511
const dots = 2.5
/** The chart colours of the console. */
const color = ['#2458C5', '#E39A2D', '#1C9C8C', '#8A5CC9', '#D9576B', '#5AA2E0', '#7C8A3C', '#6B7A90']
const ink = { text: '#1B2430', soft: '#4A5666', line: '#CBD3DD' }

export const chartHeight = ({ kind, labels }: ReportChart): number => (kind === 'bar' ? 60 + labels.length * 20 : 190)

/** A chart as a PNG, drawn without a browser. Its words are outlines of our own font: the machine needs none. */
export async function chartPicture(chart: ReportChart): Promise<Buffer> {
  // some megabytes of code, read with the first report only
  const { init, setPlatformAPI } = await import('echarts')
  const { default: sharp } = await import('sharp')
  setPlatformAPI({
    measureText: (text, font) =>
      ({ width: widthOf(text, Number(/([\d.]+)px/.exec(font ?? '')?.[1] ?? 12)) }) as ReturnType<
        NonNullable<Parameters<typeof setPlatformAPI>[0]['measureText']>
      >,
  })
  const drawn = init(null, null, { renderer: 'svg', ssr: true, width: chartWidth, height: chartHeight(chart) })
  try {
    drawn.setOption({ animation: false, ...optionOf(chart) })
    return await sharp(Buffer.from(outlined(drawn.renderToSVGString())), { density: 72 * dots })
      .flatten({ background: '#fff' })
      .png({ palette: true })
      .toBuffer()
  } finally {
    drawn.dispose()
  }
}

function optionOf({ kind, title, labels, series, stacked = false }: ReportChart): EChartsCoreOption {
  const words = { color: ink.soft, fontSize: 9 }
  const head = {
    color,
    title: { text: title, left: 'center', top: 0, textStyle: { color: ink.text, fontSize: 11, fontWeight: 'normal' } },
  }
  if (kind === 'pie') {
    const all = series[0]!.data.reduce((sum, n) => sum + n, 0)
    return {
      ...head,
      series: [
        {
          type: 'pie',
          radius: ['34%', '66%'],
          center: ['50%', '56%'],
          itemStyle: { borderColor: '#fff', borderWidth: 1 },
          label: {
            ...words,
            formatter: ({ name, value }: { name: string; value: number }) =>
              `${name} ${value}（${all === 0 ? 0 : Math.round((value * 1000) / all) / 10}%）`,
          },
          data: labels.map((name, at) => ({ name, value: series[0]!.data[at] })),
        },
      ],
    }
  }
  const names = {
    type: 'category',
    data: labels,
    axisLabel: words,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: ink.line } },
    ...(kind === 'bar' && { inverse: true }),
  }
  const numbers = {
    type: 'value',
    minInterval: 1,
    axisLabel: words,
    splitLine: { lineStyle: { color: ink.line, opacity: 0.5 } },
  }
  return {
    ...head,
    grid: { left: 4, right: 24, top: series.length > 1 ? 40 : 24, bottom: 4, containLabel: true },
    ...(series.length > 1 && {
      legend: { top: 18, textStyle: words, itemWidth: 12, itemHeight: 8, data: series.map(({ name }) => name) },
    }),
    xAxis: kind === 'bar' ? numbers : names,
    yAxis: kind === 'bar' ? names : numbers,
    series: series.map(({ name, data }, at) => ({
      type: kind,
      name,
      data,
      ...(kind === 'bar'
        ? { barMaxWidth: 12, ...(stacked ? { stack: 'all' } : { label: { show: true, position: 'right', ...words } }) }
        : { symbolSize: 5, lineStyle: { type: at === 0 ? 'solid' : 'dashed' } }),
    })),
  }
}

const shifts = { end: 1, middle: 0.5, start: 0 }
const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }

/** An SVG whose texts have become paths. */
const outlined = (svg: string): string =>
  svg.replace(/<text ([^>]*)>([^<]*)<\/text>/g, (_, attributes: string, escaped: string) => {
    const of = (name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
    const size = Number(/font-size:([\d.]+)px/.exec(attributes)?.[1] ?? 12)
    const { paths, width } = outlines(
      escaped.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]!),
      size,
    )
    const x = Number(of('x') ?? 0) - width * shifts[(of('text-anchor') ?? 'start') as keyof typeof shifts]
    const y = Number(of('y') ?? 0) + (of('dominant-baseline') === 'central' ? size * 0.36 : 0)
    return `<g fill="${of('fill') ?? '#000'}" transform="${of('transform') ?? ''} translate(${x.toFixed(2)} ${y.toFixed(2)})">${paths}</g>`
  })
