import type { LessonDetail } from '../../contract/lessons/lessons.schema.ts'
import { labelOf } from '../core/dictionary-store.ts'

const stages = ['草稿', '发布审批', '报名', '活动', '结果审批', '公示', '完成'] as const

/** How far a course has come: the stage's place and whether it is held up there. */
export function stageOf({ liStatus, liPhase }: Pick<LessonDetail, 'liStatus' | 'liPhase'>): {
  at: number
  tone: 'now' | 'refused' | 'done' | 'ended'
} {
  if (liStatus === '30') return { at: liPhase === '4' || liPhase === '5' ? 3 : 2, tone: 'now' }
  const at =
    {
      '0': 0,
      '10': 1,
      '11': 1,
      '20': 1,
      '40': 4,
      '41': 4,
      '50': 5,
      '60': 5,
      '61': 5,
      '70': 6,
      '80': 6,
      '90': 2,
      '91': 2,
      '92': 3,
    }[liStatus] ?? 0
  if (liStatus === '11' || liStatus === '41') return { at, tone: 'refused' }
  if (['90', '91', '92'].includes(liStatus)) return { at, tone: 'ended' }
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
