import { Form } from 'antd'
import { DictionaryField, TextField } from '../../core/form/fields.tsx'
import { FormSection } from '../../core/form/form-page.tsx'

const at = (name: string) => ['liExt', name]

/** What a course of a medical university asks beyond the ordinary one; nothing for other courses. */
export function MedicalSection() {
  const form = Form.useFormInstance()
  const liScheme = Form.useWatch<string | undefined>('liScheme', { form, preserve: true })
  if (liScheme !== 'medical') return null
  return (
    <FormSection title="医学实践" hint="实践医院、带教老师与防护要求，仅医科大学课程填写。">
      <DictionaryField name={at('medicalCategory')} span={6} type="medical_category" required />
      <TextField name={at('practiceHospital')} span={6} required placeholder="附属医院或实践基地" />
      <TextField name={at('practiceWard')} span={4} />
      <TextField name={at('tutorName')} span={4} required />
      <TextField name={at('tutorTitle')} span={4} />
      <TextField name={at('ethicsNo')} span={6} help="涉及患者信息或人体研究时填写" />
      <TextField name={at('protection')} span={6} placeholder="例如：穿白大褂、戴口罩，避免接触锐器" />
    </FormSection>
  )
}
