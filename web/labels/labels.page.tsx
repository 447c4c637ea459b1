import AppstoreAddOutlined from '@ant-design/icons/AppstoreAddOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Input, Skeleton, Table, type TableColumnType } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Output } from '../../contract/core/call.ts'
import { labelApi } from '../../contract/labels/labels.calls.ts'
import { actOn } from '../core/action.tsx'
import { ActButton } from '../core/buttons.tsx'
import { ColorDot } from '../core/color-field.tsx'
import { EmptyState } from '../core/empty-state.tsx'
import { ExportButton } from '../core/export.tsx'
import { PageHead } from '../core/page-head.tsx'
import { useMay } from '../core/rights.ts'
import { RowActs } from '../core/row-acts.tsx'
import { DictChip, enableTones } from '../core/status-chip.tsx'
import { useCall } from '../core/use-call.ts'
import { useIsPhone } from '../core/use-width.ts'
import { LabelDialog } from './label-dialog.tsx'
import { PlatformDialog } from './platform-dialog.tsx'
import './labels.css'

export type LabelGroup = Output<typeof labelApi.all>[number]
type Row = Omit<LabelGroup, 'children'> & { children?: Row[] }

const act = actOn<Row>()
const nameOf = ({ sqlName }: Row) => sqlName
const remove = act({ label: '删除', call: labelApi.del, isDanger: true, fits: (row) => row.can.includes('delete'), confirm: '删除后不能恢复。', input: (rows) => ({ sqlId: rows.map(({ sqlId }) => sqlId) }) })

/** The quality labels of a school: groups, and the abilities that courses give points for. */
export function LabelsPage() {
  const [query, setQuery] = useSearchParams()
  const [editing, setEditing] = useState<{ label?: Row; sqlPid?: string }>()
  const [isAdopting, setAdopting] = useState(false)
  const word = query.get('sqlName') ?? ''
  const { data: groups = [], isPending } = useCall(labelApi.all, { ...(word && { sqlName: word }) }, { keep: true })
  const count = groups.reduce((sum, { children }) => sum + children.length, 0)
  const isPhone = useIsPhone()
  const may = useMay()
  const acts = [
    act.open({ label: '编辑', call: labelApi.edit, fits: (row) => row.can.includes('edit'), onOpen: ([row]) => setEditing({ label: row! }) }),
    act.open({ label: '新增标签', call: labelApi.edit, fits: (row) => row.sqlPid === null, onOpen: ([row]) => setEditing({ sqlPid: row!.sqlId }) }),
    remove,
  ]
  const columns: TableColumnType<Row>[] = [
    { title: '标签', dataIndex: 'sqlName', width: isPhone ? 160 : 220, fixed: 'start', render: (name: string, row) => <span className={row.sqlPid === null ? 'label-group' : ''}><ColorDot color={row.sqlColor} />{name}</span> },
    ...(isPhone
      ? []
      : [
          { title: '说明', dataIndex: 'sqlDesc', ellipsis: true, render: (value: string) => value || <span className="nothing">—</span> },
          { title: '来源', dataIndex: 'platformId', width: 100, render: (value: string | null) => (value ? '平台标签' : '本校') },
          { title: '满分', dataIndex: 'fullScore', width: 80, align: 'right' as const, className: 'figures' },
          { title: '评价规则采用', dataIndex: 'usedCount', width: 120, align: 'right' as const, className: 'figures', render: (value: number, row: Row) => (row.sqlPid === null ? '' : value) },
          { title: '状态', dataIndex: 'enable', width: 96, render: (value: string) => <DictChip type="enable_status" value={value} tones={enableTones} /> },
        ]),
    ...(may(labelApi.edit) ? [{ title: '操作', key: 'acts', width: isPhone ? 150 : 200, fixed: 'end' as const, render: (_: unknown, row: Row) => <RowActs row={row} acts={acts} nameOf={nameOf} open={isPhone ? 1 : 2} /> }] : []),
  ]
  return (
    <div className="page">
      <PageHead
        title="素质标签"
        facts={isPending ? '' : `${groups.length} 个分组，${count} 个标签；评价规则按标签给出能力分`}
        tools={
          <>
            <ExportButton to={labelApi.exportList} input={word ? { sqlName: word } : {}} />
            <ActButton to={labelApi.adopt} icon={<AppstoreAddOutlined />} onClick={() => setAdopting(true)}>从平台标签库采用</ActButton>
            <ActButton to={labelApi.edit} primary icon={<PlusOutlined />} onClick={() => setEditing({})}>新增标签</ActButton>
          </>
        }
      />
      <div className="card">
        <div className="label-bar">
          <Input.Search allowClear defaultValue={word} placeholder="按名称查找" aria-label="按名称查找" onSearch={(text) => setQuery((now) => (text.trim() ? now.set('sqlName', text.trim()) : now.delete('sqlName'), now), { replace: true })} />
        </div>
        {isPending && <Skeleton active className="label-wait" paragraph={{ rows: 8 }} />}
        {!isPending && groups.length === 0 && <EmptyState text={word ? '没有符合条件的标签' : '暂无素质标签'} hint={word ? undefined : '从平台标签库采用一组，或新增本校自己的标签。'} />}
        {groups.length > 0 && (
          <Table<Row>
            key={word}
            size="small"
            rowKey="sqlId"
            columns={columns}
            dataSource={groups.map((group): Row => (group.children.length > 0 ? group : { ...group, children: undefined }))}
            pagination={false}
            scroll={{ x: 'max-content' }}
            expandable={{ defaultExpandAllRows: true }}
          />
        )}
      </div>
      {editing && <LabelDialog {...editing} groups={groups} onClose={() => setEditing(undefined)} />}
      {isAdopting && <PlatformDialog onClose={() => setAdopting(false)} />}
    </div>
  )
}
