import dayjs from 'dayjs'
import { Link } from 'react-router'
import { loginState } from '../../../contract/core/codes/outcomes.ts'
import { activeApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { StatFigure } from './stat-chart.tsx'
import './dashboard.css'
import { figure } from '../../core/service/figure.ts'

/**
 * How many people used the console today, this week and this month; for those who may see the statistics of sign-ins.
 */
export function ActivePeople() {
  const { data } = useCall(activeApi.info, {}, { staleTime: 60_000 })
  if (!data) return null
  // the last day of the trend is today by the school's clock
  const today = data.trend.at(-1)?.date ?? dayjs().format('YYYY-MM-DD')
  const listOf = (from: string, to: string) =>
    `/StatisticsAdmin/loginStatistics?${new URLSearchParams({ startTime: `${from} 00:00:00`, endTime: `${to} 23:59:59`, loginState: loginState.withinPeriod, show: 'list' })}`
  const ago = (days: number) => dayjs(today).subtract(days, 'day').format('YYYY-MM-DD')
  const openList = (value: number, from: string, to: string) =>
    value === 0 ? 0 : <Link to={listOf(from, to)}>{figure(value)}</Link>
  return (
    <section className="card stat-active" aria-label="用户活跃情况">
      <dl>
        {(
          [
            ['今日', data.today, 0],
            ['近 7 天', data.week, 6],
            ['近 30 天', data.month, 29],
          ] as const
        ).map(([name, people, days]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{openList(people, ago(days), today)}</dd>
          </div>
        ))}
      </dl>
      <StatFigure
        title="近 30 天登录"
        label="近 30 天每天登录的人数"
        definition="每天登录过的人，每人计一次"
        height={140}
        kind="lines"
        rows={data.trend}
        isEmpty={false}
        name={({ date }) => date.slice(5)}
        columns={[
          { title: '日期', value: ({ date }) => date },
          {
            title: '人数',
            value: ({ people }) => people,
            series: '登录人数',
            unit: '人',
            to: ({ date }) => listOf(date, date),
          },
          { title: '人次', value: ({ times }) => times, to: ({ date }) => listOf(date, date) },
        ]}
      />
    </section>
  )
}
