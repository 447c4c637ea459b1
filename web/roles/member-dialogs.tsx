import { useMemo } from 'react'
import { memberApi } from '../../contract/roles/members.calls.ts'
import type { MemberRow } from '../../contract/roles/roles.schema.ts'
import { SelectField } from '../core/fields.tsx'
import { FormDialog } from '../core/form-dialog.tsx'
import { PersonField } from '../people/person-field.part.tsx'
import { AreaFields, useChosenScope } from './area-fields.tsx'

interface RoleOption {
  srId: string
  srName: string
  dataScope: string
}

/** Gives people a role with a control area. */
export function AddMembersDialog({ roles, srId, onClose }: { roles: readonly RoleOption[]; srId: string | undefined; onClose: () => void }) {
  const initial = useMemo(() => (srId ? { srId } : {}), [srId])
  return (
    <FormDialog call={memberApi.add} title="添加成员" width={600} initial={initial} doneText="添加成功" onClose={onClose}>
      <SelectField name="srId" options={roles.map((role) => ({ value: role.srId, label: role.srName }))} />
      <PersonField name="suIds" label="人员" multiple required />
      <ChosenArea roles={roles} />
    </FormDialog>
  )
}

function ChosenArea({ roles }: { roles: readonly RoleOption[] }) {
  const dataScope = useChosenScope(roles)
  return dataScope ? <AreaFields key={dataScope} dataScope={dataScope} /> : null
}

/** Sets the control area of one member. */
export function AreaDialog({ member, onClose }: { member: MemberRow; onClose: () => void }) {
  const { srId, suId, area, dataScope } = member
  const initial = useMemo(() => {
    const { names: _, ...targets } = area
    return { srId, suId, ...targets }
  }, [srId, suId, area])
  return (
    <FormDialog call={memberApi.setArea} title={`${member.suiName}（${member.srName}）的管理范围`} width={600} initial={initial} onClose={onClose}>
      <AreaFields dataScope={dataScope} />
    </FormDialog>
  )
}
