import { Form } from 'antd'
import { flowForm, type FlowType } from '../../contract/workflow/workflow.schema.ts'
import { rejectWith } from '../core/form-core.tsx'
import { faultOf, schemaAt } from '../core/schema.ts'
import { stepsInput, type EditorStep } from './flow-form.ts'
import { StepLanes } from './step-lanes.tsx'

const schema = schemaAt(flowForm, ['steps'])!

/** The lanes as a field of the flow's form; checked as the service will see them, without what only the editor knows of a step. */
export function StepsField({ wfType }: { wfType: FlowType }) {
  return (
    <Form.Item name="steps" className="field span-12" rules={[{ validator: (_, steps: EditorStep[]) => rejectWith(faultOf(schema, stepsInput(steps ?? []))) }]}>
      <StepLanes wfType={wfType} />
    </Form.Item>
  )
}
