import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { teacherApi } from '../../contract/people/teachers.calls.ts'
import { DictField, TextField } from '../core/fields.tsx'
import { notify } from '../core/notice.tsx'
import { FormSection, RecordForm } from '../core/record-form.tsx'
import { useTab, useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { DepartmentField } from '../organisation/department-filter.part.tsx'
import { CollegeField } from '../organisation/places.part.tsx'
import { AccountSection, IdentitySection } from './person-fields.tsx'
import { teacherPaths } from './teacher-acts.tsx'

/** Adds a member of staff, or with an id edits one. */
export function TeacherFormPage() {
  const [query] = useSearchParams()
  const tab = useTab()
  const suId = query.get('id') ?? undefined
  const { data } = useCall(teacherApi.detail, { id: suId ?? '' }, { enabled: suId !== undefined, fresh: 0 })
  const initial = useMemo(() => (suId ? data : { suiStatus: '1', suStatus: '1', suiSex: '0' }), [suId, data])
  useTabTitle(data && `编辑教师 · ${data.suiName}`)
  return (
    <RecordForm
      call={teacherApi.save}
      title={suId ? `编辑教师${data ? ` · ${data.suiName}` : ''}` : '新增教师'}
      isLoading={suId !== undefined && !data}
      initial={initial}
      {...(!suId && { draft: 'teacher:new' })}
      back={suId ? teacherPaths.detail(suId) : teacherPaths.list}
      onDone={(saved) => {
        notify('success', '保存成功')
        tab.close(teacherPaths.detail(saved.suId))
      }}
    >
      <IdentitySection numberLabel="工号" />
      <FormSection title="任职信息" hint="学院与部门至少选择一项。">
        <CollegeField name="suiCollegeId" span={6} under="teacher:edit" />
        <DepartmentField name="sdIds" span={6} multiple />
        <DictField name="title" type="teacher_title" span={6} />
        <DictField name="teacherType" type="teacher_type" span={6} />
        <TextField name="post" span={6} />
        <DictField name="suiStatus" type="teacher_status" span={6} />
      </FormSection>
      <FormSection title="联系方式">
        <TextField name="suiPhone" span={6} help="加密保存，只显示部分数字" />
        <TextField name="suiEmail" span={6} help="用于找回密码" />
      </FormSection>
      <AccountSection isNew={!suId} />
    </RecordForm>
  )
}
