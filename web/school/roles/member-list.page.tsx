import UserAddOutlined from '@ant-design/icons/UserAddOutlined'
import dayjs from 'dayjs'
import { useState } from 'react'
import { Link } from 'react-router'
import { quoted } from '../../../contract/core/quotes.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { areaText } from '../../../contract/school/roles/area-text.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { MemberRow } from '../../../contract/school/roles/roles.schema.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { SelectFilter, TextFilter } from '../../core/list/filters.tsx'
import { ImportButton } from '../../core/import/import-button.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useList } from '../../core/list/use-list.ts'
import { usePermission } from '../../core/service/rights.ts'
import { CollegeFilter } from '../../shared/organisation/places.tsx'
import { AddMembersDialog, AreaDialog, EndField } from './member-dialogs.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import '../../shared/people/roles.css'

type Row = MemberRow & { key: string }
const action = actionOn<Row>()
const mayGrant = ({ can }: Row) => can.includes('grant')
const access = action.link({ label: '权限说明', call: accessApi.view, href: ({ suId }) => rolePaths.access(suId) })
const setEnd = action({
  label: '设有效期',
  call: memberApi.setEnd,
  unit: '名成员',
  fits: mayGrant,
  ask: <EndField />,
  question: (rows) =>
    rows.length === 1
      ? `设置${quoted(rows[0]!.suiName)}担任${rows[0]!.srName}的有效期`
      : `设置所选 ${rows.length} 名成员的有效期`,
  confirm: (rows) => (rows.length === 1 ? `，现为${rows[0]!.endDate ? `至 ${rows[0]!.endDate}` : '长期有效'}。` : ''),
  input: (rows, { endDate }) => ({
    srId: rows[0]!.srId,
    suIds: rows.map(({ suId }) => suId),
    ...(endDate ? { endDate: endDate as string } : {}),
  }),
  doneText: () => '有效期已设置',
})
const remove = action({
  label: '移除',
  call: memberApi.remove,
  isDanger: true,
  unit: '名成员',
  fits: mayGrant,
  confirm: '移除后立即失去该角色的权限，其他角色不受影响。',
  input: (rows) => ({ srId: rows[0]!.srId, suIds: rows.map(({ suId }) => suId) }),
})

/** Who has which role, over what part of the school, since when and until when. */
export function MemberListPage() {
  const list = useList(memberApi.list)
  const { data: roles = [] } = useCall(roleApi.options, {}, { staleTime: 300_000 })
  const [isAdding, setAdding] = useState(false)
  const [setting, setSetting] = useState<MemberRow>()
  const srId = list.state.filters['srId']
  const mayChange = usePermission()(memberApi.remove)
  const area = action.open({
    label: '管理范围',
    call: memberApi.setArea,
    fits: (row) => mayGrant(row) && row.dataScope !== dataScope.self,
    onOpen: ([row]) => setSetting(row),
  })
  const columns: Column<Row>[] = [
    {
      title: '姓名',
      dataIndex: 'suiName',
      fixed: 'left',
      width: 104,
      sorter: true,
      render: (name: string, { suId }) => (
        <Link to={rolePaths.access(suId)} title={`${name}的权限说明`}>
          {name}
        </Link>
      ),
    },
    { title: '学工号', dataIndex: 'suiNumber', width: 120, sorter: true },
    { title: '角色', dataIndex: 'srName', width: 112 },
    { title: '管理范围', key: 'area', render: (_, row) => <AreaText row={row} /> },
    { title: '学院', dataIndex: 'collegeName', width: 170 },
    { title: '班级', dataIndex: 'className', width: 130, hiddenAtFirst: true },
    {
      title: '有效期至',
      dataIndex: 'endDate',
      width: 128,
      sorter: true,
      render: (value: string | null) => <EndText endDate={value} />,
    },
    { title: '授予人', dataIndex: 'grantName', width: 92, render: (name: string | null) => name ?? '系统' },
    {
      title: '授予时间',
      dataIndex: 'grantTime',
      width: 152,
      sorter: true,
      render: (time: string) => time.slice(0, 16),
    },
  ]
  const add = (primary: boolean) => (
    <ActionButton to={memberApi.add} primary={primary} icon={<UserAddOutlined />} onClick={() => setAdding(true)}>
      添加成员
    </ActionButton>
  )
  return (
    <>
      <ListPage<Row>
        title="成员管理"
        facts={`一人可以有多个角色，各有各的管理范围${mayChange && !srId ? '；先选择角色，再勾选多名成员一起移除或设有效期' : ''}`}
        list={{ ...list, rows: list.rows.map((row) => ({ ...row, key: `${row.srId} ${row.suId}` })) }}
        rowKey="key"
        columns={columns}
        filters={
          <>
            <SelectFilter
              name="srId"
              label="角色"
              options={roles.map((role) => ({ value: role.srId, label: role.srName }))}
            />
            <TextFilter name="search" label="成员" placeholder="姓名或学工号" />
            <CollegeFilter names={{ college: 'suiCollegeId' }} under="role:list" />
          </>
        }
        tools={
          <>
            <ExportButton to={memberApi.exportList} list={list} />
            <ImportButton
              to={memberApi.add}
              api={importApi}
              kind="roleUser"
              title="批量导入角色成员"
              hint="按角色与学工号识别：已是成员的更新管理范围。"
            />
            <ActionButton to={accessApi.view} href={rolePaths.anyAccess}>
              查询个人权限
            </ActionButton>
            {add(true)}
          </>
        }
        rowActions={[area, access, setEnd, remove]}
        batchActions={srId ? [setEnd, remove] : []}
        nameOf={({ suiName, srName }) => `${suiName}（${srName}）`}
        empty={{ text: '暂无成员', next: add(false) }}
      />
      {isAdding && <AddMembersDialog srId={srId} onClose={() => setAdding(false)} />}
      {setting && <AreaDialog member={setting} onClose={() => setSetting(undefined)} />}
    </>
  )
}

/** The area in words; a member whose role needs one and who has none sees nothing, which is said. */
function AreaText({ row: { dataScope, area } }: { row: MemberRow }) {
  const text = areaText(dataScope, area.names)
  return text ? <span title={text}>{text}</span> : <StatusChip tone="waiting">未设置</StatusChip>
}

/** The last day of a membership; soon over or over is said in words. */
function EndText({ endDate }: { endDate: string | null }) {
  if (!endDate) return <span className="nothing">长期</span>
  const days = dayjs(endDate).diff(dayjs().startOf('day'), 'day')
  if (days < 0) return <StatusChip tone="refused">已到期</StatusChip>
  return days <= 7 ? <StatusChip tone="waiting">{endDate}</StatusChip> : <>{endDate}</>
}
