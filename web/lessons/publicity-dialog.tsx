import dayjs from 'dayjs'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import type { LessonRow } from '../../contract/lessons/lessons.schema.ts'
import { DateTimeRangeField } from '../core/date-fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import { useCall } from '../core/use-call.ts'

/** Puts a course's result into public notice: from when until when, at least the working days the course asks for. */
export function PublicityDialog({ lesson, onClose }: { lesson: LessonRow; onClose: () => void }) {
  const { data: detail } = useCall(lessonApi.details, { liId: lesson.liId })
  return (
    <FormDialog
      title={`公示“${lesson.liName}”`}
      call={lessonApi.publicty}
      isLoading={!detail}
      initial={detail && suggested(detail.publictyDays)}
      input={({ liPublictySdate, liPublictyEdate }) => ({ liId: lesson.liId, version: detail!.version, liPublictySdate: liPublictySdate as string, liPublictyEdate: liPublictyEdate as string })}
      submitText="开始公示"
      doneText="已开始公示"
      onClose={onClose}
    >
      <DateTimeRangeField
        names={['liPublictySdate', 'liPublictyEdate']}
        label="公示时间"
        by="day"
        edges
        help={`不少于 ${detail?.publictyDays ?? 3} 个工作日；截止日 23:59:59 结束。期满且没有未处理的质疑时自动完成并记入学分。`}
      />
    </FormDialog>
  )
}

/** Today and so many working days on; holidays are not known here, the service has the last word. */
function suggested(days: number): { liPublictySdate: string; liPublictyEdate: string } {
  let end = dayjs()
  for (let left = days; left > 0; ) {
    if (end.day() % 6 !== 0) left -= 1
    if (left > 0) end = end.add(1, 'day')
  }
  return { liPublictySdate: `${dayjs().format('YYYY-MM-DD')} 00:00:00`, liPublictyEdate: `${end.format('YYYY-MM-DD')} 23:59:59` }
}
