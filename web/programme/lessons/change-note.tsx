import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { Differences } from '../../shared/lessons/differences.tsx'

/** Says that a change waits for approval and what it would change; nothing where none does. */
export function ChangeNote({ lesson: { change } }: { lesson: LessonDetail }) {
  if (!change) return null
  return (
    <section className="card change-note" aria-label="变更审批中">
      <h2>变更审批中</h2>
      <p>
        {change.createName}于 {change.createTime.slice(0, 16)}{' '}
        申请变更；批准前课程保持已批准的内容，编辑、下架与提交结果暂不可用。
      </p>
      <Differences differences={change.differences} />
    </section>
  )
}
