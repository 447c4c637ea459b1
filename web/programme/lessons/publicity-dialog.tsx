import dayjs from 'dayjs'
import { useMemo } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { dayFormat } from '../../core/service/date-range.ts'
import { useRules } from '../../shared/school/rules.ts'

/**
 * Puts a course's result into public notice: from when until when, at least the working days that the course and the
 * school ask for, which is what it proposes.
 */
export function PublicityDialog({ lesson, onClose }: { lesson: LessonRow; onClose: () => void }) {
  const { data: detail } = useCall(lessonApi.details, { liId: lesson.liId })
  const rules = useRules()
  const [least, most] =
    detail && rules
      ? [Math.max(detail.publictyDays, rules.publictyMin), Math.max(detail.publictyDays, rules.publictyMax)]
      : [1, 1]
  const today = dayjs().format(dayFormat)
  const { data: end } = useCall(schoolApi.workday, { from: today, days: least }, { enabled: Boolean(detail && rules) })
  const initial = useMemo(
    () => end && { liPublictySdate: `${today} 00:00:00`, liPublictyEdate: `${end.to} 23:59:59` },
    [end, today],
  )
  return (
    <DialogForm
      title={`公示${quoted(lesson.liName)}`}
      call={lessonApi.publicty}
      isLoading={!detail || !initial}
      initial={initial}
      input={({ liPublictySdate, liPublictyEdate }) => ({
        liId: lesson.liId,
        version: detail!.version,
        liPublictySdate: liPublictySdate as string,
        liPublictyEdate: liPublictyEdate as string,
      })}
      submitText="开始公示"
      doneText="已开始公示"
      onClose={onClose}
    >
      <DateTimeRangeField
        names={['liPublictySdate', 'liPublictyEdate']}
        label="公示时间"
        required
        by="day"
        edges
        help={`${least === most ? least : `${least} 至 ${most}`} 个工作日，已扣除节假日；截止日 23:59:59 结束。期满且没有未处理的质疑时自动完成并记入学分。`}
      />
    </DialogForm>
  )
}
