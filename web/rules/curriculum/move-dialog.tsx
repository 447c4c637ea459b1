import { Form, Select, TreeSelect } from 'antd'
import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import type { CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import type { TreeNode } from '../../core/form/tree-fields.tsx'
import { mayStandIn, placeOf, rowOf, type Place } from './tree.ts'

interface Props {
  node: CurriculumNode
  tree: readonly CurriculumNode[]
  onMove: (node: CurriculumNode, place: Place) => Promise<unknown>
  onClose: () => void
}

const top = 'top'
const first = 'first'

/** Moves a node without dragging: below which one, and behind which neighbour. */
export function MoveDialog({ node, tree, onMove, onClose }: Props) {
  const [isOpen, setOpen] = useState(true)
  const [isSending, setSending] = useState(false)
  const [place, setPlace] = useState<Place>(() => placeOf(tree, node))
  const neighbours = rowOf(tree, place.lsPid).filter(({ lsId }) => lsId !== node.lsId)
  const change = (lsPid: string | null) =>
    setPlace({
      lsPid,
      after: rowOf(tree, lsPid)
        .filter(({ lsId }) => lsId !== node.lsId)
        .at(-1)?.lsId,
    })
  const send = async () => {
    setSending(true)
    try {
      await onMove(node, place)
      setOpen(false)
    } catch {
      // told already
    } finally {
      setSending(false)
    }
  }
  return (
    <Dialog
      open={isOpen}
      title={`移动${quoted(node.lsName)}`}
      width={460}
      okText="移动"
      cancelText="取消"
      confirmLoading={isSending}
      onOk={() => void send()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
    >
      <ScopedForm layout="vertical" className="dialog-form">
        <Form.Item
          label="移到"
          htmlFor="move-parent"
          extra={node.children.length > 0 ? '连同下级体系与其中的课程、补录一起移动' : '其中的课程、补录一起移动'}
        >
          <TreeSelect
            id="move-parent"
            className="wide"
            treeData={[{ value: top, label: '一级模块' }, ...choices(node, tree)]}
            treeDefaultExpandAll
            showSearch={{ treeNodeFilterProp: 'label' }}
            value={place.lsPid ?? top}
            onChange={(value: string) => change(value === top ? null : value)}
          />
        </Form.Item>
        <Form.Item label="排在" htmlFor="move-after">
          <Select
            id="move-after"
            className="wide"
            value={place.after ?? first}
            options={[
              { value: first, label: '最前面' },
              ...neighbours.map(({ lsId, lsName }) => ({ value: lsId, label: `${quoted(lsName)}之后` })),
            ]}
            onChange={(value: string) => setPlace({ ...place, after: value === first ? undefined : value })}
          />
        </Form.Item>
      </ScopedForm>
    </Dialog>
  )
}

/** The nodes a node may stand below; others are shown, for the way to them, but cannot be chosen. */
const choices = (node: CurriculumNode, nodes: readonly CurriculumNode[]): TreeNode[] =>
  nodes
    .filter(({ lsId, depth }) => lsId !== node.lsId && depth < 3)
    .map((one) => ({
      value: one.lsId,
      label: one.lsName,
      disabled: !mayStandIn(node, one),
      children: choices(node, one.children),
    }))
