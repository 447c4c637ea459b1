import { figure } from '../../core/service/figure.ts'
import HolderOutlined from '@ant-design/icons/HolderOutlined'
import { Tree, type TreeDataNode, type TreeProps } from 'antd'
import type { KeyboardEvent } from 'react'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import type { CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { NodeIcon } from './module-icon.tsx'
import { dropPlace, find, flat, mayStandIn, stepOf, type Place } from './tree.ts'

interface NodeTreeProps {
  /** The nodes to show, and the whole tree by which places are told. */
  shown: readonly CurriculumNode[]
  tree: readonly CurriculumNode[]
  chosen: string | undefined
  onChoose: (lsId: string) => void
  open: readonly string[]
  onOpen: (lsIds: string[]) => void
  /** False while only a part of the tree is shown: a place beside hidden neighbours would surprise. */
  canMove: boolean
  onMove: (node: CurriculumNode, place: Place) => void
}

/**
 * The curriculum as a tree: nodes are dragged before, behind or into others; Alt with an arrow moves the chosen one up
 * or down.
 */
export function NodeTree({ shown, tree, chosen, onChoose, open, onOpen, canMove, onMove }: NodeTreeProps) {
  const byId = new Map(flat(tree).map((node) => [node.lsId, node]))
  const nodeAt = (key: unknown) => byId.get(String(key))
  const drop: TreeProps['onDrop'] = ({ dragNode, node: target, dropToGap, dropPosition }) => {
    const [node, onto] = [nodeAt(dragNode.key), nodeAt(target.key)]
    if (!node || !onto) return
    const side = dropToGap ? (dropPosition - Number(target.pos.split('-').at(-1)) < 0 ? -1 : 1) : 0
    onMove(node, dropPlace(tree, node, onto, side))
  }
  const press = (event: KeyboardEvent) => {
    const node = find(tree, chosen)
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (!event.altKey || !by || !node || !canMove || !node.can.includes('move')) return
    event.preventDefault()
    event.stopPropagation()
    const place = stepOf(tree, node, by)
    if (place) onMove(node, place)
  }
  return (
    <div className="node-tree" onKeyDownCapture={press}>
      <Tree<TreeDataNode & { node: CurriculumNode }>
        blockNode
        aria-label="课程体系"
        treeData={shown.map(toData)}
        titleRender={({ node }) => <NodeTitle node={node} />}
        selectedKeys={chosen ? [chosen] : []}
        onSelect={(_, { node }) => onChoose(String(node.key))}
        expandedKeys={[...open]}
        onExpand={(keys) => onOpen(keys.map(String))}
        draggable={
          canMove
            ? { icon: <HolderOutlined />, nodeDraggable: ({ key }) => nodeAt(key)?.can.includes('move') ?? false }
            : false
        }
        allowDrop={({ dragNode, dropNode, dropPosition }) => {
          const [node, onto] = [nodeAt(dragNode.key), nodeAt(dropNode.key)]
          return (
            node !== undefined && onto !== undefined && mayStandIn(node, dropPosition === 0 ? onto : nodeAt(onto.lsPid))
          )
        }}
        onDrop={drop}
      />
    </div>
  )
}

const toData = (node: CurriculumNode): TreeDataNode & { node: CurriculumNode } => ({
  key: node.lsId,
  node,
  children: node.children.map(toData),
})

function NodeTitle({ node }: { node: CurriculumNode }) {
  const { lsName, lsCode, lsIcon, lsColor, depth, minHours, lessonCount, enable, required } = node
  const facts = [
    depth === 1 && required !== yesNo.yes && '选修',
    minHours !== '0' && `${minHours} 学时`,
    lessonCount > 0 && `${figure(lessonCount)} 门课程`,
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <span className="node-title">
      <NodeIcon icon={lsIcon} color={depth === 1 ? lsColor : ''} />
      <span className="node-name" title={lsName}>
        {lsName}
      </span>
      {lsCode && <small className="node-code">{lsCode}</small>}
      {enable !== enableStatus.enabled && <StatusChip tone="draft">停用</StatusChip>}
      <small className="node-facts figures">{facts}</small>
    </span>
  )
}
