import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { studentApi } from '../../contract/people/students.calls.ts'
import { DateField } from '../core/date-fields.tsx'
import { DictField, NumberField, TextField } from '../core/fields.tsx'
import { FormSection, RecordForm } from '../core/record-form.tsx'
import { notify } from '../core/notice.tsx'
import { useTab, useTabTitle } from '../core/tab.ts'
import { useCall } from '../core/use-call.ts'
import { ClassField, CollegeField, GradeField, MajorField } from '../organisation/places.part.tsx'
import { HomePlaceFields } from './home-place-fields.tsx'
import { AccountSection, IdentitySection } from './person-fields.tsx'
import { studentPaths } from './student-acts.tsx'

const under = 'student:edit'

/** Adds a student, or with an id edits one. */
export function StudentFormPage() {
  const [query] = useSearchParams()
  const tab = useTab()
  const suId = query.get('id') ?? undefined
  const { data } = useCall(studentApi.detail, { id: suId ?? '' }, { enabled: suId !== undefined, fresh: 0 })
  const initial = useMemo(() => (suId ? data : { suiStatus: '1', suStatus: '1', suiSex: '0' }), [suId, data])
  useTabTitle(data && `编辑学生 · ${data.suiName}`)
  return (
    <RecordForm
      call={studentApi.save}
      title={suId ? `编辑学生${data ? ` · ${data.suiName}` : ''}` : '新增学生'}
      isLoading={suId !== undefined && !data}
      initial={initial}
      {...(!suId && { draft: 'student:new' })}
      back={suId ? studentPaths.detail(suId) : studentPaths.list}
      onDone={(saved) => {
        notify('success', '保存成功')
        tab.close(studentPaths.detail(saved.suId))
      }}
    >
      <IdentitySection numberLabel="学号" />
      <FormSection title="学籍信息">
        <CollegeField name="suiCollegeId" span={6} under={under} clears={['majorId', 'scClassId']} />
        <MajorField name="majorId" college="suiCollegeId" span={6} under={under} clears={['scClassId']} />
        <GradeField name="suiGrade" span={6} clears={['scClassId']} />
        <ClassField name="scClassId" major="majorId" grade="suiGrade" span={6} under={under} />
        <DictField name="suiEduLevel" type="edu_level" span={6} />
        <NumberField name="suiStudyYears" span={6} unit="年" />
        <DateField name="suiEnterDate" span={6} />
        <DateField name="suiGraduateDate" span={6} />
        <DictField name="suiStatus" type="student_status" span={6} />
        <TextField name="suiCampus" span={6} />
      </FormSection>
      <FormSection title="联系方式">
        <TextField name="suiPhone" span={6} help="加密保存，只显示部分数字" />
        <TextField name="suiEmail" span={6} help="用于找回密码" />
        <HomePlaceFields />
        <TextField name="suiAddress" span={12} />
      </FormSection>
      <AccountSection isNew={!suId} />
    </RecordForm>
  )
}
