import { useState } from 'react'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { applicationStatus } from '../../../contract/core/codes/outcomes.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { download, send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { refreshAll, useCall } from '../../core/service/use-call.ts'
import { AreaField, SelectField } from '../parts/fields.tsx'
import { Card, Chip, type Tone } from '../parts/pieces.tsx'

const tones: Record<string, Tone> = {
  [applicationStatus.open]: 'waiting',
  [applicationStatus.issued]: 'finished',
  [applicationStatus.refused]: 'refused',
  [applicationStatus.withdrawn]: 'draft',
}
const copies = Array.from({ length: 6 }, (_, n) => ({
  value: String(n),
  label: n === 0 ? '只要电子版' : `${n} 份纸质`,
}))

/**
 * Applying for a signed transcript in a language, and what became of it; nothing where the school does not offer it.
 */
export function ApplicationCard({ lang }: { lang: 'zh' | 'en' }) {
  const { data } = useCall(ownRecordApi.applications, { current: 1, pageSize: 5 })
  const [isOpen, setOpen] = useState(false)
  const [purpose, setPurpose] = useState('')
  const [count, setCount] = useState('0')
  const [fault, setFault] = useState('')
  const [isBusy, setBusy] = useState(false)
  if (!data || (!data.isOffered && data.total === 0)) return null
  async function attempt(work: () => Promise<unknown>, after: () => void = () => undefined) {
    setBusy(true)
    try {
      await work()
      after()
    } catch {
      // told already
    } finally {
      setBusy(false)
      await refreshAll()
    }
  }
  const apply = () => {
    if (!purpose.trim()) return setFault('请填写用途')
    setFault('')
    return attempt(
      () => send(ownRecordApi.apply, { lang, taPurpose: purpose, taCopies: Number(count) }),
      () => {
        setOpen(false)
        setPurpose('')
        notify('success', '申请已提交，办理后会收到消息')
      },
    )
  }
  return (
    <Card title="正式成绩单" note="由学校审核签发，带编号与数字签名">
      {data.records.length > 0 && (
        <ul className="s-list">
          {data.records.map(
            ({ taId, taLang, taPurpose, taCopies, taStatus, createTime, decideReason, tiId, serial }) => (
              <li key={taId} className="s-row">
                <span className="s-row-text">
                  <strong>{taPurpose}</strong>
                  <small>
                    {taLang === 'en' ? '英文' : '中文'}，{taCopies === 0 ? '电子版' : `${taCopies} 份纸质`}，
                    {createTime.slice(0, 10)} 申请
                  </small>
                  {serial && <small>编号 {serial}</small>}
                  {decideReason && <small>原因：{decideReason}</small>}
                </span>
                <Chip tone={tones[taStatus] ?? 'draft'}>{labelIn(applicationStatus, taStatus)}</Chip>
                {tiId && (
                  <button
                    type="button"
                    className="s-button"
                    disabled={isBusy}
                    onClick={() => void attempt(() => download(ownRecordApi.issued, { tiId }))}
                  >
                    下载 PDF
                  </button>
                )}
                {taStatus === applicationStatus.open && (
                  <button
                    type="button"
                    className="s-button"
                    disabled={isBusy}
                    onClick={() =>
                      void attempt(
                        () => send(ownRecordApi.withdraw, { taId }),
                        () => notify('success', '申请已撤回'),
                      )
                    }
                  >
                    撤回
                  </button>
                )}
              </li>
            ),
          )}
        </ul>
      )}
      {data.mayApply && !isOpen && (
        <button type="button" className="s-button s-wide" onClick={() => setOpen(true)}>
          申请正式成绩单
        </button>
      )}
      {data.mayApply && isOpen && (
        <form onSubmit={(event) => (event.preventDefault(), void apply())}>
          <AreaField
            label="用途"
            required
            maxLength={200}
            value={purpose}
            onChange={setPurpose}
            fault={fault}
            help={`例如：求职、保研、奖学金申请；语言为上面所选的${lang === 'en' ? '英文' : '中文'}`}
          />
          <SelectField
            label="份数"
            value={count}
            onChange={(value) => setCount(value || '0')}
            options={copies}
            help="电子版签发后自行下载；纸质的办好后到学院或第二课堂办公室领取"
          />
          <button type="submit" className="s-button s-primary s-wide" disabled={isBusy}>
            {isBusy ? '正在提交…' : '提交申请'}
          </button>
        </form>
      )}
    </Card>
  )
}
