import { figure } from '../../core/service/figure.ts'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { useState } from 'react'
import { Link } from 'react-router'
import { roleType } from '../../../contract/core/codes/school.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { RoleRow } from '../../../contract/school/roles/roles.schema.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import type { Column } from '../../core/list/columns.tsx'
import { ExportButton } from '../../core/action/export.tsx'
import { DictionaryFilter, TextFilter } from '../../core/list/filters.tsx'
import { ListPage } from '../../core/list/list-page.tsx'
import { enableTones, StatusChip } from '../../core/parts/status-chip.tsx'
import { useList } from '../../core/list/use-list.ts'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { RoleRemoveDialog } from './role-remove-dialog.tsx'

const action = actionOn<RoleRow>()
const edit = action.link({
  label: '编辑',
  call: roleApi.save,
  fits: ({ can }) => can.includes('edit'),
  href: ({ srId }) => rolePaths.edit(srId),
})
const copy = action.link({
  label: '复制',
  call: roleApi.save,
  fits: ({ can }) => can.includes('copy'),
  href: ({ srId }) => rolePaths.copy(srId),
})
const members = action.link({ label: '成员', call: memberApi.list, href: ({ srId }) => rolePaths.members(srId) })

const columns: Column<RoleRow>[] = [
  {
    title: '角色名称',
    dataIndex: 'srName',
    fixed: 'left',
    width: 160,
    sorter: true,
    to: ({ srId }) => rolePaths.edit(srId),
  },
  { title: '角色编码', dataIndex: 'srCode', width: 160, hiddenAtFirst: true },
  {
    title: '类型',
    dataIndex: 'srType',
    width: 90,
    render: (value: string) => (
      <StatusChip tone={value === roleType.builtIn ? 'published' : 'draft'}>
        {value === roleType.builtIn ? '内置' : '自定义'}
      </StatusChip>
    ),
  },
  { title: '数据范围', dataIndex: 'dataScope', width: 96, dict: 'data_scope' },
  { title: '权限', dataIndex: 'permitCount', width: 76, number: true },
  {
    title: '成员',
    dataIndex: 'userCount',
    width: 84,
    number: true,
    render: (count: number, { srId, srName }) => (
      <Link to={rolePaths.members(srId)} aria-label={`${srName}的成员，${figure(count)} 人`}>
        {figure(count)}
      </Link>
    ),
  },
  { title: '说明', dataIndex: 'srDesc' },
  { title: '状态', dataIndex: 'enable', width: 90, dict: 'enable_status', tones: enableTones },
  { title: '更新时间', dataIndex: 'updateTime', width: 168, hiddenAtFirst: true },
]

/** The roles of the school, built-in ones and its own. */
export function RoleListPage() {
  const list = useList(roleApi.list)
  const [removing, setRemoving] = useState<readonly RoleRow[]>()
  const remove = action.open({
    label: '删除',
    call: roleApi.remove,
    isDanger: true,
    fits: ({ can }) => can.includes('delete'),
    onOpen: (rows) => setRemoving(rows.filter(({ can }) => can.includes('delete'))),
  })
  return (
    <>
      <ListPage
        title="角色管理"
        facts="内置角色不能修改权限，可复制为新角色后调整"
        list={list}
        rowKey="srId"
        columns={columns}
        filters={
          <>
            <TextFilter name="srName" label="角色名称" />
            <DictionaryFilter name="srType" type="role_type" label="类型" />
            <DictionaryFilter name="dataScope" type="data_scope" label="数据范围" />
            <DictionaryFilter name="enable" type="enable_status" label="状态" />
          </>
        }
        tools={
          <>
            <ExportButton to={roleApi.exportList} list={list} />
            <ActionButton to={roleApi.save} primary icon={<PlusOutlined />} href={rolePaths.add}>
              新增角色
            </ActionButton>
          </>
        }
        rowActions={[edit, members, copy, remove]}
        batchActions={[remove]}
      />
      {removing && <RoleRemoveDialog roles={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}
