import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { approvalActionApi, maxPhrases } from '../../../contract/programme/approvals/actions.calls.ts'
import { refreshAll, useCall, useSend } from '../../core/service/use-call.ts'

const maxLength = 500

/** The reviewer's opinion, with the phrases they keep; they are the same wherever they sign in. */
export function Opinion({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  const { data } = useCall(approvalActionApi.opinions, {})
  const { send } = useSend(approvalActionApi.saveOpinions)
  const [kept, setKept] = useState<string[]>()
  const phrases = kept ?? data?.phrases ?? []
  const text = value.trim()
  const canKeep =
    data !== undefined && text.length > 1 && text.length <= 60 && !phrases.includes(text) && phrases.length < maxPhrases
  const keep = (next: string[]) => {
    setKept(next)
    void send({ phrases: next })
      .catch(() => setKept(undefined))
      .finally(() => void refreshAll())
  }
  return (
    <section className="case-part opinion">
      <h3>
        <label htmlFor={id}>审批意见</label>
      </h3>
      <Input.TextArea
        id={id}
        value={value}
        maxLength={maxLength}
        showCount
        autoSize={{ minRows: 3, maxRows: 8 }}
        placeholder="通过可不填；驳回须写明原因（不少于 5 个字）"
        onChange={(event) => onChange(event.target.value)}
      />
      <div className="phrases">
        <span>常用意见</span>
        {phrases.map((phrase) => (
          <span key={phrase} className="phrase">
            <button
              type="button"
              title={phrase}
              onClick={() => onChange((value ? `${value}${phrase}` : phrase).slice(0, maxLength))}
            >
              {phrase}
            </button>
            <button
              type="button"
              aria-label={`删除常用意见：${phrase}`}
              onClick={() => keep(phrases.filter((one) => one !== phrase))}
            >
              <CloseOutlined />
            </button>
          </span>
        ))}
        {canKeep && (
          <Button size="small" type="link" onClick={() => keep([...phrases, text])}>
            存为常用意见
          </Button>
        )}
        {phrases.length === 0 && !canKeep && <small>输入意见后可存为常用意见</small>}
      </div>
    </section>
  )
}
