import { Checkbox } from 'antd'
import { useState } from 'react'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { ColorDot } from '../../core/form/color-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useGuardedDialog } from '../../core/screen/use-guarded-dialog.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { figure } from '../../core/service/figure.ts'

/** The platform's catalogue: what the school has is ticked for good, the rest may be taken over. */
export function PlatformDialog({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const { data: groups } = useCall(labelApi.platform, {}, { staleTime: 0 })
  const { send, isSending } = useSend(labelApi.adopt)
  const held = useGuardedDialog(isOpen && chosen.length > 0)
  const adopt = async () => {
    const { affected } = await send({ ids: [...chosen] })
    notify('success', `已采用 ${figure(affected)} 个标签`)
    setOpen(false)
  }
  const toggle = (ids: string[], isOn: boolean) =>
    setChosen((now) => (isOn ? [...new Set([...now, ...ids])] : now.filter((id) => !ids.includes(id))))
  return (
    <Dialog
      open={isOpen}
      title="从平台标签库采用"
      width={640}
      okText={chosen.length > 0 ? `采用所选 ${chosen.length} 个` : '采用'}
      cancelText="取消"
      okButtonProps={{ disabled: chosen.length === 0 }}
      confirmLoading={isSending}
      to={labelApi.adopt}
      onOk={() => void adopt().catch(() => undefined)}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      {...held}
    >
      {!groups && <ReadSkeleton />}
      {groups?.map((group) => {
        const open = group.children.filter(({ adopted }) => !adopted).map(({ platformId }) => platformId)
        const picked = open.filter((id) => chosen.includes(id)).length
        return (
          <fieldset key={group.platformId} className="catalogue-group">
            <legend>
              <Checkbox
                disabled={open.length === 0}
                checked={open.length === 0 || picked === open.length}
                indeterminate={picked > 0 && picked < open.length}
                onChange={(event) => toggle(open, event.target.checked)}
              >
                <ColorDot color={group.sqlColor} />
                <b>{group.sqlName}</b>
              </Checkbox>
            </legend>
            {group.children.map(({ platformId, sqlName, adopted }) => (
              <Checkbox
                key={platformId}
                disabled={adopted}
                checked={adopted || chosen.includes(platformId)}
                onChange={(event) => toggle([platformId], event.target.checked)}
              >
                {sqlName}
                {adopted && <small className="catalogue-has">已有</small>}
              </Checkbox>
            ))}
          </fieldset>
        )
      })}
    </Dialog>
  )
}
