import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { reportSpans } from '../../../contract/outcomes/reports/reports.calls.ts'
import type { warningsFor } from '../thresholds/overview.service.ts'
import type { PeriodFigures } from '../statistics/period-figures.service.ts'
import type { ReportChart } from './chart-picture.ts'
import { figure } from '../../../contract/core/figure.ts'

/** A report before it is set: text, charts and tables in their order. Everything in it is text as it will be read. */
export interface Report {
  title: string
  /** School, period, what it covers, until when changes are in it. */
  facts: string[]
  sections: ReportSection[]
}

interface ReportSection {
  title: string
  text: string[]
  charts: ReportChart[]
  tables: ReportTable[]
}

export interface ReportTable {
  heads: string[]
  rows: string[][]
  /** Shares of the width; the first column takes twice the others' unless given. */
  widths?: number[]
}

interface ReportSource {
  figures: PeriodFigures
  warnings: Awaited<ReturnType<typeof warningsFor>>
  span: keyof typeof reportSpans
  schName: string
}

/** A number as people read it; a dash where there is none. */
export const figureOrDash = (value: number | null): string => (value === null ? '—' : figure(value))
const share = (value: number | null): string => (value === null ? '—' : `${figure(value)}%`)
const change = (rate: number | null): string =>
  rate === null ? '—' : rate === 0 ? '持平' : `${rate > 0 ? '增加' : '减少'} ${figure(Math.abs(rate))}%`
const withUnit = ({ value, unit }: Pick<Card, 'value' | 'unit'>): string =>
  value === null ? '—' : unit === '%' ? share(value) : `${figure(value)} ${unit}`

/** `发布数 12 门（上周 10 门，增加 20%）` */
const cardText = (card: Card, last: string): string =>
  `${card.name} ${withUnit(card)}${card.prev === null ? '' : `（${last} ${withUnit({ value: card.prev, unit: card.unit })}${card.changeRate === null ? '' : `，${change(card.changeRate)}`}）`}`

const section = (title: string, text: string[], charts: ReportChart[], tables: ReportTable[]): ReportSection => ({
  title,
  text: text.filter((line) => line !== ''),
  charts,
  tables: tables.filter(({ rows }) => rows.length > 0),
})

/** Cards beside those of the period before and of the year before. */
const compared = (cards: readonly Card[], own: string, last: string): ReportTable => ({
  heads: ['指标', own, last, '环比', '上年同期', '同比'],
  rows: cards.map((card) => [
    `${card.name}（${card.unit}）`,
    figureOrDash(card.value),
    figureOrDash(card.prev),
    change(card.changeRate),
    figureOrDash(card.lastYear),
    change(card.lastYearRate),
  ]),
})

const numerals = ['一', '二', '三', '四', '五', '六', '七', '八', '九']
const topCourses = 10
const topGroups = 5

/**
 * What a report says: what the youth league committees publish of their work (docs/rules.md R51), from the answers of
 * the statistics calls.
 */
export function reportOf({ figures, warnings, span, schName }: ReportSource): Report {
  const {
    span: { startTime, endTime },
    collegeName,
    info,
  } = figures
  const own = span === 'week' ? '本周' : '本月'
  const last = span === 'week' ? '上周' : '上月'
  const sections = [
    info && overall(figures, own, last),
    colleges(figures, last),
    info && kinds(info, figures.levels),
    lively(figures.lively),
    growth(figures, own, last),
    students(figures),
    warned(warnings),
    logins(figures.logins, own, last),
    info && definitions(figures),
  ].filter((one) => one !== null)
  return {
    title: `第二课堂工作${reportSpans[span]}`,
    facts: [
      `${schName}${collegeName ? ` · ${collegeName}` : ''}`,
      `${startTime.slice(0, 10)} 至 ${endTime.slice(0, 10)}`,
      ...(info ? [`数据截至 ${info.asOf.slice(0, 16)}`] : []),
    ],
    sections: sections.map((one, at) => ({ ...one, title: `${numerals[at]}、${one.title}` })),
  }
}

function overall({ info }: PeriodFigures, own: string, last: string): ReportSection {
  const { cards, trend } = info!
  const card = (key: string) => cards.find((one) => one.key === key)!
  const sentence = (key: string) => cardText(card(key), last)
  return section(
    '总体情况',
    [
      `${own}${sentence('count')}，${sentence('applied')}，${sentence('signRate')}。${sentence('granted')}，${sentence('hours')}。${card('rating').value === null ? '' : `学生评价中${sentence('rating')}。`}`,
    ],
    trend.some(({ count, times }) => count > 0 || times > 0)
      ? [
          {
            kind: 'line',
            title: '每日发布课程与报名',
            labels: trend.map(({ date }) => date.slice(5)),
            series: [
              { name: '发布课程（门）', data: trend.map(({ count }) => count) },
              { name: '报名（人次）', data: trend.map(({ times }) => times) },
            ],
          },
        ]
      : [],
    [compared(cards, own, last)],
  )
}

function colleges({ colleges: rows, collegesBefore }: PeriodFigures, last: string): ReportSection | null {
  if (!rows) return null
  const before = (id: string) => collegesBefore?.find((row) => row.id === id)?.count ?? 0
  const first = rows[0]
  return section(
    '各学院活动',
    [
      first
        ? `共 ${figure(rows.length)} 个单位发布课程，最多的是${first.name}，${figure(first.count)} 门，占 ${share(first.rate)}。`
        : '没有单位发布课程。',
    ],
    rows.length > 1
      ? [
          {
            kind: 'bar',
            title: '各学院发布课程（门）',
            labels: rows.slice(0, 15).map(({ name }) => name),
            series: [{ name: '发布课程', data: rows.slice(0, 15).map(({ count }) => count) }],
          },
        ]
      : [],
    [
      {
        heads: ['单位', '课程（门）', '占比', '报名（人次）', `${last}课程（门）`, '增减（门）'],
        rows: rows.map(({ id, name, count, rate, times }) => [
          name,
          figure(count),
          share(rate),
          figure(times),
          figure(before(id)),
          figure(count - before(id)),
        ]),
      },
    ],
  )
}

function kinds(
  { modules, organisers }: NonNullable<PeriodFigures['info']>,
  levels: PeriodFigures['levels'],
): ReportSection {
  const [first] = modules
  return section(
    '活动构成',
    [
      first
        ? `按模块，${modules
            .slice(0, 3)
            .map(({ name, rate }) => `${name}占 ${share(rate)}`)
            .join(
              '，',
            )}。${organisers.length > 0 ? `按主办类型，${organisers.map(({ name, rate }) => `${name}占 ${share(rate)}`).join('，')}。` : ''}`
        : '没有发布课程。',
    ],
    modules.length > 1
      ? [
          {
            kind: 'pie',
            title: '模块分布（门）',
            labels: modules.map(({ name }) => name),
            series: [{ name: '课程', data: modules.map(({ count }) => count) }],
          },
        ]
      : [],
    [
      {
        heads: ['模块', '课程（门）', '占比', '报名（人次）', '学时'],
        rows: modules.map(({ name, count, rate, times, hours }) => [
          name,
          figure(count),
          share(rate),
          figure(times),
          figure(hours),
        ]),
      },
      {
        heads: ['主办类型', '课程（门）', '占比', '报名（人次）'],
        rows: organisers.map(({ name, count, rate, times }) => [name, figure(count), share(rate), figure(times)]),
      },
      {
        heads: ['级别', '课程（门）', '占比'],
        rows: (levels ?? []).map(({ name, count, rate }) => [name, figure(count), share(rate)]),
      },
    ],
  )
}

const lively = (rows: PeriodFigures['lively']): ReportSection | null =>
  rows && rows.length > 0
    ? section(
        '热门课程',
        [`活跃度由场次、签到人次、签到率与评分按学校的权重合成，列前 ${topCourses} 门。`],
        [],
        [
          {
            heads: ['名次', '课程', '主办', '活跃度'],
            widths: [1, 6, 3, 1.4],
            rows: rows
              .slice(0, topCourses)
              .map(({ rank, liName, collegeName, score }) => [figure(rank), liName, collegeName, figure(score)]),
          },
        ],
      )
    : null

function growth({ sups }: PeriodFigures, own: string, last: string): ReportSection | null {
  if (!sups) return null
  const { cards, types } = sups
  const card = (key: string) =>
    cardText(
      cards.find((one) => one.key === key)!,
      last,
    )
  return section(
    '补录',
    [`${own}提交补录：${card('apply')}，${card('pass')}，${card('hours')}。`],
    [],
    [
      compared(cards, own, last),
      {
        heads: ['类型', '补录（条）', '入账学时'],
        rows: types.map(({ name, count, hours }) => [name, figure(count), figure(hours)]),
      },
    ],
  )
}

/** Means of students by college and grade: all they have to this day. */
function students({ students: total, averages }: PeriodFigures): ReportSection | null {
  if (!total || !averages) return null
  const grades = [...new Set(averages.map(({ grade }) => grade))].toSorted()
  const names = [...new Map(averages.map(({ collegeId, collegeName }) => [collegeId, collegeName]))]
  const value = (key: string) => withUnit(total.cards.find((one) => one.key === key)!)
  const top = averages
    .toSorted((a, b) => b.avgHours - a.avgHours || a.collegeName.localeCompare(b.collegeName, 'zh'))
    .slice(0, topGroups)
  return section(
    '学生学时（入学至今）',
    [
      `学生 ${value('people')}，人均学时 ${value('avgHours')}，覆盖率 ${value('coverage')}，达标率 ${value('metRate')}，零学时 ${value('zero')}。`,
      top.length > 1
        ? `人均学时最高：${top.map(({ collegeName, grade, avgHours }) => `${collegeName} ${gradeName(grade)} ${figure(avgHours)}`).join('，')}。`
        : '',
    ],
    [],
    [
      {
        heads: ['学院', ...grades.map(gradeName)],
        rows: names.map(([id, name]) => [
          name,
          ...grades.map((grade) =>
            figureOrDash(averages.find((one) => one.collegeId === id && one.grade === grade)?.avgHours ?? null),
          ),
        ]),
      },
    ],
  )
}
const gradeName = (grade: string): string => (grade ? `${grade} 级` : '未登记')

const warned = (of: ReportSource['warnings']): ReportSection | null =>
  of && of.total > 0
    ? section(
        '阈值预警',
        [
          `被预警的学生 ${figure(of.level1 + of.level2 + of.level3)} 人：严重 ${figure(of.level3)} 人，警告 ${figure(of.level2)} 人，一般 ${figure(of.level1)} 人。`,
        ],
        of.colleges.length > 1
          ? [
              {
                kind: 'bar',
                title: '各学院预警学生（人）',
                stacked: true,
                labels: of.colleges.slice(0, 15).map(({ name }) => name),
                series: (
                  [
                    ['严重', 'level3'],
                    ['警告', 'level2'],
                    ['一般', 'level1'],
                  ] as const
                ).map(([name, level]) => ({ name, data: of.colleges.slice(0, 15).map((college) => college[level]) })),
              },
            ]
          : [],
        [
          {
            heads: ['学院', '学生（人）', '严重', '警告', '一般'],
            rows: of.colleges.map(({ name, total, level1, level2, level3 }) => [
              name,
              figure(total),
              figure(level3),
              figure(level2),
              figure(level1),
            ]),
          },
        ],
      )
    : null

const logins = (of: PeriodFigures['logins'], own: string, last: string): ReportSection | null =>
  of &&
  section(
    '系统使用',
    [
      `${of.cards
        .filter(({ key }) => key === 'people' || key === 'times')
        .map((card) => cardText(card, last))
        .join('，')}。`,
    ],
    [],
    [
      compared(
        of.cards.filter(({ prev }) => prev !== null),
        own,
        last,
      ),
    ],
  )

/** What every figure counts. */
const definitions = ({ info, sups, students: total }: PeriodFigures): ReportSection =>
  section(
    '统计口径',
    ['环比与上一周期相比，同比与上年同期相比，报告期尚未结束的，只与它们同样长的已过部分相比；人数与人次分开统计。'],
    [],
    [
      {
        heads: ['指标', '口径'],
        widths: [1, 4],
        rows: [
          ...info!.cards,
          ...(sups?.cards ?? []),
          ...(total?.cards.filter(({ key }) => ['avgHours', 'coverage', 'metRate', 'zero'].includes(key)) ?? []),
        ].map(({ name, definition }) => [name, definition]),
      },
    ],
  )
