import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { minStarAnswers } from '../../../contract/programme/lessons/stars.ts'
import { Facts } from '../../core/action/detail-page.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { AwardUse } from './award-rows.tsx'
import { figure } from '../../core/service/figure.ts'

/** What came out of a course: attendance, awards with their use, and the organiser's own summary. */
export function LessonResults({ lesson }: { lesson: LessonDetail }) {
  const { data: counts } = useCall(registrationApi.counts, { liId: lesson.liId })
  const rate = counts && counts.passed > 0 ? `${Math.round((counts.signed / counts.passed) * 100)}%` : ''
  if (!counts) return <ReadSkeleton paragraph={{ rows: 6 }} title={false} />
  return (
    <>
      <Facts
        items={[
          { label: '录取人数', value: counts && `${figure(counts.passed)} 人` },
          { label: '签到', value: counts && `${figure(counts.signed)} 人${rate && `（签到率 ${rate}）`}` },
          { label: '迟到', value: counts && `${figure(counts.late)} 人` },
          { label: '缺席', value: counts && `${figure(counts.absent)} 人` },
          { label: '未评定', value: counts && `${figure(counts.unrated)} 人` },
          { label: '合格认定', value: `${lesson.liHours} 学时 · ${lesson.liCredit} 学分` },
          {
            label: '学生评价',
            value: lesson.stars
              ? `${lesson.stars.mean} 星（${figure(lesson.stars.answers)} 人评价）`
              : `满 ${minStarAnswers} 人评价后显示`,
          },
          { label: '活动总结', value: lesson.resultSummary, isWide: true },
        ]}
      />
      <section className="facts">
        <h2>奖项{lesson.atName && `（${lesson.atName}）`}</h2>
        <AwardUse liId={lesson.liId} />
      </section>
    </>
  )
}
