import { Form } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { LessonRow } from '../../../contract/programme/lessons/lessons.schema.ts'
import { NumberField, SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { shortPeriod } from '../../shared/lessons/lesson-status.tsx'
import { followingPeriods, rhythms, type Rhythm } from './series-plan.ts'

const initial = { count: '3', rhythm: 'week' }
const planOf = (lesson: LessonRow, { count, rhythm }: Record<string, unknown>) =>
  followingPeriods(lesson, Number(count) || 0, (rhythm as Rhythm | undefined) ?? 'week')

/** Makes a draft the first of a series: how many more, how far apart, and when each would be. */
export function SeriesDialog({ lesson, onClose }: { lesson: LessonRow; onClose: () => void }) {
  return (
    <DialogForm
      title={`由${quoted(lesson.liName)}生成系列`}
      call={lessonApi.series}
      initial={initial}
      input={(values) => ({ liId: lesson.liId, version: lesson.version, children: planOf(lesson, values) })}
      submitText="生成"
      doneText="系列课程已生成，均为草稿"
      onClose={onClose}
    >
      <NumberField name="count" label="再办几期" span={6} unit="期" required help="1 至 30 期" />
      <SelectField name="rhythm" label="间隔" span={6} options={rhythms} required />
      <Plan lesson={lesson} />
    </DialogForm>
  )
}

function Plan({ lesson }: { lesson: LessonRow }) {
  const values = Form.useWatch((all: Record<string, unknown>) => all) as Record<string, unknown> | undefined
  const periods = planOf(lesson, values ?? initial)
  return (
    <div className="span-12 series-plan">
      <p>课程内容、人员与附件沿用本期，报名时间随活动时间顺延；生成后可逐期修改。</p>
      <ol aria-label="各期时间">
        {[lesson, ...periods].map(({ startTime, endTime }, at) => (
          <li key={startTime}>
            第 {at + 1} 期　{shortPeriod(startTime, endTime)}
          </li>
        ))}
      </ol>
    </div>
  )
}
