import { personType } from '../../../contract/core/codes/school.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { DepartmentNode, DepartmentRow } from '../../../contract/school/organisation/organisation.schema.ts'
import { DictionaryField, NumberField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TreeField } from '../../core/form/tree-fields.tsx'
import { PersonField } from '../../shared/people/person-field.tsx'
import { departmentChoices } from '../../shared/organisation/department-choices.ts'

interface Props {
  row: Partial<DepartmentRow>
  tree: readonly DepartmentNode[]
  onClose: () => void
  onSaved: (sdId: string) => void
}

/** The form of a department. It cannot be put below itself, so its own branch is not offered. */
export function DepartmentDialog({ row, tree, onClose, onSaved }: Props) {
  return (
    <DialogForm
      call={departmentApi.save}
      title={row.sdId ? '编辑部门' : '新增部门'}
      width={600}
      initial={row}
      onClose={onClose}
      onDone={({ sdId }) => onSaved(sdId)}
    >
      <TextField name="sdName" span={8} />
      <TextField name="sdCode" span={4} />
      <TreeField name="sdPid" span={12} tree={departmentChoices(tree, row.sdId)} placeholder="不选则为顶级部门" />
      <DictionaryField name="sdType" type="department_type" span={6} />
      <PersonField
        name="sdLeaderId"
        span={6}
        suiType={personType.teacher}
        known={row.sdLeaderId && row.sdLeaderName ? [{ suId: row.sdLeaderId, suiName: row.sdLeaderName }] : []}
      />
      <SwitchField name="isGuideUnit" span={6} help="可作为社团与课程的业务指导单位" />
      <NumberField name="sdSort" span={6} help="小的在前" />
    </DialogForm>
  )
}
