import { useSearchParams } from 'react-router'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { DictionaryField, TextField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { DepartmentField, useDepartmentTree } from '../../shared/organisation/department-filter.tsx'
import { CollegeField } from '../../shared/organisation/places.tsx'
import { teacherPaths } from './people-paths.ts'
import { ContactFields, IdentityFields, neverKept, OtherFields } from './person-fields.tsx'
import { teacherTones } from './person-parts.tsx'
import { SimilarHint } from './similar-hint.tsx'

const blank = {}

/** One form for new staff and for edits: an id in the address selects update, none create. */
export function TeacherFormPage() {
  const [query] = useSearchParams()
  const suId = query.get('suId') ?? undefined
  const { close } = useTab()
  const teacher = useInitialData(teacherApi.detail, suId, (id) => ({ id }))
  const departments = useDepartmentTree()
  useTabTitle(teacher && `编辑 ${teacher.suiName}`)
  return (
    <FormPage
      title={suId ? `编辑教师${teacher ? `：${teacher.suiName}` : ''}` : '新增教师'}
      status={teacher && <DictionaryChip type="teacher_status" value={teacher.suiStatus} tones={teacherTones} />}
      call={teacherApi.save}
      isLoading={suId !== undefined && (!teacher || departments.length === 0)}
      initial={suId ? teacher : blank}
      draft={`teacher:${suId ?? 'new'}`}
      draftWithout={neverKept}
      back={suId ? teacherPaths.detail(suId) : teacherPaths.list}
      onDone={({ suId: saved }) => {
        notify('success', suId ? '保存成功' : '已新增教师；账号尚未启用，重置密码后可登录')
        close(teacherPaths.detail(saved))
      }}
    >
      <FormSection title="基本信息">
        <IdentityFields />
        <SimilarHint kind="teacher" suId={suId} former={teacher?.suiName} />
      </FormSection>
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
      <FormSection title="其他">
        <OtherFields />
      </FormSection>
    </FormPage>
  )
}
