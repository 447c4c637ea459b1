import type { Output } from '../../../contract/core/call.ts'
import { eventKinds, events } from '../../../contract/platform/outbox/events.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { SelectField, TextField } from '../../core/form/fields.tsx'
import './integration.css'

export type WebhookRow = Output<typeof webhookApi.list>['records'][number]

const choices = eventKinds.map((value) => ({ value, label: events[value].label }))

interface Props {
  /** The subscription to edit; a new one without. */
  row?: WebhookRow
  onAdded: (secret: string) => void
  onClose: () => void
}

/** Name, address and kinds of a subscription. */
export function WebhookDialog({ row, onAdded, onClose }: Props) {
  const fields = (
    <>
      <TextField name="odName" placeholder="如：校园数据中台" />
      <TextField
        name="address"
        placeholder="https://"
        help="事件以 HTTP POST 发往此地址；内网地址须由运维允许（OUTBOUND_PRIVATE）"
      />
      <div className="event-choices">
        <SelectField name="eventKinds" options={choices} multiple open />
      </div>
    </>
  )
  if (!row)
    return (
      <DialogForm
        call={webhookApi.add}
        title="新增事件推送"
        width={720}
        doneText=""
        onClose={onClose}
        onDone={({ secret }) => onAdded(secret)}
      >
        {fields}
      </DialogForm>
    )
  const { odId, version, odName, address, eventKinds: chosen } = row
  return (
    <DialogForm
      call={webhookApi.edit}
      title="编辑事件推送"
      width={720}
      initial={{ odId, version, odName, address, eventKinds: chosen }}
      onClose={onClose}
    >
      {fields}
    </DialogForm>
  )
}
