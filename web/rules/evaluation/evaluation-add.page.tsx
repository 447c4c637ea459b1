import { Form } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { Field } from '../../core/form/form-field.tsx'
import { TextField } from '../../core/form/fields.tsx'
import { notify } from '../../core/service/notice.tsx'
import { FormSection, FormPage } from '../../core/form/form-page.tsx'
import { useTab } from '../../core/service/tab.ts'
import { CascadeField } from '../../core/form/cascade-fields.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useClassTree } from './evaluation-choices.ts'
import { LevelMatrix } from './level-matrix.tsx'
import { Limits, Teams } from './team-section.tsx'
import { TryOut } from './try-out.tsx'
import { Abilities, Awards, Modes, Validity } from './rule-sections.tsx'
import './evaluation.css'

/** New rules for one curriculum node: amounts for every level at once, with the same factors, awards and abilities. */
export function EvaluationAddPage() {
  const tab = useTab()
  const [query] = useSearchParams()
  const [initial] = useState(() => ({
    lsId: query.get('lsId') ?? undefined,
    levels: [],
    modeRules: [],
    awardRules: [],
    abilityRules: [],
    teamRules: [],
  }))
  return (
    <FormPage
      title="新增评价体系"
      call={evaluationApi.add}
      initial={initial}
      draft="evaluation-add"
      onDone={({ esIds }) => {
        notify('success', `已新增 ${esIds.length} 条评价规则`)
        tab.close('/basicConfig/EvaluationSystem')
      }}
    >
      <FormSection title="适用范围">
        <Scope />
      </FormSection>
      <FormSection title="各级别的数值" hint="只填写需要的级别；同一体系的每个级别只能有一条规则。">
        <Levels />
      </FormSection>
      <Modes />
      <Awards />
      <Teams />
      <Abilities />
      <Limits />
      <TryOut />
      <Validity />
    </FormPage>
  )
}

function Scope() {
  const { tree } = useClassTree()
  return (
    <>
      <CascadeField name="lsId" tree={tree} anyLevel span={6} help="下级体系没有自己的规则时，采用上级的规则" />
      <TextField name="esName" span={6} placeholder="选填，如：2026 版" />
    </>
  )
}

function Levels() {
  const lsId = Form.useWatch<string | undefined>('lsId')
  const { data: levels = [] } = useCall(evaluationApi.lessonLevel, { ...(lsId && { lsId }) }, { keepPrevious: true })
  return (
    <Field name="levels" label="">
      <LevelMatrix levels={levels} />
    </Field>
  )
}
