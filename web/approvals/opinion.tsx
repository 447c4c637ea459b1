import CloseOutlined from '@ant-design/icons/CloseOutlined'
import { Button, Input } from 'antd'
import { useId } from 'react'
import { usePref } from '../core/prefs.ts'

const longest = 500
const mostPhrases = 12
const firstPhrases = ['材料齐全，同意。', '请补充活动策划书后重新提交。', '请核对认定学时后重新提交。', '活动时间与学校安排冲突，请调整。']

/** The reviewer's opinion, with the phrases he keeps on this machine. */
export function Opinion({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  const [phrases, keep] = usePref<string[]>('opinion-phrases', firstPhrases)
  const text = value.trim()
  const canKeep = text.length > 1 && text.length <= 60 && !phrases.includes(text) && phrases.length < mostPhrases
  return (
    <section className="case-part opinion">
      <h3><label htmlFor={id}>审批意见</label></h3>
      <Input.TextArea id={id} value={value} maxLength={longest} showCount autoSize={{ minRows: 3, maxRows: 8 }} placeholder="通过可不填；驳回须写明原因（不少于 5 个字）" onChange={(event) => onChange(event.target.value)} />
      <div className="phrases">
        <span>常用意见</span>
        {phrases.map((phrase) => (
          <span key={phrase} className="phrase">
            <button type="button" title={phrase} onClick={() => onChange((value ? `${value}${phrase}` : phrase).slice(0, longest))}>{phrase}</button>
            <button type="button" aria-label={`删除常用意见：${phrase}`} onClick={() => keep(phrases.filter((one) => one !== phrase))}><CloseOutlined /></button>
          </span>
        ))}
        {canKeep && <Button size="small" type="link" onClick={() => keep([...phrases, text])}>存为常用意见</Button>}
        {phrases.length === 0 && !canKeep && <small>输入意见后可存为常用意见</small>}
      </div>
    </section>
  )
}
