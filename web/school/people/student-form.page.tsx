import { useSearchParams } from 'react-router'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { DateField } from '../../core/form/date-fields.tsx'
import { DictionaryField, NumberField, TextField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { DictionaryChip } from '../../core/parts/status-chip.tsx'
import { useTab, useTabTitle } from '../../core/service/tab.ts'
import { useInitialData } from '../../core/service/use-initial-data.ts'
import { ClassField, CollegeField, GradeField, MajorField } from '../../shared/organisation/places.tsx'
import { HomePlaceFields } from './home-place-fields.tsx'
import { studentPaths } from './people-paths.ts'
import { ContactFields, IdentityFields, neverKept, OtherFields } from './person-fields.tsx'
import { studentTones } from './person-parts.tsx'
import { SecretField } from './secret-fields.tsx'
import { SimilarHint } from './similar-hint.tsx'

const under = 'student:edit'
const blank = {}

/** One form for new students and for edits: an id in the address selects update, none create. */
export function StudentFormPage() {
  const [query] = useSearchParams()
  const suId = query.get('suId') ?? undefined
  const { close } = useTab()
  const student = useInitialData(studentApi.detail, suId, (id) => ({ id }))
  useTabTitle(student && `编辑 ${student.suiName}`)
  return (
    <FormPage
      title={suId ? `编辑学生${student ? `：${student.suiName}` : ''}` : '新增学生'}
      status={student && <DictionaryChip type="student_status" value={student.suiStatus} tones={studentTones} />}
      call={studentApi.save}
      isLoading={suId !== undefined && !student}
      initial={suId ? student : blank}
      draft={`student:${suId ?? 'new'}`}
      draftWithout={neverKept}
      back={suId ? studentPaths.detail(suId) : studentPaths.list}
      onDone={({ suId: saved }) => {
        notify('success', suId ? '保存成功' : '已新增学生；账号尚未启用，重置密码后可登录')
        close(studentPaths.detail(saved))
      }}
    >
      <FormSection title="基本信息">
        <IdentityFields birthHelp="重置密码时用于核对本人" />
        <SimilarHint kind="student" suId={suId} former={student?.suiName} />
      </FormSection>
      <FormSection title="学籍信息">
        <CollegeField name="suiCollegeId" span={6} under={under} clears={['majorId', 'scClassId']} />
        <MajorField name="majorId" span={6} college="suiCollegeId" under={under} clears={['scClassId']} />
        <GradeField name="suiGrade" span={6} clears={['scClassId']} />
        <ClassField name="scClassId" span={6} under={under} />
        <DictionaryField name="suiEduLevel" span={6} type="edu_level" />
        <NumberField name="suiStudyYears" span={6} unit="年" />
        <DateField name="suiEnterDate" span={6} />
        <DateField name="suiGraduateDate" span={6} />
        <DictionaryField name="suiStatus" span={6} type="student_status" />
        <TextField name="suiCampus" span={6} />
        <TextField name="suiDorm" span={6} />
      </FormSection>
      <FormSection title="联系方式">
        <ContactFields />
        <HomePlaceFields />
        <SecretField name="suiAddress" span={12}>
          {(props) => <TextField {...props} />}
        </SecretField>
      </FormSection>
      <FormSection title="团员与志愿者">
        <SecretField name="leagueJoinDate" span={6}>
          {(props) => <DateField {...props} />}
        </SecretField>
        <SecretField name="partyJoinDate" span={6}>
          {(props) => <DateField {...props} />}
        </SecretField>
        <DictionaryField name="isVolunteerRegistered" span={6} type="yes_no" />
        <TextField name="volunteerNo" span={6} />
      </FormSection>
      <FormSection title="其他">
        <OtherFields />
      </FormSection>
    </FormPage>
  )
}
