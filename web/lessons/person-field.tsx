import { departmentApi } from '../../contract/organisation/departments.calls.ts'
import { RemoteSelectField } from '../core/fields.tsx'
import type { FieldProps } from '../core/form-core.tsx'
import type { RemoteChoice } from '../core/remote-select.tsx'

export interface KnownPerson {
  suId: string
  suiName: string
  suiNumber: string
}

/** Names of people the record already holds. */
export const knownPeople = (people: readonly KnownPerson[]): RemoteChoice[] => people.map(({ suId, suiName, suiNumber }) => ({ value: suId, label: suiName, hint: suiNumber }))

/** One or several people, found by name or number. */
export function PersonField({ known = [], placeholder = '输入姓名或学工号搜索', ...props }: FieldProps & { known?: readonly KnownPerson[]; multiple?: boolean; max?: number }) {
  return (
    <RemoteSelectField
      {...props}
      placeholder={placeholder}
      call={departmentApi.childrenAndUsers}
      input={(word) => ({ search: word })}
      options={({ users }) => users.map(({ suId, suiName, suiNumber, collegeName }) => ({ value: suId, label: suiName, hint: [suiNumber, collegeName].filter(Boolean).join(' · ') }))}
      known={knownPeople(known)}
    />
  )
}
