import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonPhase, lessonStatus } from '../../../contract/core/codes/programme.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'

const stages = ['草稿', '发布审批', '报名', '活动', '结果审批', '公示', '完成'] as const

/** How far a course has come: the stage's place and whether it is held up there. */
export function stageOf({ liStatus, liPhase }: Pick<LessonDetail, 'liStatus' | 'liPhase'>): {
  at: number
  tone: 'now' | 'refused' | 'done' | 'ended'
} {
  if (liStatus === lessonStatus.published)
    return { at: liPhase === lessonPhase.underway || liPhase === lessonPhase.awaitingResult ? 3 : 2, tone: 'now' }
  const at =
    {
      [lessonStatus.draft]: 0,
      [lessonStatus.publishInReview]: 1,
      [lessonStatus.publishRefused]: 1,
      [lessonStatus.publishPassed]: 1,
      [lessonStatus.resultInReview]: 4,
      [lessonStatus.resultRefused]: 4,
      [lessonStatus.resultPassed]: 5,
      [lessonStatus.inNotice]: 5,
      [lessonStatus.questioned]: 5,
      [lessonStatus.completed]: 6,
      [lessonStatus.archived]: 6,
      [lessonStatus.unpublished]: 2,
      [lessonStatus.cancelled]: 2,
      [lessonStatus.abnormal]: 3,
    }[liStatus] ?? 0
  if (liStatus === lessonStatus.publishRefused || liStatus === lessonStatus.resultRefused)
    return { at, tone: 'refused' }
  if (isOneOf(liStatus, lessonStatus.unpublished, lessonStatus.cancelled, lessonStatus.abnormal))
    return { at, tone: 'ended' }
  return { at, tone: at === 6 ? 'done' : 'now' }
}

/** The life of a course from draft to completion, with the stage it is in. */
export function StageBar({ lesson }: { lesson: LessonDetail }) {
  const { at, tone } = stageOf(lesson)
  const word = lesson.liPhase ? labelOf('lesson_phase', lesson.liPhase) : labelOf('lesson_status', lesson.liStatus)
  return (
    <ol className="card stages" aria-label="课程所处阶段">
      {stages.map((stage, index) => (
        <li
          key={stage}
          className={
            index < at || tone === 'done' ? 'stage stage-done' : index === at ? `stage stage-${tone}` : 'stage'
          }
          aria-current={index === at ? 'step' : undefined}
        >
          <i aria-hidden="true">
            {index < at || tone === 'done' ? '✓' : tone === 'refused' && index === at ? '!' : index + 1}
          </i>
          <span>
            {stage}
            {index === at && word !== stage && <small>{word}</small>}
          </span>
        </li>
      ))}
    </ol>
  )
}
