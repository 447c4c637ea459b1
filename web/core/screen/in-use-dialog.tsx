import { Button, Modal } from 'antd'
import { useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Call } from '../../../contract/core/call.ts'
import { LockButton } from '../parts/buttons.tsx'
import { notify } from '../service/notice.tsx'
import { refreshAll } from '../service/use-call.ts'

interface InUseDialogProps {
  name: string
  /** Why it cannot be deleted, a whole sentence. */
  why: ReactNode
  /** Closing it instead: the call behind the button and what it sends; absent where it is closed already. */
  disable?: { call: Call; run: () => Promise<unknown>; hint: string } | undefined
  onClose: () => void
  children?: ReactNode
}

/** Says why a record cannot be deleted and what uses it, and offers to close it instead. */
export function InUseDialog({ name, why, disable, onClose, children }: InUseDialogProps) {
  const [isOpen, setOpen] = useState(true)
  const [isSending, setSending] = useState(false)
  const close = async () => {
    setSending(true)
    try {
      await disable!.run()
      notify('success', '停用成功')
      setOpen(false)
      await refreshAll()
    } catch {
      // told already
    } finally {
      setSending(false)
    }
  }
  return (
    <Modal
      open={isOpen}
      title={`${quoted(name)}不能删除`}
      width={480}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>知道了</Button>
          {disable && (
            <LockButton
              type="primary"
              loading={isSending}
              authority-type={disable.call.permit}
              onClick={() => void close()}
            >
              改为停用
            </LockButton>
          )}
        </>
      }
    >
      <p>{why}</p>
      {children}
      {disable && <p className="nothing">{disable.hint}</p>}
    </Modal>
  )
}
