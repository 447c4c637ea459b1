import { Alert, Form } from 'antd'
import { curriculumApi, type CurriculumNode } from '../../contract/curriculum/curriculum.calls.ts'
import { collegeApi } from '../../contract/organisation/colleges.calls.ts'
import type { Output } from '../../contract/core/call.ts'
import { SelectField } from '../core/fields.tsx'
import { TreeField, type TreeNode } from '../core/tree-fields.tsx'
import { useCall } from '../core/use-call.ts'
import { DepartmentField } from '../organisation/department-filter.part.tsx'
import { useColleges, useGrades } from '../organisation/places.part.tsx'

const minutes = 5 * 60_000
const under = 'role:grant'

/** Which kinds of targets a data scope takes, the likeliest first. */
const kindsOf: Record<string, readonly Kind[]> = {
  '1': ['colleges', 'grades'],
  '2': ['colleges', 'grades'],
  '3': ['majors', 'colleges', 'grades'],
  '4': ['classes', 'majors', 'colleges', 'grades'],
  '5': ['curriculum'],
  '6': ['departments'],
}
type Kind = 'colleges' | 'majors' | 'classes' | 'departments' | 'curriculum' | 'grades'

const hints: Record<string, string> = {
  '1': '该角色的数据范围为全校：不选则管理全校；选择后只管理所选的学院与年级。',
  '2': '请选择其管理的学院；再选年级，则只管理这些学院中的这些年级。',
  '3': '请选择其管理的专业；也可以直接选择学院。',
  '4': '请选择其管理的班级；也可以直接选择专业或学院。',
  '5': '请选择其负责的课程体系，包括其下级体系。',
  '6': '请选择其管理的部门。',
  '9': '该角色只管理本人的记录，不需要管理范围。',
}

/** The control area of a member, in the targets that the role's data scope takes. */
export function AreaFields({ dataScope }: { dataScope: string }) {
  const kinds = kindsOf[dataScope] ?? []
  return (
    <>
      <div className="area-hint"><Alert type="info" showIcon title={hints[dataScope] ?? ''} /></div>
      {kinds.map((kind) => <TargetField key={kind} kind={kind} />)}
    </>
  )
}

function TargetField({ kind }: { kind: Kind }) {
  switch (kind) {
    case 'colleges':
      return <Colleges />
    case 'majors':
      return <Places name="smIds" depth={2} />
    case 'classes':
      return <Places name="scClassIds" depth={3} />
    case 'departments':
      return <DepartmentField name="sdIds" multiple />
    case 'curriculum':
      return <Curriculum />
    case 'grades':
      return <Grades />
  }
}

const Colleges = () => <SelectField name="scIds" multiple options={useColleges(under)} />
const Grades = () => <SelectField name="grades" multiple options={useGrades()} help="不选表示不限年级" />

/** Majors or classes out of the tree of places that the caller may give away. */
function Places({ name, depth }: { name: string; depth: 2 | 3 }) {
  const { data = [] } = useCall(collegeApi.tree, { under }, { fresh: minutes })
  return <TreeField name={name} multiple leavesOnly tree={data.map((college) => place(college, depth))} />
}

type College = Output<typeof collegeApi.tree>[number]

const place = ({ id, name, children }: College, depth: 2 | 3): TreeNode => ({
  value: `college:${id}`, label: name, disabled: true,
  children: children.map((major) => (depth === 2 ? { value: major.id, label: major.name } : { value: `major:${major.id}`, label: major.name, disabled: true, children: major.children.map((one) => ({ value: one.id, label: one.name })) })),
})

function Curriculum() {
  const { data = [] } = useCall(curriculumApi.all, {}, { fresh: minutes })
  return <TreeField name="lsIds" multiple tree={data.map(node)} />
}

const node = ({ lsId, lsName, children }: CurriculumNode): TreeNode => ({ value: lsId, label: lsName, ...(children.length > 0 && { children: children.map(node) }) })

/** The data scope of the role chosen in the form. */
export function useChosenScope(roles: readonly { srId: string; dataScope: string }[]): string | undefined {
  const srId = Form.useWatch<string | undefined>('srId', Form.useFormInstance())
  return roles.find((role) => role.srId === srId)?.dataScope
}
