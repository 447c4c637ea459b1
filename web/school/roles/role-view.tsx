import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { roleType } from '../../../contract/core/codes/school.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DetailPage, Facts } from '../../core/action/detail-page.tsx'
import { DictionaryText } from '../../core/parts/dictionary-text.tsx'
import { DictionaryChip, enableTones } from '../../core/parts/status-chip.tsx'
import { RightsMatrix } from './rights-matrix.tsx'
import { RoleMembers } from './role-members.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { figure } from '../../core/service/figure.ts'
import '../../shared/people/roles.css'

type Role = Output<typeof roleApi.resources>

const members = actionOn<Role>().link({
  label: '查看成员',
  call: memberApi.list,
  href: ({ srId }) => rolePaths.members(srId),
})

/** A role for somebody who may look at roles and not change them. */
export function RoleView({ role }: { role: Role }) {
  return (
    <DetailPage<Role>
      record={role}
      isLoading={false}
      name={({ srName }) => srName}
      status={({ enable }) => <DictionaryChip type="enable_status" value={enable} tones={enableTones} />}
      facts={({ srType, permitCount, userCount }) =>
        `${srType === roleType.builtIn ? '内置角色' : '自定义角色'}，${figure(permitCount)} 项权限，${figure(userCount)} 名成员`
      }
      actions={[members]}
      tabs={({ srId, srCode, srDesc, dataScope, permits, userCount, createTime, updateTime }) => [
        { key: 'rights', title: '菜单与按钮权限', content: <RightsMatrix disabled value={permits} /> },
        { key: 'members', title: '成员', content: <RoleMembers srId={srId} userCount={userCount} /> },
        {
          key: 'facts',
          title: '基本信息',
          content: (
            <Facts
              items={[
                { label: '角色编码', value: srCode },
                { label: '数据范围', value: <DictionaryText type="data_scope" value={dataScope} /> },
                { label: '成员', value: <Link to={rolePaths.members(srId)}>{figure(userCount)} 人</Link> },
                { label: '说明', value: srDesc },
                { label: '创建时间', value: createTime.slice(0, 16) },
                { label: '更新时间', value: updateTime.slice(0, 16) },
              ]}
            />
          ),
        },
      ]}
    />
  )
}
