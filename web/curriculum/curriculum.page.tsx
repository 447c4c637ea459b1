import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Input, Segmented, Table, type TableColumnType } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { curriculumApi, type CurriculumNode } from '../../contract/curriculum/curriculum.calls.ts'
import { actOn } from '../core/action.tsx'
import { ActButton } from '../core/buttons.tsx'
import { ColorDot } from '../core/color-field.tsx'
import { DictText } from '../core/dict.tsx'
import { EmptyState } from '../core/empty-state.tsx'
import { ExportButton } from '../core/export.tsx'
import { PageHead } from '../core/page-head.tsx'
import { RowActs } from '../core/row-acts.tsx'
import { IconAct } from '../core/row-editor.tsx'
import { DictChip, enableTones } from '../core/status-chip.tsx'
import { useCall, useSend } from '../core/use-call.ts'
import { useIsPhone } from '../core/use-width.ts'
import { useMay } from '../core/rights.ts'
import { CurriculumDialog } from './curriculum-dialog.tsx'
import './curriculum.css'

const act = actOn<CurriculumNode>()
const nameOf = ({ lsName }: CurriculumNode) => lsName
const remove = act({ label: '删除', call: curriculumApi.del, isDanger: true, fits: (row) => row.can.includes('delete'), confirm: '删除后不能恢复。', input: (rows) => ({ lsId: rows.map(({ lsId }) => lsId) }) })

const uses = [{ value: '', label: '全部' }, { value: '1', label: '用于课程' }, { value: '2', label: '用于补录' }]

/** The curriculum of a school: modules, what lies below them, their hours and who owns them. */
export function CurriculumPage() {
  const [query, setQuery] = useSearchParams()
  const [editing, setEditing] = useState<{ lsId?: string; lsPid?: string | undefined }>()
  const lsType = query.get('lsType') === '1' || query.get('lsType') === '2' ? (query.get('lsType') as '1' | '2') : undefined
  const word = query.get('lsName') ?? ''
  const { data: tree = [], isPending } = useCall(curriculumApi.all, { withCounts: '1', ...(lsType && { lsType }) }, { keep: true })
  const shown = useMemo(() => found(tree, word), [tree, word])
  const columns = useColumns(setEditing)
  const all = flat(tree)
  const set = (name: string, value: string) => setQuery((now) => (value ? now.set(name, value) : now.delete(name), now), { replace: true })
  return (
    <div className="page">
      <PageHead
        title="课程体系"
        facts={isPending ? '' : `${tree.length} 个模块，${all.length - tree.length} 个下级体系，毕业最低 ${sum(tree)} 学时`}
        tools={<><ExportButton to={curriculumApi.exportList} input={{ ...(lsType && { lsType }), ...(word && { lsName: word }) }} /><ActButton to={curriculumApi.add} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>新增模块</ActButton></>}
      />
      <div className="card">
        <div className="tree-bar">
          <Segmented options={uses} value={lsType ?? ''} onChange={(value) => set('lsType', value)} aria-label="适用范围" />
          <Input.Search className="tree-search" allowClear defaultValue={word} placeholder="按名称或编码查找" aria-label="按名称或编码查找" onSearch={(text) => set('lsName', text.trim())} />
        </div>
        <Table<CurriculumNode>
          key={word}
          size="small"
          rowKey="lsId"
          className="tree-table"
          columns={columns}
          dataSource={shown}
          loading={isPending}
          pagination={false}
          scroll={{ x: 'max-content' }}
          expandable={{ defaultExpandAllRows: word !== '', indentSize: 20 }}
          locale={{ emptyText: <EmptyState text={word ? '没有符合条件的体系' : '暂无课程体系'} hint={word ? undefined : '课程体系是课程、评价规则与成绩单的分类。'} /> }}
        />
      </div>
      {editing && <CurriculumDialog {...editing} tree={tree} onClose={() => setEditing(undefined)} />}
    </div>
  )
}

function useColumns(open: (what: { lsId?: string; lsPid?: string }) => void): TableColumnType<CurriculumNode>[] {
  const isPhone = useIsPhone()
  const sorting = useSend(curriculumApi.sort)
  const may = useMay()
  const acts = [
    act.open({ label: '编辑', call: curriculumApi.edit, fits: (row) => row.can.includes('edit'), onOpen: ([row]) => open({ lsId: row!.lsId }) }),
    act.open({ label: '新增下级', call: curriculumApi.add, fits: (row) => row.can.includes('add'), onOpen: ([row]) => open({ lsPid: row!.lsId }) }),
    remove,
  ]
  const name: TableColumnType<CurriculumNode> = {
    title: '体系名称', dataIndex: 'lsName', key: 'name', width: isPhone ? 200 : 260, fixed: 'start',
    render: (_, row) => <span className="tree-name"><ColorDot color={row.lsColor} />{row.lsName}<small>{isPhone ? row.lessonCount > 0 && `${row.lessonCount} 门` : row.lsCode}</small></span>,
  }
  const actColumn: TableColumnType<CurriculumNode> = { title: '操作', key: 'acts', width: isPhone ? 140 : 176, fixed: 'end', render: (_, row) => <RowActs row={row} acts={acts} nameOf={nameOf} open={isPhone ? 1 : 2} /> }
  const order: TableColumnType<CurriculumNode> = {
    title: '顺序', key: 'order', width: 76,
    render: (_, row) => row.can.includes('sort') && (
      <span className="tree-order">
        <IconAct label={`上移${row.lsName}`} icon={<ArrowUpOutlined />} disabled={sorting.isSending} onClick={() => void sorting.send({ lsId: row.lsId, to: 'up' })} />
        <IconAct label={`下移${row.lsName}`} icon={<ArrowDownOutlined />} disabled={sorting.isSending} onClick={() => void sorting.send({ lsId: row.lsId, to: 'down' })} />
      </span>
    ),
  }
  if (isPhone) return [name, actColumn]
  return [
    name,
    { title: '适用范围', dataIndex: 'lsType', width: 104, render: (value: string) => <DictText type="curriculum_type" value={value} /> },
    { title: '修读', dataIndex: 'required', width: 60, render: (value: string) => (value === '1' ? '必修' : '选修') },
    { title: '学时要求', key: 'hours', width: 132, className: 'figures', ellipsis: true, render: (_, row) => hoursText(row) || dash(null) },
    { title: '负责角色', dataIndex: 'ownerRoleName', width: 104, ellipsis: true, render: dash },
    { title: '课程', dataIndex: 'lessonCount', width: 60, align: 'right', className: 'figures' },
    { title: '状态', dataIndex: 'enable', width: 84, render: (value: string) => <DictChip type="enable_status" value={value} tones={enableTones} /> },
    ...(may(curriculumApi.sort) ? [order] : []),
    ...(may(curriculumApi.edit) || may(curriculumApi.del) ? [actColumn] : []),
  ]
}

const dash = (value: string | null) => value || <span className="nothing">—</span>

/** Least hours until graduation and the limits, in words. */
const hoursText = ({ minHours, maxHours, termCap }: CurriculumNode) =>
  [minHours !== '0' && `最低 ${minHours}`, maxHours && `累计至多 ${maxHours}`, termCap && `每学期至多 ${termCap}`].filter(Boolean).join('，')

const flat = (nodes: readonly CurriculumNode[]): CurriculumNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])
const sum = (modules: readonly CurriculumNode[]) => modules.reduce((total, { minHours }) => total + Number(minHours), 0)

/** The nodes with a word in name or code, with their parents; leaves carry no empty list, so that nothing unfolds there. */
function found(nodes: readonly CurriculumNode[], word: string): CurriculumNode[] {
  return nodes.flatMap((node) => {
    const isHit = `${node.lsName}${node.lsCode}`.toLowerCase().includes(word.toLowerCase())
    const children = found(node.children, isHit ? '' : word)
    if (!isHit && children.length === 0) return []
    return [{ ...node, children: children.length > 0 ? children : (undefined as never) }]
  })
}
