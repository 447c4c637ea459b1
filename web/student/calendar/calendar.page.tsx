import { Link, useSearchParams } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { ownCalendarApi, type CalendarSession } from '../../../contract/student/calendar.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { applyTones } from '../activities/activity-words.ts'
import { Page } from '../parts/page.tsx'
import { Answered, Chip, Tabs } from '../parts/pieces.tsx'
import { byDay, dayName, daysOfMonth, daysOfWeek, moved, today } from './days.ts'

const spans = [
  ['month', '月'],
  ['week', '周'],
] as const
type Span = (typeof spans)[number][0]

const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text)

/** What the student takes part in, by month or week; span and day are in the address. */
export function CalendarPage() {
  const [query, setQuery] = useSearchParams()
  const span: Span = query.get('span') === 'week' ? 'week' : 'month'
  const asked = query.get('day')
  const day = isDay(asked) ? asked : today()
  const days = span === 'week' ? daysOfWeek(day) : daysOfMonth(day.slice(0, 7))
  const answer = useCall(ownCalendarApi.list, { beginDate: days[0]!, endDate: days.at(-1)! }, { keepPrevious: true })
  const sessions = byDay(answer.data ?? [])
  const show = (next: { span?: Span; day?: string }) =>
    setQuery({ span: next.span ?? span, day: next.day ?? day }, { replace: true })
  return (
    <Page
      title="日历"
      action={
        <Link className="s-button" to="/calendar/feed">
          订阅
        </Link>
      }
    >
      <Tabs of={spans} value={span} onChange={(next) => show({ span: next })} label="时间范围" />
      <section className="s-card s-calendar" aria-label={`${Number(day.slice(0, 4))} 年 ${Number(day.slice(5, 7))} 月`}>
        <header>
          <button
            type="button"
            className="s-button"
            aria-label={span === 'month' ? '上个月' : '上一周'}
            onClick={() => show({ day: moved(day, -1, span) })}
          >
            ‹
          </button>
          <h2>{`${Number(day.slice(0, 4))} 年 ${Number(day.slice(5, 7))} 月`}</h2>
          <button
            type="button"
            className="s-button"
            aria-label={span === 'month' ? '下个月' : '下一周'}
            onClick={() => show({ day: moved(day, 1, span) })}
          >
            ›
          </button>
          <button type="button" className="s-button" onClick={() => show({ day: today() })}>
            今天
          </button>
        </header>
        <ol className="s-days">
          {['一', '二', '三', '四', '五', '六', '日'].map((name) => (
            <li key={name} className="s-weekday" aria-hidden="true">
              {name}
            </li>
          ))}
          {days.map((one) => {
            const here = sessions.get(one) ?? []
            const count = here.length
            return (
              <li key={one} className={span === 'month' && one.slice(0, 7) !== day.slice(0, 7) ? 's-other' : undefined}>
                <button
                  type="button"
                  aria-pressed={one === day}
                  aria-current={one === today() ? 'date' : undefined}
                  onClick={() => show({ day: one })}
                >
                  <span className="visually-hidden">{dayName(one).split(/(?<=月) /)[0]} </span>
                  {Number(one.slice(8))}
                  <span className="visually-hidden">
                    {' '}
                    {dayName(one).split(/ (?=日)/)[1]}，{count === 0 && '没有活动'}
                  </span>
                  <span className={here.some(({ clash }) => clash !== null) ? 's-dot s-dot-clash' : 's-dot'}>
                    {count > 0 && (
                      <>
                        {count}
                        <span className="visually-hidden"> 场活动</span>
                      </>
                    )}
                  </span>
                </button>
              </li>
            )
          })}
        </ol>
      </section>
      <Answered of={answer}>
        {() => (
          <>
            <h2 className="s-heading">{dayName(day)}</h2>
            <DayList sessions={sessions.get(day) ?? []} />
          </>
        )}
      </Answered>
    </Page>
  )
}

function DayList({ sessions }: { sessions: readonly CalendarSession[] }) {
  if (sessions.length === 0)
    return (
      <div className="s-empty">
        <p>这一天没有您的活动</p>
        <Link className="s-button" to="/activities">
          找活动
        </Link>
      </div>
    )
  return (
    <ul className="s-list">
      {sessions.map((session) => (
        <li key={`${session.liId}${session.lseNo}`}>
          <Link className="s-row" to={`/activities/${session.liId}`}>
            <span className="s-row-text">
              <strong className={session.isCancelled ? 's-gone' : undefined}>{session.liName}</strong>
              <small>
                {session.startTime.slice(11, 16)} 至 {session.endTime.slice(11, 16)}
                {session.placeText && `，${session.placeText}`}
              </small>
              {session.clash !== null && (
                <small className="s-warned">{`与${quoted(session.clash)}时间冲突，请取消其中一个`}</small>
              )}
            </span>
            {session.isCancelled ? (
              <Chip tone="refused">活动取消</Chip>
            ) : (
              <Chip tone={applyTones[session.laStatus] ?? 'draft'}>{labelOf('apply_status', session.laStatus)}</Chip>
            )}
            <span className="s-go" aria-hidden="true">
              ›
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}
