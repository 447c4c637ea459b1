import { Form } from 'antd'
import { useEffect, useMemo } from 'react'
import { personType } from '../../../contract/core/codes/school.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { useDictionary } from '../../core/parts/dictionary-text.tsx'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import type { LessonDetail } from '../../../contract/programme/lessons/lessons.schema.ts'
import { DictionaryField, SelectField, TextField } from '../../core/form/fields.tsx'
import { ImageField } from '../../core/form/image-field.tsx'
import { CascadeField } from '../../core/form/cascade-fields.tsx'
import { TreeField, type TreeNode } from '../../core/form/tree-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useColleges, useCurriculum, useLevels } from './lesson-choices.ts'
import { RichField } from '../../shared/rich-text/rich-field.tsx'
import { PersonField, type KnownPerson } from '../../shared/people/person-field.tsx'

/** Name, place in the curriculum, kind, and what it is about. */
export function Basics() {
  const { tree, byId } = useCurriculum()
  const levels = useLevels()
  const lsId = Form.useWatch<string | undefined>('lsId')
  const form = Form.useFormInstance()
  const { data: labels = [] } = useCall(labelApi.lessonLabel, {}, { staleTime: 300_000 })
  const asksIndustry = byId.get(lsId ?? '')?.lsFormScheme === 'industry'
  useEffect(() => {
    if (asksIndustry) form.setFieldValue('liScheme', 'industry')
  }, [asksIndustry, form])
  const schemes = useSchemes(asksIndustry)
  const allowed = byId.get(lsId ?? '')?.allowLevels ?? []
  const choices = useMemo(
    () => (allowed.length > 0 ? levels.filter(({ value }) => allowed.includes(value)) : levels),
    [levels, allowed],
  )
  return (
    <>
      <TextField name="liName" placeholder="例如：志愿服务骨干训练营（第 1 期）" help="系列活动请在名称中注明期次" />
      <CascadeField name="lsId" span={6} tree={tree} />
      <SelectField
        name="liLevel"
        span={6}
        options={choices}
        help={allowed.length > 0 ? '所选课程体系只开放这些级别' : undefined}
      />
      <DictionaryField name="liKind" span={6} type="lesson_kind" />
      <DictionaryField name="liForm" span={6} type="lesson_form" />
      {schemes.length > 1 && (
        <SelectField
          name="liScheme"
          options={schemes}
          open
          disabled={asksIndustry}
          help={asksIndustry ? '所选课程体系要求使用行业课程表单' : '各表单的附加内容见下方'}
        />
      )}
      <SelectField
        name="liLabels"
        options={labels.map(({ id, name, groupName }) => ({ value: id, label: `${groupName} · ${name}` }))}
        multiple
        placeholder="最多 5 个"
        help="学生据此了解课程培养的素质"
      />
      <RichField name="liIntro" isShort placeholder="活动内容、安排与要求，报名学生可见；可从 Word、WPS 粘贴" />
      <ImageField name="liPoster" files={fileApi} />
    </>
  )
}

/** The forms a course may be filled in with: those the school has switched on, and the one it has already. */
function useSchemes(asksIndustry: boolean) {
  const liScheme = Form.useWatch<string | undefined>('liScheme', { form: Form.useFormInstance(), preserve: true })
  const { data: industry } = useCall(schoolApi.isGydx, {}, { staleTime: 300_000 })
  const { data: medical } = useCall(schoolApi.isYkdx, {}, { staleTime: 300_000 })
  const open: Record<string, boolean> = {
    standard: true,
    industry: industry?.isGydx === true || asksIndustry,
    medical: medical?.isYkdx === true,
  }
  return useDictionary('form_scheme').filter(({ value }) => open[value] || value === liScheme)
}

/** Whose course it is and who answers for it. */
export function Organisation({ lesson, self }: { lesson: LessonDetail | undefined; self: KnownPerson | undefined }) {
  const { data: circles = [] } = useCall(circleApi.options, {}, { staleTime: 60_000 })
  const known =
    lesson?.liCircleId && !circles.some(({ ciId }) => ciId === lesson.liCircleId)
      ? [{ ciId: lesson.liCircleId, ciName: lesson.circleName }]
      : []
  const { data: departments = [] } = useCall(departmentApi.tree, {}, { staleTime: 300_000 })
  return (
    <>
      <SelectField
        name="liCollegeId"
        span={6}
        options={useColleges()}
        help="不选学院与部门时，由您所在学院主办；管理范围为全校的，课程不归属任何学院"
      />
      <TreeField name="liDepartmentId" span={6} tree={departments.map(toNode)} />
      <TreeField
        name="organiserIds"
        span={6}
        multiple
        tree={departments.map(toNode)}
        placeholder="与主办单位一起筹办"
      />
      <TextField name="coOrganisers" span={6} placeholder="校外单位等，多个以顿号分隔" />
      {circles.length + known.length > 0 && (
        <SelectField
          name="liCircleId"
          span={6}
          options={[...known, ...circles].map(({ ciId, ciName }) => ({ value: ciId, label: ciName }))}
          help="由圈子发起的活动请选择"
        />
      )}
      <PersonField
        name="liPrincipalId"
        span={6}
        known={[...(lesson ? [lesson.principal] : []), ...(self ? [self] : [])]}
        help="仅限 1 人，负责报名审核与结果提交"
      />
      <PersonField
        name="teacherIds"
        label="指导老师"
        suiType={personType.teacher}
        span={6}
        multiple
        max={20}
        known={lesson?.teachers}
      />
      <PersonField
        name="signerIds"
        label="签到负责人"
        span={6}
        multiple
        max={50}
        known={lesson?.signers}
        help="不填则由负责人登记签到"
      />
      <TextField name="contactName" span={3} help="学生与审批人据此联系" />
      <TextField name="contactPhone" span={3} />
    </>
  )
}

const toNode = ({ sdId, sdName, children }: DepartmentNode): TreeNode => ({
  value: sdId,
  label: sdName,
  ...(children.length > 0 && { children: children.map(toNode) }),
})
