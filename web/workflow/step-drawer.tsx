import { Button, Drawer, Form } from 'antd'
import { useState } from 'react'
import { workflowApi } from '../../contract/workflow/workflow.calls.ts'
import { checkerModes, flowStepForm, type CheckerType } from '../../contract/workflow/workflow.schema.ts'
import { labelOf } from '../core/dictionary.ts'
import { DictField, NumberField, RemoteSelectField, TextField } from '../core/fields.tsx'
import { FormScope, placeFaults, useFormCheck } from '../core/form-core.tsx'
import { useRules } from '../school/rules.part.ts'
import { stepsInput, type EditorStep } from './flow-form.ts'

const pickers = { user: ['审批人', '输入姓名或工号搜索'], role: ['审批角色', '请选择角色'], dept: ['审批部门', '请选择部门'] } as const

/** The form of one step; nothing is stored before the flow is saved. */
export function StepDrawer({ step, onDone, onClose }: { step: EditorStep; onDone: (step: EditorStep) => void; onClose: () => void }) {
  const [form] = Form.useForm<EditorStep>()
  const [isOpen, setOpen] = useState(true)
  const [names, setNames] = useState<Record<string, string>>(Object.fromEntries(step.checkers.map((id, at) => [id, step.checkerNames[at] ?? ''])))
  const recheck = useFormCheck(form)
  const rules = useRules()
  const done = async () => {
    try {
      await form.validateFields()
    } catch {
      return
    }
    const values: EditorStep = { ...step, ...form.getFieldsValue(true) }
    const checkers = checkerModes[values.wfsCheckerType] === 'none' ? [] : values.checkers
    const next: EditorStep = { ...values, checkers, checkerNames: checkers.map((id) => names[id] ?? '') }
    const faults = flowStepForm.safeParse(stepsInput([next])[0]).error?.issues ?? []
    if (faults.length > 0) return void placeFaults(form, faults.map(({ path, message }) => ({ field: path.map(String).join('.'), msg: message })))
    onDone(next)
  }
  return (
    <Drawer
      open={isOpen}
      title={`${labelOf('wf_node', step.wfsNodeName)}环节 · ${step.wfsStepName ? '编辑步骤' : '添加步骤'}`}
      size={460}
      onClose={() => setOpen(false)}
      afterOpenChange={(open) => !open && onClose()}
      footer={<div className="drawer-foot"><Button onClick={() => setOpen(false)}>取消</Button><Button type="primary" onClick={() => void done()}>确定</Button></div>}
    >
      <Form form={form} layout="vertical" initialValues={step} validateTrigger="onBlur" onValuesChange={(changed: Partial<EditorStep>) => (changed.wfsCheckerType && form.setFieldsValue({ checkers: [] }), recheck(changed))} className="form-grid" scrollToFirstError={false}>
        <FormScope schema={flowStepForm}>
          <TextField name="wfsStepName" placeholder="如：院系团委初审" />
          <DictField name="wfsStepType" type="wf_step_type" span={6} />
          <DictField name="wfsCheckerType" type="wf_checker_type" span={6} />
          <Checkers names={names} onNames={setNames} />
          <DictField name="noApproverPolicy" type="no_approver_policy" open help="按发起人或学生找不到在岗审批人时的处理；发起人不能审批自己的申请" />
          <NumberField name="timeoutHours" label="处理时限" span={6} unit="小时" placeholder={rules ? `不填则为 ${rules.remindDays} 个工作日` : ''} help="超过时限在审批列表中标记逾期" />
        </FormScope>
      </Form>
    </Drawer>
  )
}

function Checkers({ names, onNames }: { names: Record<string, string>; onNames: (names: Record<string, string>) => void }) {
  const form = Form.useFormInstance<EditorStep>()
  const type = Form.useWatch<CheckerType | undefined>('wfsCheckerType', form)
  const stepType = Form.useWatch<string | undefined>('wfsStepType', form)
  const mode = type ? checkerModes[type] : 'none'
  if (stepType === '6') return <p className="step-note">系统自动通过，无需审批人。</p>
  if (!type || mode === 'none') return <p className="step-note">提交时按课程或学生的归属自动确定审批人：{labelOf('wf_checker_type', type)}。</p>
  const [label, placeholder] = pickers[mode]
  return (
    <RemoteSelectField
      key={type}
      name="checkers"
      label={label}
      required
      multiple
      max={100}
      placeholder={placeholder}
      call={workflowApi.choiceChecker}
      input={(word) => ({ wfsCheckerType: type, ...(word && { search: word }) })}
      options={({ options }) => options.map(({ id, name, note }) => ({ value: id, label: name, hint: note }))}
      known={Object.entries(names).map(([value, name]) => ({ value, label: name }))}
      onChoose={(chosen) => onNames({ ...names, ...Object.fromEntries(chosen.map(({ value, label: name }) => [value, name])) })}
    />
  )
}
