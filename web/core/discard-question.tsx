import { Modal } from 'antd'

interface Props {
  isOpen: boolean
  onDiscard: () => void
  onKeep: () => void
}

/** Asked before something that was typed is given up. */
export function DiscardQuestion({ isOpen, onDiscard, onKeep }: Props) {
  return (
    <Modal open={isOpen} title="放弃未保存的内容？" okText="放弃" okButtonProps={{ danger: true }} cancelText="继续编辑" width={400} onOk={onDiscard} onCancel={onKeep}>
      <p>所填内容尚未保存，放弃后不能恢复。</p>
    </Modal>
  )
}
