import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { awardApi } from '../../contract/awards/awards.calls.ts'
import { actOn } from '../core/action.tsx'
import { ActButton } from '../core/buttons.tsx'
import type { Column } from '../core/columns.tsx'
import { ExportButton } from '../core/export.tsx'
import { DictFilter, TextFilter } from '../core/filters.tsx'
import { ListPage } from '../core/list-page.tsx'
import { useMay } from '../core/rights.ts'
import { DictChip, enableTones } from '../core/status-chip.tsx'
import { useList, type RowOf } from '../core/use-list.ts'
import { AwardDetails } from './award-details.tsx'
import { AwardDialog } from './award-dialog.tsx'
import './awards.css'

type Row = RowOf<typeof awardApi.list>
const act = actOn<Row>()
const remove = act({ label: '删除', call: awardApi.remove, isDanger: true, unit: '个奖励模板', fits: (row) => row.can.includes('delete'), confirm: '删除后不能恢复。', input: (rows) => ({ atIds: rows.map(({ atId }) => atId) }) })

/** Award templates: named sets of awards that courses choose from. */
export function AwardListPage() {
  const list = useList(awardApi.list)
  const may = useMay()
  const [editing, setEditing] = useState<{ atId?: string; copy?: boolean }>()
  const edit = act.open({ label: '编辑', call: awardApi.edit, fits: (row) => row.can.includes('edit'), onOpen: ([row]) => setEditing({ atId: row!.atId }) })
  const copy = act.open({ label: '复制', call: awardApi.add, onOpen: ([row]) => setEditing({ atId: row!.atId, copy: true }) })
  const columns: Column<Row>[] = [
    { title: '模板名称', dataIndex: 'atName', width: 180, fixed: 'left', render: (name: string, row) => (may(awardApi.edit) ? <button type="button" className="row-act" title={name} onClick={() => setEditing({ atId: row.atId })}>{name}</button> : name) },
    { title: '类型', dataIndex: 'atType', width: 96, dict: 'award_type' },
    { title: '奖项', dataIndex: 'awardNames' },
    { title: '采用课程', dataIndex: 'usedCount', width: 88, number: true },
    { title: '状态', dataIndex: 'enable', width: 84, render: (value: string) => <DictChip type="enable_status" value={value} tones={enableTones} /> },
    { title: '创建人', dataIndex: 'createName', width: 100, hiddenAtFirst: true },
    { title: '更新时间', dataIndex: 'updateTime', width: 168 },
  ]
  const add = (primary: boolean) => <ActButton to={awardApi.add} primary={primary} icon={<PlusOutlined />} onClick={() => setEditing({})}>新增奖励模板</ActButton>
  return (
    <>
      <ListPage
        title="奖励模板"
        list={list}
        rowKey="atId"
        columns={columns}
        filters={<><TextFilter name="atName" label="模板名称" /><DictFilter name="atType" type="award_type" label="类型" /><DictFilter name="enable" type="enable_status" label="状态" /></>}
        tools={<><ExportButton to={awardApi.exportList} input={list.query} />{add(true)}</>}
        expand={({ atId }) => <AwardDetails atId={atId} />}
        rowActs={[edit, copy, remove]}
        batchActs={[remove]}
        empty={{ text: '暂无奖励模板', hint: '课程从模板中选择可颁发的奖项及其学时、学分与积分。', next: add(false) }}
      />
      {editing && <AwardDialog {...editing} onClose={() => setEditing(undefined)} />}
    </>
  )
}
