import { placeholdersText } from '../../../contract/core/placeholders.ts'
import { defaultPrompt, promptPlaceholders } from '../../../contract/outcomes/thresholds/prompt-words.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { ReadFailure } from '../../core/screen/read-failure.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { actOnAll, useAllOfList, type AllOfList } from '../../core/service/background.ts'
import { useCall } from '../../core/service/use-call.ts'
import { figure } from '../../core/service/figure.ts'

/** Who is to be reminded: students, or all that the filters of a list find; `ids` are then those of its page. */
export type PromptOptions = { ids: string[] } & ({ whose: string; all?: never } | { whose?: never; all: AllOfList })

/** Says how many will be reminded and who is left out, asks for the words and sends them to each in their own. */
export function PromptDialog({ ids, all: asked, whose: named, onClose }: PromptOptions & { onClose: () => void }) {
  const all = useAllOfList(asked)
  const whose = all ? `符合当前筛选条件的 ${figure(all.total)} 名学生` : named
  const whom = all ? { filter: all.query } : { ids }
  const { data: counted, ...reading } = useCall(thresholdApi.promptCount, whom, { staleTime: 0 })
  const { count = 0, unwarned = 0, beyond = 0 } = counted ?? {}
  const leftOut = [
    ...(unwarned > 0 ? [`${figure(unwarned)} 名目前没有预警`] : []),
    ...(beyond > 0 ? [`${figure(beyond)} 名不在您可提醒的范围`] : []),
  ]
  return (
    <DialogForm
      title="发送预警提醒"
      call={thresholdApi.prompt}
      isLoading={!counted && !reading.error}
      canSubmit={count > 0}
      initial={{ content: defaultPrompt }}
      input={({ content }) => ({ ids, content: content as string })}
      {...(all && {
        sendAs: (input: Record<string, unknown>) => actOnAll(all, thresholdApi.prompt, '提醒', input),
      })}
      submitText="发送"
      doneText={all ? '' : ({ affected }) => `已提醒 ${figure(affected)} 名学生`}
      onClose={onClose}
    >
      <div className="dialog-lead">
        {!counted ? (
          <ReadFailure reading={reading} noun="人数" />
        ) : count === 0 ? (
          `${whose}${ids.length === 1 && !all ? '目前没有预警，不需要提醒' : '中没有需要提醒的预警学生'}。`
        ) : (
          <>
            提醒{whose}
            {ids.length === 1 && !all ? (
              ''
            ) : (
              <>
                中的 <b>{figure(count)}</b> 名预警学生
              </>
            )}
            ，以站内消息送达并记录是否已读。
          </>
        )}
        {leftOut.length > 0 && `另有 ${leftOut.join('、')}，不发送。`}
        {all && count > 0 && '在后台发送，可随时取消，已发送的不会收回；没有发送的及原因列在可下载的结果中。'}
      </div>
      <AreaField name="content" required rows={5} help={placeholdersText(promptPlaceholders)} />
    </DialogForm>
  )
}
