import { Segmented } from 'antd'
import dayjs from 'dayjs'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { homeApi, type HomeDay, type HomeEvent } from '../../../contract/programme/home/home.calls.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { useChoice } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { HomeCard } from './home-card.tsx'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { formerClass } from '../../core/parts/former.ts'

const listPath = '/courseManagement/CurriculumList'
const weekdays = ['星期日', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六']
const nameOfDay = (day: string) => `${dayjs(day).format('M 月 D 日')} ${weekdays[dayjs(day).day()]!}`
/** How many of a day's courses are told: of one day more than of each of seven. */
const perDay = { day: 8, week: 4 }
/** Of the days after the first fewer. */
const perLaterDay = 2

/**
 * What takes place today or within seven days: of each day what is under way and next, how many more there are and the
 * way to all of them, and the way to the sign-in screen of what one runs oneself.
 */
export function HomeAgenda() {
  const [span, setSpan] = useChoice('span', ['week', 'day'])
  const today = dayjs().format('YYYY-MM-DD')
  const { data: days, ...reading } = useCall(
    homeApi.agenda,
    {
      startDate: today,
      endDate: dayjs()
        .add(span === 'week' ? 6 : 0, 'day')
        .format('YYYY-MM-DD'),
      perDay: perDay[span],
    },
    { keepPrevious: true },
  )
  if (!isScreenOpen('/courseManagement/detailCurriculumList')) return null
  return (
    <HomeCard
      title="活动日历"
      beside={
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
      }
    >
      {!days || (days.length === 0 && reading.isPlaceholderData) ? (
        <ReadSkeleton reading={reading} title={false} paragraph={{ rows: 8 }} />
      ) : days.length === 0 ? (
        <EmptyState text={span === 'day' ? '今天没有活动' : '7 天内没有活动'} />
      ) : (
        <dl className={formerClass(reading.isPlaceholderData, 'home-days')} aria-busy={reading.isPlaceholderData}>
          {days.map((day) => (
            <Day key={day.date} day={day} name={day.date === today ? '今天' : nameOfDay(day.date)} today={today} />
          ))}
        </dl>
      )}
    </HomeCard>
  )
}

function Day({ day: { date, total, exam, events }, name, today }: { day: HomeDay; name: string; today: string }) {
  // what goes on for days is told once: today
  const rows =
    date === today ? events : events.filter(({ startTime }) => startTime.slice(0, 10) === date).slice(0, perLaterDay)
  const more = total - rows.length
  const rest = `${rows.length > 0 ? '还有' : '进行中'} ${figure(more)} 场`
  const all = `${listPath}?${new URLSearchParams({
    liStatus: lessonStatus.published,
    startTime: `${date} 00:00:00`,
    endTime: `${date} 23:59:59`,
    sort: 'startTime',
    order: 'asc',
  })}`
  const count = `共 ${figure(total)} 场`
  return (
    <Fragment>
      <dt>
        {name}
        <span>{exam ? `${exam}，${count}` : count}</span>
      </dt>
      <dd>
        <ul className="home-rows">
          {rows.map((row) => (
            <Event key={row.liId} row={row} day={date} />
          ))}
        </ul>
        {more > 0 &&
          (isScreenOpen(listPath) ? (
            <Link className="home-more" to={all} aria-label={`${name}${rest}，查看全部 ${figure(total)} 场`}>
              {rest}，查看全部
            </Link>
          ) : (
            <span className="home-more">{rest}</span>
          ))}
      </dd>
    </Fragment>
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
      <small className="figures">{timeOn(day, startTime, endTime)}</small>
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

/** When on that day: hours, or until which day, for what lasts for days. */
function timeOn(day: string, startTime: string, endTime: string): string {
  const [isFirst, isLast] = [startTime.slice(0, 10) === day, endTime.slice(0, 10) === day]
  if (isFirst && isLast) return `${startTime.slice(11, 16)}–${endTime.slice(11, 16)}`
  if (isFirst) return `${startTime.slice(11, 16)} 起`
  return isLast ? `至 ${endTime.slice(11, 16)}` : `至 ${endTime.slice(5, 10)}`
}
