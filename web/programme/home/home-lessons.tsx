import { Link } from 'react-router'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { figure } from '../../core/service/figure.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { LessonStatus, shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { HomeCard } from './home-card.tsx'

const listPath = '/personalCenter/course'
const detailPath = '/courseManagement/detailCurriculumList'
const newsPath = '/newsAdmin/newsList'

/** The person's own courses: how many are in each state, and the latest of them. */
export function HomeLessons() {
  const { data: counts, ...ofCounts } = useCall(homeApi.lessonsCount, {})
  const { data: lessons, ...ofLessons } = useCall(homeApi.lessons, {})
  if (!isScreenOpen(listPath)) return null
  if (!counts || !lessons) {
    const refetch = () => [ofCounts, ofLessons].forEach((one) => one.error && void one.refetch())
    return (
      <HomeCard title="我的课程">
        <ReadSkeleton
          reading={{ error: ofCounts.error ?? ofLessons.error, refetch }}
          title={false}
          paragraph={{ rows: 6 }}
        />
      </HomeCard>
    )
  }
  // somebody without courses of their own is shown the latest they may see
  const [title, all] =
    counts.total > 0 || lessons.length === 0
      ? (['我的课程', listPath] as const)
      : (['近期课程', '/courseManagement/CurriculumList'] as const)
  return (
    <HomeCard
      title={title}
      beside={<Link to={all}>{counts.total > 0 ? `全部 ${figure(counts.total)} 门` : '全部'}</Link>}
    >
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
    </HomeCard>
  )
}

/** Courses whose public notice ends next; most days there is none, so nothing holds their place until they are read. */
export function HomePublicty() {
  const { data: lessons, ...reading } = useCall(homeApi.publicty, {})
  if (!isScreenOpen(detailPath)) return null
  if (!lessons)
    return (
      reading.error && (
        <HomeCard title="即将结束的公示">
          <ReadFailure reading={reading} noun="公示" />
        </HomeCard>
      )
    )
  if (lessons.length === 0) return null
  return (
    <HomeCard
      title="即将结束的公示"
      beside={<Link to={`/courseManagement/CurriculumList?liStatus=${lessonStatus.inNotice}`}>全部</Link>}
    >
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
    </HomeCard>
  )
}

/** What the school has to tell: news, and courses put into public notice. */
export function HomeNotices() {
  const { data: notices, ...reading } = useCall(homeApi.notices, {})
  if (!notices)
    return (
      reading.error && (
        <HomeCard title="新闻通知">
          <ReadFailure reading={reading} noun="新闻" />
        </HomeCard>
      )
    )
  const shown = notices.filter(({ link, kind }) => kind === 'news' && isScreenOpen(link))
  if (shown.length === 0) return null
  return (
    <HomeCard title="新闻通知" beside={isScreenOpen(newsPath) && <Link to={newsPath}>全部</Link>}>
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
    </HomeCard>
  )
}
