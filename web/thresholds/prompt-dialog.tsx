import { defaultPrompt, thresholdApi } from '../../contract/thresholds/thresholds.calls.ts'
import { AreaField } from '../core/fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'

/** Who is to be reminded: students, or all that the filters of the list find. */
export interface PromptWish {
  ids?: string[]
  filter?: Record<string, unknown>
  whose: string
}

/** Asks for the words of a reminder and sends it to each in his own. */
export function PromptDialog({ ids, filter, whose, onClose }: PromptWish & { onClose: () => void }) {
  return (
    <FormDialog
      title="发送预警提醒"
      call={thresholdApi.prompt}
      initial={{ content: defaultPrompt }}
      input={({ content }) => ({ ...(ids ? { ids } : { filter: filter ?? {} }), content: content as string })}
      submitText="发送"
      doneText="已发送提醒"
      onClose={onClose}
    >
      <p className="dialog-lead">提醒{whose}，以站内消息送达并记录是否已读。</p>
      <AreaField name="content" required rows={5} help="{name}、{level}、{gap} 会换成每名学生的姓名、等级和缺口" />
    </FormDialog>
  )
}
