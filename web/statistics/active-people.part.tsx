import { Link } from 'react-router'
import { activeApi } from '../../contract/statistics/login-statistics.calls.ts'
import { Chart } from '../core/chart.tsx'
import { useCall } from '../core/use-call.ts'
import { lines } from './chart-options.ts'
import './statistics.css'

/** How many people used the console today, this week and this month; for those who may see the statistics of sign-ins. */
export function ActivePeople() {
  const { data } = useCall(activeApi.info, {}, { fresh: 60_000 })
  if (!data) return null
  return (
    <section className="card stat-active" aria-label="用户活跃情况">
      <dl>{([['今日', data.today], ['近 7 天', data.week], ['近 30 天', data.month]] as const).map(([name, people]) => <div key={name}><dt>{name}</dt><dd><Link to="/StatisticsAdmin/loginStatistics">{people.toLocaleString('zh-CN')}</Link></dd></div>)}</dl>
      <Chart title="近 30 天登录" label="近 30 天每天登录的人数" definition="每天登录过的人，每人计一次" height={140} option={lines(data.trend.map(({ date }) => date.slice(5)), [{ name: '登录人数', data: data.trend.map(({ people }) => people) }])} table={{ heads: ['日期', '人数', '人次'], rows: data.trend.map(({ date, people, times }) => [date, people, times]) }} />
    </section>
  )
}
