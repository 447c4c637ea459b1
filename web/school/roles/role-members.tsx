import { figure } from '../../core/service/figure.ts'
import { Link } from 'react-router'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { areaText } from '../../../contract/school/roles/area-text.ts'
import { useCall } from '../../core/service/use-call.ts'
import { rolePaths } from '../../shared/people/role-paths.ts'

const shown = 8

/** The first members of a role, each leading to what they may see and do. */
export function RoleMembers({ srId, userCount }: { srId: string; userCount: number }) {
  const { data } = useCall(memberApi.list, { srId, current: 1, pageSize: shown }, { enabled: userCount > 0 })
  if (userCount === 0)
    return (
      <p className="role-members-none">
        还没有成员，<Link to={rolePaths.members(srId)}>去添加</Link>
      </p>
    )
  return (
    <>
      <ul className="role-members">
        {data?.records.map(({ suId, suiName, suiNumber, dataScope, area }) => (
          <li key={suId}>
            <Link to={rolePaths.access(suId)}>{suiName}</Link>
            <small title={areaText(dataScope, area.names)}>
              {[suiNumber, areaText(dataScope, area.names) || '未设置范围'].join(' · ')}
            </small>
          </li>
        ))}
      </ul>
      <Link to={rolePaths.members(srId)}>
        {data && data.total > shown ? `查看全部 ${figure(data.total)} 名成员` : '管理成员'}
      </Link>
    </>
  )
}
