import { Dialog } from '../../core/parts/dialog.tsx'
import { figure } from '../../core/service/figure.ts'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Input } from '../../../contract/core/call.ts'
import {
  maxReceiverChoices,
  maxReceivers,
  messageApi,
  recallMinutes,
} from '../../../contract/school/messages/messages.calls.ts'
import { send } from '../../core/service/api.ts'
import { AreaField, RemoteSelectField, TextField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab } from '../../core/service/tab.ts'

const outboxPath = '/personalCenter/message?tab=outbox'
const noValues = {}

interface Question {
  count: number
  iiTitle: string
  answer: (isSure: boolean) => void
}

/** Asks once more, with how many people the message reaches; the service counts them. */
function useReachQuestion() {
  const [question, setQuestion] = useState<Question>()
  const confirm = async ({ iiTitle, suIds, classIds, srIds }: Input<typeof messageApi.send>): Promise<boolean> => {
    const counted = await send(messageApi.reach, { suIds, classIds, srIds }).catch(() => undefined)
    if (!counted) return false
    return new Promise((answer) => setQuestion({ count: counted.count, iiTitle, answer }))
  }
  const settle = (isSure: boolean) => {
    question?.answer(isSure)
    setQuestion(undefined)
  }
  const dialog = question && (
    <Dialog
      open
      title={`确认发送给 ${figure(question.count)} 人？`}
      okText="发送"
      width={420}
      to={messageApi.send}
      onOk={() => settle(true)}
      onCancel={() => settle(false)}
    >
      <p>
        消息{quoted(question.iiTitle)}将发送给 {figure(question.count)} 人，每人一份；发送后 {recallMinutes}{' '}
        分钟内可以撤回。
      </p>
    </Dialog>
  )
  return { confirm, dialog }
}

/** Writes a message to people, classes and roles. */
export function SendMessagePage() {
  const { close } = useTab()
  const { confirm, dialog } = useReachQuestion()
  return (
    <>
      <FormPage
        title="发送消息"
        facts="可发给全校教职工和您管理范围内的学生"
        call={messageApi.send}
        initial={noValues}
        draft="message:new"
        submitText="发送"
        confirm={confirm}
        back="/personalCenter/message"
        onDone={({ affected }) => {
          notify('success', `已发送给 ${figure(affected)} 人`)
          close(outboxPath)
        }}
      >
        <FormSection title="收件人" hint="可同时选择人员、班级与角色，重复的人只收到一份">
          <RemoteSelectField
            name="suIds"
            label="人员"
            multiple
            max={maxReceivers}
            placeholder="输入姓名或学工号搜索"
            call={messageApi.receivers}
            input={(suName) => ({ ...(suName && { suName }) })}
            options={(people) =>
              people.map(({ suId, suName, suiNumber, collegeName, className }) => ({
                value: suId,
                label: suName,
                hint: [suiNumber, className ?? collegeName].filter(Boolean).join(' · '),
              }))
            }
          />
          <RemoteSelectField
            name="classIds"
            label="班级"
            multiple
            max={100}
            placeholder="输入班级名称搜索"
            call={messageApi.receiverClasses}
            maxFound={maxReceiverChoices}
            input={(scClassName) => ({ ...(scClassName && { scClassName }) })}
            options={(classes) =>
              classes.map(({ scClassId, scClassName, collegeName, count }) => ({
                value: scClassId,
                label: scClassName,
                hint: [collegeName, `${figure(count)} 人`].filter(Boolean).join(' · '),
              }))
            }
          />
          <RemoteSelectField
            name="srIds"
            label="角色"
            multiple
            max={50}
            placeholder="输入角色名称搜索"
            call={messageApi.receiverRoles}
            maxFound={maxReceiverChoices}
            input={(srName) => ({ ...(srName && { srName }) })}
            options={(roles) =>
              roles.map(({ srId, srName, count }) => ({ value: srId, label: srName, hint: `${figure(count)} 人` }))
            }
          />
        </FormSection>
        <FormSection title="消息">
          <TextField name="iiTitle" />
          <AreaField name="iiContent" rows={8} />
        </FormSection>
      </FormPage>
      {dialog}
    </>
  )
}
