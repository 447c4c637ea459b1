import { figure } from '../../core/service/figure.ts'
import type { Output } from '../../../contract/core/call.ts'
import { lessonPhase, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { quotaUnit } from '../../../contract/core/codes/teams.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { placesText } from '../../../contract/programme/lessons/team-fields.ts'
import type { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'

interface CountsProps {
  lesson: LessonDetail
  counts: Output<typeof registrationApi.counts> | undefined
}

/** How many applied, came and were rated, in one line. */
export function ParticipantCounts({ lesson, counts }: CountsProps) {
  const applied = counts?.applyTotal ?? lesson.applyCount
  const figures: { label: string; value: number | string; isUrgent?: boolean }[] = [
    {
      label: '报名 / 名额',
      value:
        lesson.quotaUnit === quotaUnit.team
          ? `${figure(applied)} 人 / ${placesText(lesson)}`
          : `${figure(applied)} / ${figure(lesson.quota)}`,
    },
    { label: '待审核', value: counts?.pending ?? lesson.pendingCount, isUrgent: (counts?.pending ?? 0) > 0 },
    ...(counts && counts.waiting > 0 ? [{ label: '候补', value: counts.waiting }] : []),
    { label: '已通过', value: counts?.passed ?? lesson.passCount },
    { label: '已签到', value: counts?.signed ?? lesson.signCount },
    ...(counts && counts.late > 0 ? [{ label: '迟到', value: counts.late }] : []),
    ...(counts && counts.leave > 0 ? [{ label: '请假', value: counts.leave }] : []),
    { label: '缺席', value: counts?.absent ?? 0 },
    {
      label: '未评定',
      value: counts?.unrated ?? 0,
      isUrgent:
        (counts?.unrated ?? 0) > 0 &&
        (lesson.liPhase === lessonPhase.awaitingResult || lesson.liStatus === lessonStatus.resultRefused),
    },
  ]
  return (
    <div className="participant-counts">
      <dl>
        {figures.map(({ label, value, isUrgent }) => (
          <div key={label} className={isUrgent ? 'urgent' : ''}>
            <dt>{label}</dt>
            <dd>{typeof value === 'number' ? figure(value) : value}</dd>
          </div>
        ))}
      </dl>
      {counts && counts.awardCounts.length > 0 && (
        <p className="award-counts">
          {counts.awardCounts.map(({ awardName, count, quota }) => (
            <span key={awardName}>
              {awardName} <b>{figure(count)}</b>
              {quota !== null && `/${figure(quota)}`}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
