import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import { Tooltip } from 'antd'
import dayjs from 'dayjs'
import { use } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { changeText, toneOf, type ChangeTone, type Rise } from './change.ts'
import { ListContext } from '../../core/list/list-context.ts'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** Filters of the list behind a screen, by name. */
export type Filters = Record<string, string>

interface StatCardsProps {
  /** The answer with the figures, and what they are compared with; undefined while it is being fetched. */
  answer: { cards: readonly Card[]; previous?: ComparedSpan; lastYear?: ComparedSpan } | undefined
  /**
   * What each card counts or is calculated from, as filters of the list behind it, or the address of a list elsewhere;
   * cards that are not here lead nowhere.
   */
  leads: Record<string, Filters | string>
  /** The others of a share, those that it does not count. */
  others?: Record<string, { name: string; lead: Filters }>
  /** What a rise of each card means; needed where figures are compared. */
  rises?: Record<string, Rise>
  /** What a card says that has no value; a dash unless told. */
  lacking?: (key: string) => string
}
type ComparedSpan = { startTime: string; endTime: string; part?: boolean } | null | undefined

/** The address of the list behind a figure, with the filters of the screen, also those it was opened with. */
export function useListAddress(): (more?: Filters) => string {
  const [query] = useSearchParams()
  const filters = use(ListContext)?.state.filters
  return (more = {}) => {
    const to = new URLSearchParams([...query].filter(([name]) => name !== 'current' && !name.endsWith('.current')))
    for (const [name, value] of Object.entries({ ...filters, ...more, show: 'list' })) to.set(name, value)
    return `?${to}`
  }
}

/** The list with the largest of a column first: where a sum comes from. */
export const largestFirst = (sort: string): Filters => ({ sort, order: 'desc' })

/**
 * The filters for the people or courses of a college, a grade or both; an empty one stands for those that have none.
 */
export function groupOf({ collegeId, grade }: { collegeId?: string; grade?: string }): Filters {
  const lacking =
    collegeId === '' && grade === '' ? 'both' : collegeId === '' ? 'college' : grade === '' ? 'grade' : undefined
  return { ...(collegeId && { collegeId }), ...(grade && { grade }), ...(lacking && { lacking }) }
}

/** The period of a step of a trend, a day or a month (`yyyy-MM`), as far as it lies within the screen's own. */
export function stepOf(step: string, { startTime = '', endTime = '9' }: Filters): Filters {
  const isMonth = step.length === 7
  const from = `${isMonth ? `${step}-01` : step} 00:00:00`
  const to = `${isMonth ? dayjs(`${step}-01`).endOf('month').format('YYYY-MM-DD') : step} 23:59:59`
  return { startTime: startTime > from ? startTime : from, endTime: endTime < to ? endTime : to }
}

/** The figures of a statistic, each with what it was before, what is counted, and the way to what is counted. */
export function StatCards({ answer, leads: drillDown, others = {}, rises = {}, lacking }: StatCardsProps) {
  const address = useListAddress()
  if (!answer)
    return (
      <div className="card stat-wait">
        <ReadSkeleton paragraph={{ rows: 2 }} />
      </div>
    )
  const { cards, previous, lastYear: yearBefore } = answer
  return (
    <ul
      className="stat-cards"
      data-keep
      style={{ '--across': Math.ceil(cards.length / Math.ceil(cards.length / 6)) } as React.CSSProperties}
    >
      {cards.map(({ key, name, value, unit, prev, changeRate, lastYear, lastYearRate, definition }) => {
        const text = value === null ? (lacking?.(key) ?? '—') : figure(value)
        const openList = drillDown[key]
        const other = value === null ? undefined : others[key]
        return (
          <li key={key} className="card stat-card">
            <span className="stat-name">
              {name}
              <Tooltip title={definition}>
                <button type="button" className="chart-definition" aria-label={`${name}的统计口径：${definition}`}>
                  <QuestionCircleOutlined />
                </button>
              </Tooltip>
            </span>
            <b>
              {openList && value !== null && value !== 0 ? (
                <Link
                  to={typeof openList === 'string' ? openList : address(openList)}
                  aria-label={`${name} ${text}${unit}，查看明细`}
                >
                  {text}
                </Link>
              ) : (
                text
              )}
              <small>{value === null ? '' : unit}</small>
            </b>
            {other && (
              <Link className="stat-other" to={address(other.lead)}>
                {other.name}
              </Link>
            )}
            {(prev !== null || lastYear !== null) && (
              <span className="stat-changes">
                {(
                  [
                    ['环比', prev, changeRate, previous],
                    ['同比', lastYear, lastYearRate, yearBefore],
                  ] as const
                ).map(
                  ([title, before, rate, span]) =>
                    before !== null && (
                      <Change
                        key={title}
                        title={title}
                        before={before}
                        rate={rate}
                        unit={unit}
                        span={span}
                        tone={toneOf(rate, rises[key] ?? 'neutral')}
                      />
                    ),
                )}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Change({
  title,
  before,
  rate,
  unit,
  span,
  tone,
}: {
  title: string
  before: number
  rate: number | null
  unit: string
  span?: ComparedSpan
  tone: ChangeTone
}) {
  const text = changeText(rate, before, unit)
  const days = span ? `（${span.startTime.slice(0, 10)} 至 ${span.endTime.slice(0, 10)}）` : ''
  const part = span?.part ? '。所选时间尚未结束，只与同样长的已过部分比较' : ''
  return (
    <Tooltip title={`${title === '环比' ? '上一周期' : '上年同期'}${days}为 ${figure(before)} ${unit}${part}`}>
      <span>
        {title} <i className={tone}>{text}</i>
      </span>
    </Tooltip>
  )
}
