import { Drawer } from 'antd'
import { useState } from 'react'
import { signingKeyStatus } from '../../../contract/core/codes/outcomes.ts'
import { issueApi } from '../../../contract/outcomes/transcripts/issues.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { figure } from '../../core/service/figure.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** The keys transcripts are signed with, and the way to a new one. */
export function SigningKeys({ onClose }: { onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const [isRotating, setRotating] = useState(false)
  const isPhone = useIsPhone()
  const { data } = useCall(issueApi.keys, {})
  return (
    <Drawer
      open={isOpen}
      size={isPhone ? '100%' : 560}
      title="签名密钥"
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => open || onClose()}
      extra={
        <ActionButton to={issueApi.rotate} onClick={() => setRotating(true)}>
          更换密钥
        </ActionButton>
      }
    >
      <p className="batch-note">
        成绩单用 Ed25519 密钥签名，私钥加密保存。更换后旧公钥继续用于核验，已签发的成绩单不受影响。
      </p>
      {!data ? (
        <ReadSkeleton />
      ) : data.length === 0 ? (
        <EmptyState text="还没有密钥" hint="首次导出成绩单时自动生成。" />
      ) : (
        <ul className="batches">
          {data.map(
            ({
              skId,
              skStatus,
              publicKey,
              createTime,
              createName,
              retireTime,
              retireName,
              retireReason,
              issueCount,
            }) => (
              <li key={skId}>
                <div className="batch-head">
                  <b>{createTime.slice(0, 10)} 起</b>
                  <StatusChip tone={skStatus === signingKeyStatus.active ? 'finished' : 'draft'}>
                    {skStatus === signingKeyStatus.active ? '使用中' : '只用于核验'}
                  </StatusChip>
                </div>
                <p>
                  {createName} 生成，签发 {figure(issueCount)} 份
                  {retireTime && `；${retireTime.slice(0, 16)} 由 ${retireName} 更换：${retireReason}`}
                </p>
                <code>{publicKey}</code>
              </li>
            ),
          )}
        </ul>
      )}
      {isRotating && (
        <DialogForm
          title="更换签名密钥"
          call={issueApi.rotate}
          initial={{}}
          input={({ reason }) => ({ reason: reason as string })}
          submitText="更换"
          doneText="已更换，之后签发的成绩单用新密钥签名"
          onClose={() => setRotating(false)}
        >
          <p className="dialog-lead">旧私钥将被删除，不能恢复；已签发的成绩单仍可核验。</p>
          <AreaField name="reason" required placeholder="例如：例行更换" />
        </DialogForm>
      )}
    </Drawer>
  )
}
