import { useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import type { UserAccess } from '../../../contract/school/roles/access.schema.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { maxFoundRoles, roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { DetailPage } from '../../core/action/detail-page.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { elsewhereNote } from '../../shared/people/person-field.tsx'
import { RemoteSelect } from '../../core/parts/remote-select.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { AccessMemberships } from './access-memberships.tsx'
import { AccessRights } from './access-rights.tsx'
import { AccessTest } from './access-test.tsx'
import { rolePaths } from '../../shared/people/role-paths.ts'
import './access.css'

const roles = actionOn<UserAccess>().link({
  label: '调整角色',
  call: memberApi.add,
  href: ({ person }) => `/personnelAdmin/memberAdmin?${new URLSearchParams({ search: person.suiNumber })}`,
})

/** What a person may see and do, and why; without a person in the address one is chosen first. */
export function AccessPage() {
  const [query] = useSearchParams()
  const suId = query.get('suId')
  return suId ? <Access suId={suId} /> : <Choice />
}

function Choice() {
  return (
    <div className="page">
      <PageHead title="权限说明" facts="查看一个人能看到什么、能做什么，以及来自哪个角色" />
      <div className="card">
        <EmptyState
          text="请选择要查看的人员"
          hint="按姓名或学工号查找；也可以从成员、学生或教师列表进入。"
          next={<OtherPerson placeholder="姓名或学工号" />}
        />
      </div>
    </div>
  )
}

/** Right by right, role by role, and tried on a record. */
function Access({ suId }: { suId: string }) {
  const { data, isPending, error, refetch } = useCall(accessApi.view, { suId }, { staleTime: 0 })
  const [tried, setTried] = useState<string>()
  return (
    <DetailPage<UserAccess>
      record={data}
      isLoading={isPending}
      reading={{ error, refetch }}
      noun="人员"
      list={rolePaths.anyAccess}
      name={({ person }) => `${person.suiName}的权限`}
      status={({ person }) =>
        person.suStatus !== accountStatus.active && (
          <StatusChip tone="refused">{`账号${labelOf('account_status', person.suStatus)}`}</StatusChip>
        )
      }
      facts={({ person, memberships, rights }) =>
        [
          person.suiNumber,
          person.className ?? person.collegeName,
          `${memberships.length} 个角色`,
          `${rights.length} 项权限`,
        ]
          .filter(Boolean)
          .join(' · ')
      }
      actions={[roles]}
      tools={<OtherPerson />}
      tabs={({ rights, memberships }) => [
        {
          key: 'rights',
          title: '权限一览',
          content: <AccessRights rights={rights} memberships={memberships} onTry={setTried} />,
        },
        {
          key: 'roles',
          title: `角色与管理范围（${memberships.length}）`,
          content: <AccessMemberships memberships={memberships} />,
        },
      ]}
      side={({ person }) => <AccessTest key={person.suId} person={person} permit={tried} onPermit={setTried} />}
    />
  )
}

/** Leads to the same screen of somebody else. */
function OtherPerson({ placeholder = '查看其他人员' }: { placeholder?: string }) {
  const navigate = useNavigate()
  const id = useId()
  return (
    <div className="access-other">
      <label className="visually-hidden" htmlFor={id}>
        查看其他人员
      </label>
      <RemoteSelect
        id={id}
        note={elsewhereNote}
        call={roleApi.search}
        maxFound={maxFoundRoles}
        input={(word) => (word ? { search: word } : {})}
        options={({ users }) =>
          users.map(({ suId, suiName, suiNumber, className, collegeName }) => ({
            value: suId,
            label: suiName,
            hint: [suiNumber, className ?? collegeName].filter(Boolean).join(' · '),
          }))
        }
        placeholder={placeholder}
        value={null}
        onChange={(suId) => typeof suId === 'string' && navigate(rolePaths.access(suId))}
      />
    </div>
  )
}
