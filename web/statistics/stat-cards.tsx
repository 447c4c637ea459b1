import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import { Skeleton, Tooltip } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { Card } from '../../contract/statistics/statistics.schema.ts'

interface StatCardsProps {
  cards: readonly Card[] | undefined
  /** What each card counts, as filters of the list behind it; cards that are not here lead nowhere. */
  leads: Record<string, Record<string, string>>
  /** Cards whose rise is no good news. */
  unwelcome?: readonly string[]
  /** What the figures are compared with, as the answer tells. */
  previous?: ComparedSpan
  lastYear?: ComparedSpan
}
type ComparedSpan = { startTime: string; endTime: string; part?: boolean } | null | undefined

/** The address of the list behind a figure, with the filters of the screen. */
export function useListAddress(): (more?: Record<string, string>) => string {
  const [query] = useSearchParams()
  return (more = {}) => {
    const to = new URLSearchParams(query)
    to.delete('current')
    for (const [name, value] of Object.entries({ ...more, show: 'list' })) to.set(name, value)
    return `?${to}`
  }
}

/** The figures of a statistic, each with what it was before, what is counted, and the way to what is counted. */
export function StatCards({ cards, leads, unwelcome = [], previous, lastYear: yearBefore }: StatCardsProps) {
  const address = useListAddress()
  if (!cards) return <div className="card"><Skeleton active paragraph={{ rows: 2 }} /></div>
  return (
    <ul className="stat-cards" data-keep style={{ '--across': Math.ceil(cards.length / Math.ceil(cards.length / 6)) } as React.CSSProperties}>
      {cards.map(({ key, name, value, unit, prev, changeRate, lastYear, lastYearRate, definition }) => {
        const text = value === null ? '—' : value.toLocaleString('zh-CN')
        const lead = leads[key]
        return (
          <li key={key} className="card stat-card">
            <span className="stat-name">{name}<Tooltip title={definition}><button type="button" className="chart-definition" aria-label={`${name}的统计口径：${definition}`}><QuestionCircleOutlined /></button></Tooltip></span>
            <b>{lead && value !== null && value !== 0 ? <Link to={address(lead)} aria-label={`${name} ${text}${unit}，查看明细`}>{text}</Link> : text}<small>{value === null ? '' : unit}</small></b>
            {(prev !== null || lastYear !== null) && (
              <span className="stat-changes">
                {prev !== null && <Change title="环比" before={prev} rate={changeRate} unit={unit} span={previous} isUnwelcome={unwelcome.includes(key)} />}
                {lastYear !== null && <Change title="同比" before={lastYear} rate={lastYearRate} unit={unit} span={yearBefore} isUnwelcome={unwelcome.includes(key)} />}
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function Change({ title, before, rate, unit, span, isUnwelcome }: { title: string; before: number; rate: number | null; unit: string; span?: ComparedSpan; isUnwelcome: boolean }) {
  const text = rate === null ? '—' : rate === 0 ? '持平' : `${rate > 0 ? '↑' : '↓'} ${Math.abs(rate).toLocaleString('zh-CN')}%`
  const days = span ? `（${span.startTime.slice(0, 10)} 至 ${span.endTime.slice(0, 10)}）` : ''
  const part = span?.part ? '。所选时间尚未结束，只与同样长的已过部分比较' : ''
  return <Tooltip title={`${title === '环比' ? '上一周期' : '上年同期'}${days}为 ${before.toLocaleString('zh-CN')} ${unit}${part}`}><span>{title} <i className={rate === null || rate === 0 ? '' : rate > 0 === isUnwelcome ? 'is-down' : 'is-up'}>{text}</i></span></Tooltip>
}
