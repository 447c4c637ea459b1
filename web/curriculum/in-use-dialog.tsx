import { Button, Modal } from 'antd'
import { useState } from 'react'
import { curriculumApi } from '../../contract/curriculum/curriculum.calls.ts'
import { usesText } from '../../contract/curriculum/curriculum.schema.ts'
import { notify } from '../core/notice.tsx'
import { useSend } from '../core/use-call.ts'
import type { NodeRecord } from './node-detail.tsx'

/** Says why a node cannot be deleted, and offers to close it instead. */
export function InUseDialog({ node, onClose }: { node: NodeRecord; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const { send, isSending } = useSend(curriculumApi.enable)
  const close = async () => {
    await send({ lsId: [node.lsId], enable: '0' })
    notify('success', '停用成功')
    setOpen(false)
  }
  return (
    <Modal
      open={isOpen}
      title={`“${node.lsName}”不能删除`}
      width={440}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>知道了</Button>
          {node.enable === '1' && <Button type="primary" loading={isSending} authority-type={curriculumApi.enable.permit} onClick={() => void close().catch(() => undefined)}>改为停用</Button>}
        </>
      }
    >
      <p>该体系下存在 {node.uses && usesText(node.uses)}。</p>
      {node.enable === '1' && <p>停用后不能再新建课程和补录，已有的课程、规则与学分不受影响。</p>}
    </Modal>
  )
}
