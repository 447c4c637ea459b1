import { Segmented } from 'antd'
import dayjs from 'dayjs'
import { Fragment, useState } from 'react'
import { Link } from 'react-router'
import { homeApi, type HomeEvent } from '../../../contract/programme/home/home.calls.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useCall } from '../../core/service/use-call.ts'
import './home.css'

const weekdays = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']
const nameOfDay = (day: string) => `${dayjs(day).format('M 月 D 日')} ${weekdays[dayjs(day).day()]!}`

/** What takes place today or within seven days, with the way to the sign-in screen of what one runs oneself. */
export function HomeAgenda() {
  const [span, setSpan] = useState<'day' | 'week'>('week')
  const startDate = dayjs().format('YYYY-MM-DD')
  const { data: events } = useCall(
    homeApi.agenda,
    {
      startDate,
      endDate: dayjs()
        .add(span === 'week' ? 6 : 0, 'day')
        .format('YYYY-MM-DD'),
    },
    { keepPrevious: true },
  )
  if (!isScreenOpen('/courseManagement/detailCurriculumList')) return null
  return (
    <section className="card home-card" aria-label="活动日历">
      <header>
        <h2>活动日历</h2>
        <Segmented
          size="small"
          aria-label="时间范围"
          value={span}
          onChange={setSpan}
          options={[
            { value: 'day', label: '今天' },
            { value: 'week', label: '7 天' },
          ]}
        />
      </header>
      {!events ? null : events.length === 0 ? (
        <EmptyState text={span === 'day' ? '今天没有活动' : '7 天内没有活动'} />
      ) : (
        <dl className="home-days">
          {byDay(events, startDate).map(([day, rows]) => (
            <Fragment key={day}>
              <dt>{day === startDate ? '今天' : nameOfDay(day)}</dt>
              <dd>
                <ul className="home-rows">
                  {rows.map((row) => (
                    <Event key={row.liId} row={row} day={day} />
                  ))}
                </ul>
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </section>
  )
}

function Event({
  row: { liId, liName, startTime, endTime, placeText, mine, can },
  day,
}: {
  row: HomeEvent
  day: string
}) {
  const board =
    can.includes('codes') || can.includes('sign') ? `/courseManagement/CurriculumList/SignBoard?liId=${liId}` : ''
  return (
    <li className={mine ? 'is-mine' : ''}>
      <small className="figures">
        {startTime.slice(0, 10) === day ? startTime.slice(11, 16) : '进行中'}–
        {endTime.slice(0, 10) === day ? endTime.slice(11, 16) : endTime.slice(5, 10)}
      </small>
      <Link to={`/courseManagement/detailCurriculumList?liId=${liId}`} title={liName}>
        {liName}
      </Link>
      <span>{placeText}</span>
      {board && isScreenOpen(board) && (
        <Link to={board} aria-label={`${liName}的签到码`}>
          签到码
        </Link>
      )}
    </li>
  )
}

/** Under the day they begin; what has begun before stands under the first. */
function byDay(events: readonly HomeEvent[], first: string): [string, HomeEvent[]][] {
  const days = new Map<string, HomeEvent[]>()
  for (const event of events) {
    const begins = event.startTime.slice(0, 10)
    const day = begins < first ? first : begins
    days.set(day, [...(days.get(day) ?? []), event])
  }
  return [...days].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
