import { Checkbox } from 'antd'
import { useState } from 'react'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { AwardTable } from './award-details.tsx'
import { figure } from '../../core/service/figure.ts'

/** The usual templates with what their awards are worth; those whose name the school has are ticked for good. */
export function ReadyDialog({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data: ready } = useCall(awardApi.ready, {}, { staleTime: 0 })
  const { send, isSending } = useSend(awardApi.addReady)
  const add = async () => {
    const { affected } = await send({ ids: [...chosen] })
    notify('success', `已添加 ${figure(affected)} 个奖励模板`)
    setOpen(false)
  }
  return (
    <Dialog
      open={isOpen}
      title="添加常用奖励模板"
      width={760}
      okText={chosen.length > 0 ? `添加所选 ${chosen.length} 个` : '添加'}
      cancelText="取消"
      okButtonProps={{ disabled: chosen.length === 0 }}
      confirmLoading={isSending}
      to={awardApi.addReady}
      onOk={() => void add().catch(() => undefined)}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      {!ready && <ReadSkeleton />}
      <ul className="ready-templates">
        {ready?.map(({ readyId, atName, atType, atDesc, exists, details }) => (
          <li key={readyId}>
            <Checkbox
              disabled={exists}
              checked={exists || chosen.includes(readyId)}
              onChange={({ target }) =>
                setChosen((now) => (target.checked ? [...now, readyId] : now.filter((one) => one !== readyId)))
              }
            >
              <b>{atName}</b>
              <small>
                {labelOf('award_type', atType)}，{atDesc}
                {exists && ' · 已有同名模板'}
              </small>
            </Checkbox>
            <AwardTable rows={details} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
