import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { FileList } from '../../core/parts/file-list.tsx'

/** The papers of a course. */
export function LessonFiles({ lesson }: { lesson: Pick<LessonDetail, 'liPlan' | 'liAttachments' | 'extFiles'> }) {
  return (
    <FileList
      view={lessonApi.fileDownload}
      files={[
        ...(lesson.liPlan ? [{ ...lesson.liPlan, note: '策划书' }] : []),
        ...lesson.liAttachments.map((file) => ({ ...file, note: '附件' })),
        ...lesson.extFiles.map((file) => ({ ...file, note: '合作与安全' })),
      ]}
    />
  )
}
