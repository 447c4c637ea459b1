import { messageApi, mostReceivers } from '../../contract/messages/messages.calls.ts'
import { AreaField, RemoteSelectField, TextField } from '../core/fields.tsx'
import { notify } from '../core/notice.tsx'
import { FormSection, RecordForm } from '../core/record-form.tsx'
import { useTab } from '../core/tab.ts'

const outboxPath = '/personalCenter/message?tab=outbox'
const noValues = {}

/** Writes a message to people found by name or number. */
export function SendMessagePage() {
  const { close } = useTab()
  return (
    <RecordForm
      title="发送消息"
      facts="可发给全校教职工和您管理范围内的学生"
      call={messageApi.send}
      initial={noValues}
      draft="message:new"
      submitText="发送"
      back="/personalCenter/message"
      onDone={({ affected }) => {
        notify('success', `已发送给 ${affected} 人`)
        close(outboxPath)
      }}
    >
      <FormSection title="消息">
        <RemoteSelectField
          name="suIds"
          multiple
          max={mostReceivers}
          placeholder="输入姓名或学工号搜索"
          call={messageApi.receivers}
          input={(suName) => ({ ...(suName && { suName }) })}
          options={(people) => people.map(({ suId, suName, suiNumber, collegeName, className }) => ({ value: suId, label: suName, hint: [suiNumber, className ?? collegeName].filter(Boolean).join(' · ') }))}
        />
        <TextField name="iiTitle" />
        <AreaField name="iiContent" rows={8} />
      </FormSection>
    </RecordForm>
  )
}
