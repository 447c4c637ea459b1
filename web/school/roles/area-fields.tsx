import { Alert, Form } from 'antd'
import { dataScope as dataScopeCodes } from '../../../contract/core/codes/school.ts'
import { curriculumApi, type CurriculumNode } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { areaText } from '../../../contract/school/roles/area-text.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import type { MemberRow } from '../../../contract/school/roles/roles.schema.ts'
import { send } from '../../core/service/api.ts'
import { SelectField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { RemoteSelect } from '../../core/parts/remote-select.tsx'
import { useSetField } from '../../core/form/scoped-form.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { DepartmentField } from '../../shared/organisation/department-filter.tsx'
import { useColleges, useGrades } from '../../shared/organisation/places.tsx'

const minutes = 5 * 60_000
const under = 'role:grant'

/** Which kinds of targets a data scope takes, the likeliest first. */
const kindsOf: Record<string, readonly Kind[]> = {
  [dataScopeCodes.school]: ['colleges', 'grades', 'curriculum'],
  [dataScopeCodes.college]: ['colleges', 'grades', 'curriculum'],
  [dataScopeCodes.major]: ['majors', 'colleges', 'grades'],
  [dataScopeCodes.schoolClass]: ['classes', 'majors', 'colleges', 'grades'],
  [dataScopeCodes.curriculum]: ['curriculum'],
  [dataScopeCodes.department]: ['departments'],
}
type Kind = 'colleges' | 'majors' | 'classes' | 'departments' | 'curriculum' | 'grades'

const hints: Record<string, string> = {
  [dataScopeCodes.school]: '该角色的数据范围为全校：不选则管理全校；选择后只管理所选的学院、年级与课程体系。',
  [dataScopeCodes.college]: '请选择其管理的学院；再选年级或课程体系，则只管理其中这些年级的学生、这些体系的课程。',
  [dataScopeCodes.major]: '请选择其管理的专业；也可以直接选择学院。',
  [dataScopeCodes.schoolClass]: '请选择其管理的班级；也可以直接选择专业或学院。',
  [dataScopeCodes.curriculum]: '请选择其负责的课程体系，包括其下级体系。',
  [dataScopeCodes.department]: '请选择其管理的部门。',
  [dataScopeCodes.self]: '该角色只管理本人的记录，不需要管理范围。',
}

/**
 * The control area of a member, in the targets that the role's data scope takes. It may be taken over from another
 * member.
 */
export function AreaFields({ srId, dataScope }: { srId: string; dataScope: string }) {
  const kinds = kindsOf[dataScope] ?? []
  return (
    <>
      <div className="area-hint">
        <Alert type="info" showIcon title={hints[dataScope] ?? ''} />
      </div>
      {kinds.length > 0 && <AreaSource srId={srId} />}
      {kinds.map((kind) => (
        <TargetField key={kind} kind={kind} dataScope={dataScope} />
      ))}
    </>
  )
}

/** Fills the fields with the area of another member of the role. */
function AreaSource({ srId }: { srId: string }) {
  const setField = useSetField()
  const take = async (suId: string | string[] | undefined) => {
    if (typeof suId !== 'string') return
    const { names, ...targets } = await send(memberApi.area, { srId, suId })
    for (const [kind, ids] of Object.entries(targets)) setField(kind, ids)
    notify('info', names.length > 0 ? `已填入：${names.map(({ name }) => name).join('、')}` : '该成员没有设置管理范围')
  }
  return (
    <Form.Item label="复制其他成员的范围" className="area-hint" extra="选择后填入下方，可再调整">
      <RemoteSelect
        call={memberApi.list}
        input={(word) => ({ srId, current: 1, pageSize: 20, ...(word && { search: word }) })}
        options={({ records }) => records.map(asChoice)}
        placeholder="输入姓名或学工号"
        onChange={(suId) => void take(suId).catch(() => undefined)}
      />
    </Form.Item>
  )
}

const asChoice = ({ suId, suiName, suiNumber, dataScope, area }: MemberRow) => ({
  value: suId,
  label: suiName,
  hint: [suiNumber, areaText(dataScope, area.names)].filter(Boolean).join(' · '),
})

function TargetField({ kind, dataScope }: { kind: Kind; dataScope: string }) {
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
      return <Curriculum dataScope={dataScope} />
    case 'grades':
      return <Grades />
  }
}

const Colleges = () => <SelectField name="scIds" multiple options={useColleges(under)} />
const Grades = () => <SelectField name="grades" span={6} multiple options={useGrades()} help="不选表示不限年级" />

/** Majors or classes out of the tree of places that the caller may give away. */
function Places({ name, depth }: { name: string; depth: 2 | 3 }) {
  const { data = [] } = useCall(collegeApi.tree, { under }, { staleTime: minutes })
  return <TreeField name={name} multiple leavesOnly tree={data.map((college) => place(college, depth))} />
}

type College = Output<typeof collegeApi.tree>[number]

const place = ({ id, name, children }: College, depth: 2 | 3): TreeNode => ({
  value: `college:${id}`,
  label: name,
  disabled: true,
  children: children.map((major) =>
    depth === 2
      ? { value: major.id, label: major.name }
      : {
          value: `major:${major.id}`,
          label: major.name,
          disabled: true,
          children: major.children.map((one) => ({ value: one.id, label: one.name })),
        },
  ),
})

function Curriculum({ dataScope }: { dataScope: string }) {
  const { data = [] } = useCall(curriculumApi.all, {}, { staleTime: minutes })
  return (
    <TreeField
      name="lsIds"
      span={dataScope === dataScopeCodes.curriculum ? 12 : 6}
      multiple
      tree={data.map(node)}
      {...(dataScope !== dataScopeCodes.curriculum && { help: '不选表示不限课程体系' })}
    />
  )
}

const node = ({ lsId, lsName, children }: CurriculumNode): TreeNode => ({
  value: lsId,
  label: lsName,
  ...(children.length > 0 && { children: children.map(node) }),
})

/** The role chosen in the form. */
export function useChosenRole<R extends { srId: string }>(roles: readonly R[]): R | undefined {
  const srId = Form.useWatch<string | undefined>('srId', Form.useFormInstance())
  return roles.find((role) => role.srId === srId)
}
