import { Link } from 'react-router'
import type { MembershipRow } from '../../../contract/school/roles/access.schema.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import { figure } from '../../core/service/figure.ts'

const states: Record<MembershipRow['state'], readonly [ChipTone, string]> = {
  active: ['finished', '有效'],
  empty: ['waiting', '未设置范围'],
  disabled: ['draft', '角色已停用'],
  ended: ['refused', '已到期'],
}

/** The roles of a person: over what part of the school, who gave them and until when. */
export function AccessMemberships({ memberships }: { memberships: readonly MembershipRow[] }) {
  if (memberships.length === 0) return <EmptyState text="没有任何角色" hint="没有角色的人员登录后只能查看个人中心。" />
  return (
    <ul className="access-roles">
      {memberships.map(({ srId, srName, state, permitCount, areaText, grantName, grantTime, endDate }) => (
        <li key={srId}>
          <div className="access-role-head">
            <Link to={rolePaths.edit(srId)}>{srName}</Link>
            <StatusChip tone={states[state][0]}>{states[state][1]}</StatusChip>
            <small>{figure(permitCount)} 项权限</small>
          </div>
          <dl>
            <div>
              <dt>管理范围</dt>
              <dd>{areaText || '未设置，看不到任何数据'}</dd>
            </div>
            <div>
              <dt>有效期</dt>
              <dd>{endDate ? `至 ${endDate}` : '长期'}</dd>
            </div>
            <div>
              <dt>授予</dt>
              <dd>
                {grantName ?? '系统'}，{grantTime.slice(0, 16)}
              </dd>
            </div>
          </dl>
        </li>
      ))}
    </ul>
  )
}
