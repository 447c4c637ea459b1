import { DictionaryField, TextField } from '../../core/form/fields.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { DepartmentField, useDepartmentTree } from '../../shared/organisation/department-filter.tsx'
import { CollegeField } from '../../shared/organisation/places.tsx'
import { ContactFields } from './person-fields.tsx'
import { PersonFormPage } from './person-form.tsx'

/** The form of a member of staff, new or to be edited. */
export function TeacherFormPage() {
  const departments = useDepartmentTree()
  return (
    <PersonFormPage kind="teacher" isWaiting={departments === undefined}>
      <FormSection title="任职信息" hint="学院与部门至少选择一项。">
        <CollegeField name="suiCollegeId" span={6} under="teacher:edit" />
        <DepartmentField name="sdIds" span={6} multiple />
        <DictionaryField name="title" span={6} type="teacher_title" />
        <DictionaryField name="teacherType" span={6} type="teacher_type" />
        <TextField name="post" span={6} />
        <DictionaryField name="suiStatus" span={6} type="teacher_status" />
      </FormSection>
      <FormSection title="联系方式">
        <ContactFields />
      </FormSection>
    </PersonFormPage>
  )
}
