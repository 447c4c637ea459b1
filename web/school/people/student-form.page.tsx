import { DateField } from '../../core/form/date-fields.tsx'
import { DictionaryField, NumberField, TextField } from '../../core/form/fields.tsx'
import { FormSection } from '../../core/form/form-page.tsx'
import { ClassField, CollegeField, GradeField, MajorField } from '../../shared/organisation/places.tsx'
import { HomePlaceFields } from './home-place-fields.tsx'
import { ContactFields } from './person-fields.tsx'
import { PersonFormPage } from './person-form.tsx'
import { SecretField } from './secret-fields.tsx'

const under = 'student:edit'
/** The form of a student, new or to be edited. */
export function StudentFormPage() {
  return (
    <PersonFormPage kind="student" birthHelp="重置密码时用于核对本人">
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
    </PersonFormPage>
  )
}
