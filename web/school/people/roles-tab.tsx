import { dataScope as dataScopeCodes } from '../../../contract/core/codes/school.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { MemberRow } from '../../../contract/school/roles/roles.schema.ts'
import type { Column } from '../../core/list/columns.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { ListTable } from '../../core/list/list-table.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useList } from '../../core/list/use-list.ts'

const columns: Column<MemberRow>[] = [
  { title: '角色', dataIndex: 'srName', fixed: 'left', width: 140 },
  { title: '数据范围', dataIndex: 'dataScope', width: 92, dict: 'data_scope' },
  {
    title: '管理范围',
    dataIndex: 'area',
    render: ({ names }: MemberRow['area'], { dataScope }) => (
      <AreaWords names={names.map(({ name }) => name)} isWhole={dataScope === dataScopeCodes.school} />
    ),
  },
  { title: '授予时间', dataIndex: 'grantTime', width: 152, render: (value: string) => value.slice(0, 16) },
]

function AreaWords({ names, isWhole }: { names: string[]; isWhole: boolean }) {
  const words = names.join('、') || (isWhole ? '全校' : '')
  return words ? <span title={words}>{words}</span> : <span className="nothing">—</span>
}

/** A person's roles with the part of the school each covers; only their names for those who may not look into roles. */
export function RolesTab({ suId, roles }: { suId: string; roles: readonly { srId: string; srName: string }[] }) {
  const maySee = usePermission()(memberApi.list)
  const list = useList(memberApi.list, { fixed: { suId }, under: 'roles', enabled: maySee })
  if (maySee)
    return (
      <ListTable
        list={list}
        rowKey="srId"
        name="roles"
        columns={columns}
        empty={{ text: '没有角色', hint: '在“成员管理”中为其授予角色后，可登录管理端办理对应事务。' }}
      />
    )
  if (roles.length === 0) return <EmptyState text="没有角色" />
  return (
    <ul className="role-names">
      {roles.map(({ srId, srName }) => (
        <li key={srId}>{srName}</li>
      ))}
    </ul>
  )
}
