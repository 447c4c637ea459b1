import { figure } from '../../core/service/figure.ts'
import { Form, Select } from 'antd'
import { useMemo, useState } from 'react'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { MemberRow, RoleRow } from '../../../contract/school/roles/roles.schema.ts'
import { send } from '../../core/service/api.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { SelectField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { notify } from '../../core/service/notice.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { PersonField, type KnownPerson } from '../../shared/people/person-field.tsx'
import { AreaFields, useChosenRole } from './area-fields.tsx'

const minutes = 5 * 60_000
const endHelp = '不填表示长期有效；到期当天结束后自动失效'

/** Gives people a role with a control area and perhaps an end. Only roles the person may give are offered. */
export function AddMembersDialog({ srId, onClose }: { srId: string | undefined; onClose: () => void }) {
  const { data } = useCall(
    roleApi.list,
    { current: 1, pageSize: 200, enable: enableStatus.enabled },
    { staleTime: minutes },
  )
  const roles = useMemo(() => (data?.records ?? []).filter(({ can }) => can.includes('grant')), [data])
  const initial = useMemo(() => (srId && roles.some((role) => role.srId === srId) ? { srId } : {}), [srId, roles])
  return (
    <DialogForm
      call={memberApi.add}
      title="添加成员"
      width={640}
      isLoading={!data}
      initial={initial}
      doneText="添加成功"
      onClose={onClose}
    >
      <SelectField
        name="srId"
        label="角色"
        span={8}
        options={roles.map((role) => ({ value: role.srId, label: role.srName }))}
      />
      <DateField name="endDate" span={4} placeholder="长期有效" />
      <People roles={roles} />
      <ChosenArea roles={roles} />
    </DialogForm>
  )
}

/** People by name or number, or all those who have some role already. */
function People({ roles }: { roles: readonly RoleRow[] }) {
  const form = Form.useFormInstance()
  const setField = useSetField()
  const [known, setKnown] = useState<KnownPerson[]>([])
  const addMembersOf = async (srId: string) => {
    const { users } = await send(roleApi.search, { srId })
    const before = (form.getFieldValue('suIds') ?? []) as string[]
    setKnown((now) => [...now, ...users])
    setField('suIds', [...new Set([...before, ...users.map(({ suId }) => suId)])])
    notify(
      'info',
      users.length > 0
        ? `已加入 ${users.length} 人${users.length === 50 ? '（一次最多 50 人）' : ''}`
        : '该角色没有成员',
    )
  }
  return (
    <>
      <PersonField name="suIds" label="人员" multiple required span={8} known={known} />
      <Form.Item label="加入某角色的成员" className="span-4">
        <Select
          aria-label="加入某角色的成员"
          value={null}
          placeholder="选择角色"
          options={roles.map((role) => ({ value: role.srId, label: `${role.srName}（${figure(role.userCount)} 人）` }))}
          onChange={(srId: string | null) => srId && void addMembersOf(srId).catch(() => undefined)}
        />
      </Form.Item>
    </>
  )
}

function ChosenArea({ roles }: { roles: readonly RoleRow[] }) {
  const role = useChosenRole(roles)
  return role ? <AreaFields key={role.srId} srId={role.srId} dataScope={role.dataScope} /> : null
}

/** Sets the control area of one member. */
export function AreaDialog({ member, onClose }: { member: MemberRow; onClose: () => void }) {
  const { srId, suId, area, dataScope } = member
  const initial = useMemo(() => {
    const { names: _, ...targets } = area
    return { srId, suId, ...targets }
  }, [srId, suId, area])
  return (
    <DialogForm
      call={memberApi.setArea}
      title={`${member.suiName}（${member.srName}）的管理范围`}
      width={640}
      initial={initial}
      onClose={onClose}
    >
      <AreaFields srId={srId} dataScope={dataScope} />
    </DialogForm>
  )
}

/** The field of an action that sets the last day of memberships. */
export const EndField = () => <DateField name="endDate" placeholder="长期有效" help={endHelp} />
