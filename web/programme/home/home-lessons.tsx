import { Link } from 'react-router'
import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { figure } from '../../core/service/figure.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import './home.css'

const listPath = '/personalCenter/course'
const detailPath = '/courseManagement/detailCurriculumList'
const newsPath = '/newsAdmin/newsList'

/** The person's own courses: how many are in each state, and the latest of them. */
export function HomeLessons() {
  const { data: counts } = useCall(homeApi.lessonsCount, {})
  const { data: lessons } = useCall(homeApi.lessons, {})
  if (!isScreenOpen(listPath) || !counts || !lessons) return null
  // somebody without courses of their own is shown the latest they may see
  const [title, all] =
    counts.total > 0 || lessons.length === 0
      ? (['我的课程', listPath] as const)
      : (['近期课程', '/courseManagement/CurriculumList'] as const)
  return (
    <section className="card home-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <Link to={all}>{counts.total > 0 ? `全部 ${figure(counts.total)} 门` : '全部'}</Link>
      </header>
      {counts.byStatus.length > 0 && (
        <ul className="home-states" aria-label="各状态课程数">
          {counts.byStatus.map(({ liStatus, count }) => (
            <li key={liStatus}>
              <Link to={`${listPath}?liStatus=${liStatus}`}>
                <b>{figure(count)}</b>
                {labelOf('lesson_status', liStatus)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {lessons.length === 0 ? (
        <EmptyState text="暂无课程" hint="您创建、负责或指导的课程会出现在这里。" />
      ) : (
        <ul className="home-rows">
          {lessons.slice(0, 4).map((lesson) => (
            <li key={lesson.liId}>
              <Link to={`${detailPath}?liId=${lesson.liId}`} title={lesson.liName}>
                {lesson.liName}
              </Link>
              <LessonStatus lesson={lesson} />
              <small className="figures">{shortPeriod(lesson.startTime, lesson.endTime)}</small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** Courses whose public notice ends next. */
export function HomePublicty() {
  const { data: lessons } = useCall(homeApi.publicty, {})
  if (!lessons || lessons.length === 0 || !isScreenOpen(detailPath)) return null
  return (
    <section className="card home-card" aria-label="即将结束的公示">
      <header>
        <h2>即将结束的公示</h2>
        <Link to="/courseManagement/CurriculumList?liStatus=60">全部</Link>
      </header>
      <ul className="home-rows">
        {lessons.slice(0, 4).map(({ liId, liName, liPublictyEdate, passCount }) => (
          <li key={liId}>
            <Link to={`${detailPath}?liId=${liId}`} title={liName}>
              {liName}
            </Link>
            <span>{figure(passCount)} 人</span>
            <small className="figures">{liPublictyEdate?.slice(5, 16)} 结束</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the school has to tell: news, and courses put into public notice. */
export function HomeNotices() {
  const { data: notices } = useCall(homeApi.notices, {})
  const shown = notices?.filter(({ link, kind }) => kind === 'news' && isScreenOpen(link)) ?? []
  if (shown.length === 0) return null
  return (
    <section className="card home-card" aria-label="新闻通知">
      <header>
        <h2>新闻通知</h2>
        {isScreenOpen(newsPath) && <Link to={newsPath}>全部</Link>}
      </header>
      <ul className="home-rows">
        {shown.slice(0, 4).map(({ id, title, time, link }) => (
          <li key={id}>
            <Link to={link} title={title}>
              {title}
            </Link>
            <small className="figures">{time.slice(5, 16)}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}
