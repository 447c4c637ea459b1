import { Form } from 'antd'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { industryFiles } from '../../../contract/programme/lessons/industry.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { AreaField, DictionaryField, SwitchField, TextField } from '../../core/form/fields.tsx'
import { FileField } from '../../core/form/file-fields.tsx'
import { FormSection } from '../../core/form/form-page.tsx'

const at = (name: string) => ['liExt', name]

/** What an industry course asks beyond the ordinary one; nothing for ordinary courses. */
export function IndustrySections({ lesson }: { lesson: LessonDetail | undefined }) {
  const form = Form.useFormInstance()
  const liScheme = Form.useWatch<string | undefined>('liScheme', { form, preserve: true })
  if (liScheme !== 'industry') return null
  const paper = (name: (typeof industryFiles)[number]) =>
    lesson?.extFiles.filter(({ id }) => id === lesson.liExt[name]) ?? []
  return (
    <>
      <FormSection title="产教融合" hint="合作企业、导师与项目，仅行业课程填写。">
        <DictionaryField name={at('industryField')} span={6} type="industry_field" required />
        <DictionaryField name={at('cooperationType')} span={6} type="cooperation_type" required />
        <TextField name={at('cooperationUnit')} span={6} required placeholder="营业执照上的名称" />
        <TextField name={at('cooperationCode')} span={6} placeholder="18 位" />
        <TextField name={at('cooperationContact')} span={3} />
        <TextField name={at('cooperationPhone')} span={3} />
        <TextField name={at('baseName')} span={6} />
        <TextField name={at('mentorName')} span={4} />
        <TextField name={at('mentorTitle')} span={4} />
        <TextField name={at('mentorPhone')} span={4} />
        <TextField name={at('projectNo')} span={4} />
        <DictionaryField name={at('projectStage')} span={4} type="project_stage" />
        <DictionaryField name={at('moduleAttr')} span={4} type="module_attr" />
        <AreaField name={at('deliverable')} rows={2} placeholder="例如：调研报告、作品、软件" />
        <TextField name={at('deptGuide')} span={4} />
        <TextField name={at('starRule')} span={4} />
        <SwitchField name={at('smallClass')} span={4} />
      </FormSection>
      <FormSection title="安全保障">
        <SwitchField name={at('insurance')} label="已购买意外险" span={3} help="校外活动须购买" />
        <TextField name={at('transport')} span={9} placeholder="例如：统一乘坐大巴往返" />
        <FileField name={at('agreementFile')} span={6} files={fileApi} known={paper('agreementFile')} />
        <FileField name={at('safetyDutyFile')} span={6} files={fileApi} known={paper('safetyDutyFile')} />
      </FormSection>
    </>
  )
}
