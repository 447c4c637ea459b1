import { Form } from 'antd'
import { flowForm, type FlowType } from '../../../contract/rules/workflow/workflow.schema.ts'
import { rejectWith } from '../../core/form/form-field.tsx'
import { faultOf, schemaAt } from '../../core/service/schema.ts'
import { stepFault, stepsInput, type EditorStep } from './flow-form.ts'
import { StepLanes } from './step-lanes.tsx'
import type { Troubles } from './use-verdict.ts'

const schema = schemaAt(flowForm, ['steps'])!

interface StepsFieldProps {
  wfType: FlowType
  roles: readonly { id: string; name: string }[]
  troubles?: Troubles | undefined
}

/**
 * The lanes as a field of the flow's form; checked as the service will see them, without what only the editor knows of
 * a step.
 */
export function StepsField({ wfType, roles, troubles }: StepsFieldProps) {
  const check = (_: unknown, steps: EditorStep[] = []) =>
    rejectWith(faultOf(schema, stepsInput(steps)) ?? steps.map(stepFault).find(Boolean))
  return (
    <Form.Item name="steps" className="field span-12" rules={[{ validator: check }]}>
      <StepLanes wfType={wfType} roles={roles} {...(troubles && { troubles })} />
    </Form.Item>
  )
}
