import UserAddOutlined from '@ant-design/icons/UserAddOutlined'
import { useState } from 'react'
import { importApi } from '../../contract/imports/imports.calls.ts'
import { memberApi } from '../../contract/roles/members.calls.ts'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import type { MemberRow } from '../../contract/roles/roles.schema.ts'
import { actOn } from '../core/action.tsx'
import { ActButton } from '../core/buttons.tsx'
import type { Column } from '../core/columns.tsx'
import { ExportButton } from '../core/export.tsx'
import { SelectFilter, TextFilter } from '../core/filters.tsx'
import { ImportButton } from '../core/import-button.tsx'
import { ListPage } from '../core/list-page.tsx'
import { StatusChip } from '../core/status-chip.tsx'
import { useCall } from '../core/use-call.ts'
import { useList } from '../core/use-list.ts'
import { CollegeFilter } from '../organisation/places.part.tsx'
import { AddMembersDialog, AreaDialog } from './member-dialogs.tsx'
import './roles.css'

type Row = MemberRow & { key: string }
const act = actOn<Row>()
const remove = act({
  label: '移除', call: memberApi.remove, isDanger: true, unit: '名成员', fits: ({ can }) => can.includes('grant'),
  confirm: '移除后立即失去该角色的权限，其他角色不受影响。',
  input: (rows) => ({ srId: rows[0]!.srId, suIds: rows.map(({ suId }) => suId) }),
})

/** Who has which role, over what part of the school. */
export function MemberListPage() {
  const list = useList(memberApi.list)
  const { data: roles = [] } = useCall(roleApi.options, {}, { fresh: 300_000 })
  const [isAdding, setAdding] = useState(false)
  const [setting, setSetting] = useState<MemberRow>()
  const srId = list.state.filters['srId']
  const area = act.open({ label: '管理范围', call: memberApi.setArea, fits: ({ can, dataScope }) => can.includes('grant') && dataScope !== '9', onOpen: ([row]) => setSetting(row) })
  const columns: Column<Row>[] = [
    { title: '姓名', dataIndex: 'suiName', fixed: 'left', width: 110, sorter: true },
    { title: '学/工号', dataIndex: 'suiNumber', width: 130, sorter: true },
    { title: '角色', dataIndex: 'srName', width: 120 },
    { title: '管理范围', key: 'area', render: (_, row) => <AreaText row={row} /> },
    { title: '学院', dataIndex: 'collegeName', width: 190 },
    { title: '班级', dataIndex: 'className', width: 130, hiddenAtFirst: true },
    { title: '授予时间', dataIndex: 'grantTime', width: 168, sorter: true },
  ]
  const add = (primary: boolean) => <ActButton to={memberApi.add} primary={primary} icon={<UserAddOutlined />} onClick={() => setAdding(true)}>添加成员</ActButton>
  return (
    <>
      <ListPage<Row>
        title="成员管理"
        facts="一人可以有多个角色，各有各的管理范围"
        list={{ ...list, rows: list.rows.map((row) => ({ ...row, key: `${row.srId} ${row.suId}` })) }}
        rowKey="key"
        columns={columns}
        filters={<><SelectFilter name="srId" label="角色" options={roles.map((role) => ({ value: role.srId, label: role.srName }))} /><TextFilter name="search" label="成员" placeholder="姓名或学工号" /><CollegeFilter names={{ college: 'suiCollegeId' }} under="role:list" /></>}
        tools={
          <>
            <ExportButton to={memberApi.exportList} input={list.query} />
            <ImportButton to={memberApi.add} api={importApi} kind="roleUser" title="批量导入角色成员" hint="按角色与学工号识别：已是成员的更新管理范围。" />
            {add(true)}
          </>
        }
        rowActs={[area, remove]}
        batchActs={srId ? [remove] : []}
        nameOf={({ suiName, srName }) => `${suiName}（${srName}）`}
        empty={{ text: '暂无成员', next: add(false) }}
      />
      {isAdding && <AddMembersDialog roles={roles} srId={srId} onClose={() => setAdding(false)} />}
      {setting && <AreaDialog member={setting} onClose={() => setSetting(undefined)} />}
    </>
  )
}

/** The area in words; a member whose role needs one and who has none sees nothing, which is said. */
function AreaText({ row: { dataScope, area } }: { row: MemberRow }) {
  if (area.names.length > 0) {
    const text = area.names.map(({ name }) => name).join('、')
    return <span title={text}>{text}</span>
  }
  if (dataScope === '1') return <>全校</>
  return dataScope === '9' ? <>本人</> : <StatusChip tone="waiting">未设置</StatusChip>
}
