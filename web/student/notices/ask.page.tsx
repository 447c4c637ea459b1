import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Input } from '../../../contract/core/call.ts'
import { questionType } from '../../../contract/core/codes/programme.ts'
import { ownNoticeApi } from '../../../contract/student/notices.calls.ts'
import { entriesOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { Card } from '../parts/pieces.tsx'
import { AreaField, SelectField, TextField } from '../parts/fields.tsx'
import { Page } from '../parts/page.tsx'
import { Photos, type Proof } from '../parts/photos.tsx'

/** A question or report about what is in public notice. */
export function AskPage() {
  const [query] = useSearchParams()
  const [liId, lisId] = [query.get('liId'), query.get('lisId')]
  const [values, setValues] = useState<Record<string, string>>({})
  const [proofs, setProofs] = useState<Proof[]>([])
  const [isUploading, setUploading] = useState(false)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const ask = useSend(ownNoticeApi.ask)
  const navigate = useNavigate()
  const field = (name: string) => ({
    value: values[name] ?? '',
    fault: faults[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  const isAboutAnother = values['qType'] === questionType.falseAttendance
  async function send() {
    setFaults({})
    try {
      await ask.send({
        ...(liId ? { liId } : { lisId: lisId ?? '' }),
        qType: values['qType'],
        qContent: values['qContent'] ?? '',
        ...(isAboutAnother && liId && values['targetNumber'] && { targetNumber: values['targetNumber'] }),
        qProofs: proofs.map(({ id }) => id),
      } as Input<typeof ownNoticeApi.ask>)
      notify('success', '已提交，答复会出现在“我的质疑”和消息中')
      await navigate('/notices', { replace: true })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setFaults(Object.fromEntries(error.faults.map(({ field: name, msg }) => [name.split('.')[0]!, msg])))
    }
  }
  return (
    <Page
      title="质疑或举报"
      foot={
        <button
          type="button"
          className="s-button s-primary"
          disabled={ask.isSending || isUploading}
          onClick={() => void send()}
        >
          {isUploading ? '照片上传中…' : ask.isSending ? '正在提交…' : '提交'}
        </button>
      }
    >
      <p className="s-banner">除有权受理的人员外，没有人知道是谁提出的；查看质疑人身份须写明原因并留有记录。</p>
      <Card title={query.get('name') ?? '公示中的课程'}>
        <SelectField
          label="类型"
          required
          {...field('qType')}
          options={entriesOf('question_type').filter(({ value }) => liId || value !== questionType.organiserBreach)}
        />
        {isAboutAnother && liId && (
          <TextField
            label="被质疑人学号"
            {...field('targetNumber')}
            inputMode="numeric"
            help="只在知道完整学号时填写"
          />
        )}
        <AreaField label="质疑内容" required maxLength={1000} {...field('qContent')} />
        <Photos
          label="证明材料"
          value={proofs}
          onChange={setProofs}
          onBusy={setUploading}
          view={ownNoticeApi.proof}
          max={9}
          fault={faults['qProofs']}
          help="照片会自动压缩，并去除拍摄地点"
        />
      </Card>
    </Page>
  )
}
