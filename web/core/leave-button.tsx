import { Button, Modal } from 'antd'
import { useState } from 'react'

/** The way out of a form; asks first where leaving would lose something. */
export function LeaveButton({ isDirty, onLeave, children = '取消' }: { isDirty: boolean; onLeave: () => void; children?: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button onClick={() => (isDirty ? setAsking(true) : onLeave())}>{children}</Button>
      <Modal open={isAsking} title="放弃未保存的内容？" okText="放弃" okButtonProps={{ danger: true }} cancelText="继续编辑" width={400} onOk={onLeave} onCancel={() => setAsking(false)}>
        <p>所做的修改尚未保存，放弃后不能恢复。</p>
      </Modal>
    </>
  )
}
