import { Button, Drawer, Form } from 'antd'
import { useState } from 'react'
import { flowCheckerType, flowStepType, timeoutAction } from '../../../contract/core/codes/rules.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { checkerModes, flowStepForm, type CheckerType } from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useDiscardQuestion } from '../../core/screen/discard-question.tsx'
import {
  AmountField,
  DictionaryField,
  NumberField,
  RemoteSelectField,
  SelectField,
  SwitchField,
  TextField,
} from '../../core/form/fields.tsx'
import { FormScope, showFaults, useFormCheck } from '../../core/form/form-field.tsx'
import { ScopedForm } from '../../core/form/scoped-form.tsx'
import { useDirty } from '../../core/service/tab.ts'
import { useRules } from '../../shared/school/rules.ts'
import { stepFaults, type EditorStep } from './flow-form.ts'

const pickers = {
  user: ['审批人', '输入姓名或工号搜索'],
  role: ['审批角色', '请选择角色'],
  dept: ['审批部门', '请选择部门'],
} as const
const limits = [
  { value: '', label: '学校默认' },
  { value: 'hours', label: '按小时' },
  { value: 'days', label: '按工作日' },
]

interface StepDrawerProps {
  step: EditorStep
  /** Whom a step may be escalated to. */
  roles: readonly { id: string; name: string }[]
  onDone: (step: EditorStep) => void
  onClose: () => void
}

/** The form of one step; nothing is stored before the flow is saved. */
export function StepDrawer({ step, roles, onDone, onClose }: StepDrawerProps) {
  const [form] = Form.useForm<EditorStep>()
  const [isOpen, setOpen] = useState(true)
  const [isDirty, setDirty] = useState(false)
  const [ask, question] = useDiscardQuestion(isDirty)
  const [names, setNames] = useState<Record<string, string>>(
    Object.fromEntries(step.checkers.map((id, at) => [id, step.checkerNames[at] ?? ''])),
  )
  const recheck = useFormCheck(form)
  useDirty(isDirty)
  const stepType = Form.useWatch<string | undefined>('wfsStepType', form) ?? step.wfsStepType
  const done = async () => {
    try {
      await form.validateFields()
    } catch {
      return
    }
    const values: EditorStep = { ...step, ...form.getFieldsValue(true) }
    const checkers = checkerModes[values.wfsCheckerType] === 'none' ? [] : values.checkers
    const next: EditorStep = { ...values, checkers, checkerNames: checkers.map((id) => names[id] ?? '') }
    const faults = stepFaults(next)
    if (faults.length > 0) return void showFaults(form, faults)
    onDone(next)
  }
  const onValuesChange = (changed: Partial<EditorStep>) => {
    setDirty(true)
    if (changed.wfsCheckerType) form.setFieldsValue({ checkers: [] })
    recheck(changed)
  }
  const leave = () => ask(() => setOpen(false))
  return (
    <Drawer
      open={isOpen}
      title={`${labelOf('wf_node', step.wfsNodeName)}环节 · ${step.wfsStepName ? '编辑步骤' : '添加步骤'}`}
      size={480}
      onClose={leave}
      mask={{ closable: !isDirty }}
      afterOpenChange={(open) => !open && onClose()}
      footer={
        <div className="drawer-foot">
          <Button onClick={leave}>取消</Button>
          <Button type="primary" onClick={() => void done()}>
            确定
          </Button>
        </div>
      }
    >
      <ScopedForm
        form={form}
        layout="vertical"
        initialValues={step}
        validateTrigger="onBlur"
        onValuesChange={onValuesChange}
        className="form-grid"
        scrollToFirstError={false}
      >
        <FormScope schema={flowStepForm}>
          <TextField name="wfsStepName" placeholder="如：院系团委初审" />
          <DictionaryField name="wfsStepType" type="wf_step_type" span={6} />
          <DictionaryField
            name="wfsCheckerType"
            type="wf_checker_type"
            span={6}
            disabled={stepType === flowStepType.autoPass}
          />
          <Checkers names={names} onNames={setNames} />
          {stepType !== flowStepType.autoPass && stepType !== flowStepType.copy && (
            <>
              <DictionaryField
                name="noApproverPolicy"
                type="no_approver_policy"
                open
                help="找不到在岗的审批人时；审批中途离岗的，由校级管理员接替"
              />
              <Limit roles={roles} />
              <DictionaryField name="canReject" type="reject_target" />
              <SwitchField name="allowTransfer" span={6} onText="允许" offText="不允许" />
              <SwitchField name="allowAdd" span={6} onText="允许" offText="不允许" />
            </>
          )}
          <AmountField name="minCredit" span={6} unit="学分" placeholder="不限" help="学分不大于此数时不经过该步骤" />
        </FormScope>
      </ScopedForm>
      {question}
    </Drawer>
  )
}

/** How long the step may take, and what happens then. */
function Limit({ roles }: { roles: StepDrawerProps['roles'] }) {
  const form = Form.useFormInstance<EditorStep>()
  const rules = useRules()
  const kind = Form.useWatch<string | undefined>('limitKind', form)
  const action = Form.useWatch<string | undefined>('timeoutAction', form)
  return (
    <>
      <SelectField
        name="limitKind"
        label="处理时限"
        open
        options={limits}
        required={false}
        help={
          kind || !rules
            ? undefined
            : `满 ${rules.remindDays} 个工作日催办，满 ${rules.escalateDays} 个工作日升级给校级管理员`
        }
      />
      {kind === 'hours' && <NumberField name="timeoutHours" label="小时数" required span={4} unit="小时" />}
      {kind === 'days' && <NumberField name="timeoutDays" label="工作日数" required span={4} unit="天" />}
      {kind && <DictionaryField name="timeoutAction" type="timeout_action" span={8} />}
      {kind && action === timeoutAction.escalate && (
        <SelectField
          name="timeoutRoleId"
          required
          options={roles.map(({ id, name }) => ({ value: id, label: name }))}
          help="按管理范围找到该角色的成员，一并审批"
        />
      )}
    </>
  )
}

function Checkers({
  names,
  onNames,
}: {
  names: Record<string, string>
  onNames: (names: Record<string, string>) => void
}) {
  const form = Form.useFormInstance<EditorStep>()
  const type = Form.useWatch<CheckerType | undefined>('wfsCheckerType', form)
  const stepType = Form.useWatch<string | undefined>('wfsStepType', form)
  const mode = type ? checkerModes[type] : 'none'
  if (stepType === flowStepType.autoPass) return <p className="step-note">系统自动通过，无需审批人。</p>
  if (type === flowCheckerType.namedByLastStep) return <p className="step-note">由上一步审批人在通过时指定。</p>
  if (!type || mode === 'none')
    return <p className="step-note">提交时按课程或学生的归属自动确定审批人：{labelOf('wf_checker_type', type)}。</p>
  const [label, placeholder] = pickers[mode]
  return (
    <RemoteSelectField
      key={type}
      name="checkers"
      label={stepType === flowStepType.copy ? label.replace('审批', '抄送') : label}
      required
      multiple
      max={100}
      placeholder={placeholder}
      call={workflowApi.choiceChecker}
      input={(word) => ({ wfsCheckerType: type, ...(word && { search: word }) })}
      options={({ options }) => options.map(({ id, name, note }) => ({ value: id, label: name, hint: note }))}
      known={Object.entries(names).map(([value, name]) => ({ value, label: name }))}
      onChoose={(chosen) =>
        onNames({ ...names, ...Object.fromEntries(chosen.map(({ value, label: name }) => [value, name])) })
      }
    />
  )
}
