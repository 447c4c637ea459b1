import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Tree, TreeSelect } from 'antd'
import { useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { DepartmentNode, DepartmentRow } from '../../../contract/school/organisation/organisation.schema.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { formerClass } from '../../core/parts/former.ts'
import { notify } from '../../core/service/notice.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { SearchBox } from '../../core/parts/search-box.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useIsPhone } from '../../core/parts/use-width.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { departmentChoices } from '../../shared/organisation/department-choices.ts'
import { figure } from '../../core/service/figure.ts'
import { DepartmentDialog } from './department-dialog.tsx'
import { flat, found, spotAt, spotOf, type Spot } from './department-tree.ts'
import { DepartmentView } from './department-view.tsx'
import { RelationsDialog } from './relations-dialog.tsx'
import './departments.css'

const none: DepartmentNode[] = []

/** The departments as a tree at the left, the chosen one with its members at the right. */
export function DepartmentsPage() {
  const [query, setQuery] = useSearchParams()
  const isPhone = useIsPhone()
  const [editing, setEditing] = useState<Partial<DepartmentRow>>()
  const { data: read } = useCall(departmentApi.tree, {}, { keepPrevious: true })
  const tree = read ?? none
  const all = useMemo(() => flat(tree), [tree])
  const [gone, setGone] = useState<DepartmentNode>()
  const asked = query.get('sdId')
  // the address follows a removal too late to keep the page from asking for what is gone once more
  const chosen =
    all.find(({ sdId }) => sdId === (asked === gone?.sdId ? gone?.sdPid : asked)) ??
    all.find(({ sdId }) => sdId !== gone?.sdId)
  // another department's members are another list: its page and search begin anew
  const choose = (sdId: string | null) => setQuery(new URLSearchParams(sdId ? { sdId } : {}), { replace: true })
  const leave = (node: DepartmentNode) => (setGone(node), choose(node.sdPid))
  return (
    <div className="page">
      <PageHead
        title="组织架构"
        facts={read === undefined ? '' : `共 ${figure(all.length)} 个部门`}
        tools={
          <>
            <ExportButton to={departmentApi.exportList} />
            <ImportButton
              to={departmentApi.addUsers}
              api={importApi}
              kind="departmentUser"
              title="批量导入部门成员"
              hint="按部门与工号识别：已在部门中的更新职务。"
            >
              导入成员
            </ImportButton>
            <ImportButton
              to={departmentApi.save}
              api={importApi}
              kind="department"
              title="批量导入部门"
              hint="按部门编码识别；上级部门可以是同一文件中的部门。"
            >
              导入部门
            </ImportButton>
            <ActionButton to={departmentApi.save} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>
              新增部门
            </ActionButton>
          </>
        }
      />
      <div className="department-columns">
        <div className="card department-tree">
          {read === undefined ? (
            <ReadSkeleton paragraph={{ rows: 6 }} />
          ) : isPhone ? (
            <DepartmentChoice tree={tree} chosen={chosen?.sdId} onChoose={choose} />
          ) : (
            <DepartmentTree tree={tree} chosen={chosen?.sdId} onChoose={choose} />
          )}
        </div>
        {chosen ? (
          <DepartmentView
            key={chosen.sdId}
            sdId={chosen.sdId}
            tree={tree}
            onEdit={setEditing}
            onRemoved={() => leave(chosen)}
          />
        ) : (
          read && (
            <div className="card">
              <EmptyState
                text="暂无部门"
                hint="部门可以主办课程、参与审批，也可以作为业务指导单位。"
                next={
                  <ActionButton to={departmentApi.save} onClick={() => setEditing({})}>
                    新增部门
                  </ActionButton>
                }
              />
            </div>
          )
        )}
      </div>
      {editing && <DepartmentDialog row={editing} tree={tree} onClose={() => setEditing(undefined)} onSaved={choose} />}
    </div>
  )
}

interface ChoiceProps {
  tree: readonly DepartmentNode[]
  chosen: string | undefined
  onChoose: (sdId: string) => void
}

/** On a phone the tree would push everything else out of sight. */
function DepartmentChoice({ tree, chosen, onChoose }: ChoiceProps) {
  return (
    <TreeSelect
      className="wide"
      aria-label="部门"
      treeData={departmentChoices(tree)}
      fieldNames={{ label: 'label', value: 'value', children: 'children' }}
      value={chosen}
      showSearch={{ treeNodeFilterProp: 'label' }}
      onChange={onChoose}
    />
  )
}

function DepartmentTree({ tree, chosen, onChoose }: ChoiceProps) {
  const [word, setWord] = useState('')
  const shown = useMemo(() => found(tree, word.trim().toLowerCase()), [tree, word])
  const nodes = useMemo(() => shown.map(asNode), [shown])
  const may = usePermission()(departmentApi.move)
  const move = useMove(tree)
  return (
    <>
      <SearchBox
        placeholder="部门、编码或成员姓名"
        aria-label="按部门名称、编码或成员姓名查找"
        onChange={(event) => setWord(event.target.value)}
      />
      {nodes.length === 0 ? (
        <EmptyState text={word ? '没有符合条件的部门' : '暂无部门'} />
      ) : (
        <Tree
          key={word ? 'found' : 'all'}
          blockNode
          treeData={nodes}
          selectedKeys={chosen ? [chosen] : []}
          defaultExpandAll
          draggable={may && word === '' ? { icon: false } : false}
          onSelect={(_, { node }) => onChoose(String(node.key))}
          onDrop={({ dragNode, node, dropToGap, dropPosition }) =>
            move(
              String(dragNode.key),
              String(node.key),
              dropToGap ? (dropPosition < Number(node.pos.split('-').at(-1)) ? 'before' : 'after') : 'on',
            )
          }
        />
      )}
      <FoundMembers word={useDeferredValue(word.trim())} />
    </>
  )
}

/** Members whose name or number was typed: where each of them belongs. */
function FoundMembers({ word }: { word: string }) {
  const { data, isPlaceholderData: isFormer } = useCall(
    departmentApi.childrenAndUsers,
    { search: word },
    { enabled: word !== '', keepPrevious: true, staleTime: 30_000 },
  )
  const may = usePermission()(departmentApi.setRelations)
  const [shown, setShown] = useState<string>()
  const users = word === '' ? [] : (data?.users ?? []).slice(0, 8)
  return (
    <>
      {users.length > 0 && (
        <section className="found-members" aria-label="符合条件的成员" aria-busy={isFormer}>
          <h3>成员</h3>
          <ul className={formerClass(isFormer)}>
            {users.map(({ suId, suiName, suiNumber, collegeName }) => (
              <li key={suId}>
                {may ? (
                  <button type="button" className="row-act" onClick={() => setShown(suId)}>
                    {suiName}
                  </button>
                ) : (
                  <span>{suiName}</span>
                )}
                <small>{[suiNumber, collegeName].filter(Boolean).join(' · ')}</small>
              </li>
            ))}
          </ul>
        </section>
      )}
      {shown && <RelationsDialog suId={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Moves a department that was dragged, and offers to take that back: a slip of the hand is easily made. */
function useMove(tree: readonly DepartmentNode[]) {
  const { send } = useSend(departmentApi.move)
  return (sdId: string, targetId: string, side: 'on' | 'before' | 'after') => {
    const all = flat(tree)
    const [node, target] = [all.find((one) => one.sdId === sdId), all.find((one) => one.sdId === targetId)]
    if (!node || !target) return
    const [before, spot] = [spotOf(tree, node), spotAt(tree, sdId, target, side)]
    if (before.sdPid === spot.sdPid && before.at === spot.at) return
    const input = ({ sdPid, at }: Spot, version: number) => ({ sdId, version, at, ...(sdPid && { sdPid }) })
    send(input(spot, node.version)).then(
      () =>
        notify('success', `已移动${quoted(node.sdName)}`, {
          label: '撤销',
          run: () => void send(input(before, node.version + 1)).catch(() => undefined),
        }),
      () => undefined,
    )
  }
}

interface Node {
  key: string
  title: React.ReactNode
  children: Node[]
}

const asNode = ({ sdId, sdName, userCount, children }: DepartmentNode): Node => ({
  key: sdId,
  title: (
    <span className="department-name">
      <span title={sdName}>{sdName}</span>
      <small>{userCount > 0 && figure(userCount)}</small>
    </span>
  ),
  children: children.map(asNode),
})
