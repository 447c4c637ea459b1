import { Link } from 'react-router'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { lessonPaths } from './lesson-actions.tsx'
import { LessonStatus, periodText } from '../../shared/lessons/lesson-status.tsx'

/** The courses of a series in their order, the one at hand marked. */
export function LessonSeries({ lesson }: { lesson: LessonDetail }) {
  const first = lesson.parentLiId ?? lesson.liId
  return (
    <>
      <div className="series-head">
        <p>本系列共 {lesson.series.length} 期，每期单独审批、报名和评定。</p>
        <ActionButton to={lessonApi.view} href={`${lessonPaths.list}?parentLiId=${first}&sort=startTime&order=asc`}>
          在列表中批量处理
        </ActionButton>
      </div>
      <div className="table-scroll">
        <table className="small-table">
          <thead>
            <tr>
              <th>课程</th>
              <th>状态</th>
              <th>活动时间</th>
              <th>地点</th>
            </tr>
          </thead>
          <tbody>
            {lesson.series.map((one) => (
              <tr key={one.liId} aria-current={one.liId === lesson.liId ? 'true' : undefined}>
                <td>
                  {one.liId === lesson.liId ? (
                    <b>{one.liName}</b>
                  ) : (
                    <Link to={lessonPaths.detail(one)}>{one.liName}</Link>
                  )}
                </td>
                <td>
                  <LessonStatus lesson={one} />
                </td>
                <td className="figures-left">{periodText(one.startTime, one.endTime)}</td>
                <td>{one.placeText}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
