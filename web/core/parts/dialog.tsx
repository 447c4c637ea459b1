import { Modal, type ModalProps } from 'antd'
import type { ReactNode } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { LockButton } from './buttons.tsx'

interface DialogProps extends Omit<ModalProps, 'onOk' | 'footer'> {
  /** The call behind the button; left out where nothing is sent. */
  to?: Pick<Call, 'permit'>
  onOk: () => unknown
  /** Before the buttons. */
  aside?: ReactNode
}

/**
 * A dialog with a button that does something. The button carries the right of its call and cannot be clicked twice
 * within a second, as all of them.
 */
export function Dialog({ to, onOk, okText, okButtonProps, confirmLoading = false, aside, ...props }: DialogProps) {
  return (
    <Modal
      {...props}
      footer={(_, { CancelBtn }) => (
        <>
          {aside}
          <CancelBtn />
          <LockButton
            // one that opens anew is another question, and not a second click
            key={String(props.open)}
            type="primary"
            {...okButtonProps}
            loading={confirmLoading}
            {...(to && { 'authority-type': to.permit })}
            onClick={onOk}
          >
            {okText}
          </LockButton>
        </>
      )}
    />
  )
}
