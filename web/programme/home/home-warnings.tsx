import { Link } from 'react-router'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useCall } from '../../core/service/use-call.ts'
import { HomeCard } from './home-card.tsx'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

const path = '/StatisticsAdmin/ThresholdStatistics'

/** How many students of one's own part of the school fall behind, level by level; each number leads to its students. */
export function HomeWarnings() {
  const { data: warnings, ...reading } = useCall(homeApi.warnings, {})
  if (!isScreenOpen(path)) return null
  const head = { title: '学时预警', beside: <Link to={path}>查看情况</Link> }
  if (warnings === undefined)
    return (
      <HomeCard {...head} isBusy={!reading.error}>
        <ReadSkeleton reading={reading} title={false} paragraph={{ rows: 2 }} />
      </HomeCard>
    )
  if (!warnings?.calcTime) return null
  const counts = ([warnLevel.severe, warnLevel.moderate, warnLevel.mild] as const).map((level) => ({
    level,
    count: warnings[`level${level}`],
  }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return (
    <HomeCard {...head}>
      {total === 0 ? (
        <p className="home-none">目前没有预警的学生。</p>
      ) : (
        <ul className="home-levels">
          {counts.map(({ level, count }) => (
            <li key={level} className={`level-${level}`}>
              <Link
                to={`${path}?show=list&warnLevel=${level}`}
                aria-label={`${labelOf('warn_level', level)} ${figure(count)} 人，查看名单`}
              >
                <span>{labelOf('warn_level', level)}</span>
                <b>{figure(count)}</b>
                <small>人</small>
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="home-asof">{warnings.calcTime.slice(0, 16)} 计算</p>
    </HomeCard>
  )
}
