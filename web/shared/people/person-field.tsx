import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { RemoteSelectField } from '../../core/form/fields.tsx'
import type { FieldProps } from '../../core/form/form-field.tsx'

export interface KnownPerson {
  suId: string
  suiName: string
  suiNumber?: string | undefined
}

interface PersonFieldProps extends FieldProps {
  /** People the record already holds, so that their names show at once. */
  known?: readonly KnownPerson[] | undefined
  /** Only students (1) or only staff (2). */
  suiType?: '1' | '2'
  /** Only people whom this right covers; nobody is found elsewhere then. */
  under?: `${string}:${string}`
  multiple?: boolean
  max?: number
}

/** How to find people beyond one's own area (decision 038). */
export const elsewhereNote = '输入完整学工号或姓名可找到其他学院的人员'

/** One or several people, found by name or number. */
export function PersonField({
  known = [],
  suiType,
  under,
  placeholder = '输入姓名或学工号',
  ...props
}: PersonFieldProps) {
  return (
    <RemoteSelectField
      {...props}
      placeholder={placeholder}
      {...(!under && { note: elsewhereNote })}
      call={teacherApi.search}
      input={(word) => ({ search: word, ...(suiType && { suiType }), ...(under && { under }) })}
      options={(people) =>
        people.map(({ suId, suiName, suiNumber, collegeName, className }) => ({
          value: suId,
          label: suiName,
          hint: [suiNumber, className ?? collegeName].filter(Boolean).join(' · '),
        }))
      }
      known={known.map(({ suId, suiName, suiNumber }) => ({ value: suId, label: suiName, hint: suiNumber }))}
    />
  )
}
