import { quoted } from '../../../contract/core/quotes.ts'
import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { download } from '../../core/service/api.ts'
import { exportInBackground } from '../../core/service/background.ts'
import { notify } from '../../core/service/notice.tsx'

/** Whose scores are meant: ticked students, or all that filters find. */
export interface ScoreExport {
  filter: Record<string, unknown>
  /** `所选 3 名学生`. */
  whose: string
  /** How many students they are. */
  rows?: number
}

/** Asks for the period, then fetches the workbook of scores. */
export function ScoreExportDialog({ filter, whose, rows, onClose }: ScoreExport & { onClose: () => void }) {
  return (
    <DialogForm
      title="导出学生成绩"
      call={scoreExportApi.export}
      input={({ startTime, endTime, reason }) => ({
        ...filter,
        ...(reason ? { reason: reason as string } : {}),
        ...(startTime && endTime ? { startTime: startTime as string, endTime: endTime as string } : {}),
      })}
      // with a reason it may be of all students, which takes its time
      sendAs={async (input) => {
        if (input.reason) return exportInBackground(scoreExportApi.export, input, { rows }) as Promise<undefined>
        notify('success', `已导出${quoted(await download(scoreExportApi.export, input))}`)
        return undefined
      }}
      submitText="导出"
      doneText=""
      width={460}
      onClose={onClose}
    >
      <p className="form-hint dialog-text">
        {whose}，每人一行：各模块的学时、学分、积分，合计，以及课程与补录各占多少。
      </p>
      <DateTimeRangeField
        names={['startTime', 'endTime']}
        label="起止日期"
        by="day"
        edges
        help="按活动或补录成果的日期统计；不选则为全部"
      />
      <AreaField name="reason" rows={1} help="超过 500 名学生时须填写，记入操作日志" />
    </DialogForm>
  )
}
