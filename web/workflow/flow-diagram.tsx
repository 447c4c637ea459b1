import type { FlowType } from '../../contract/workflow/workflow.schema.ts'
import { labelOf } from '../core/dictionary.ts'
import { checkersText, emptyNode, nodesFor, type EditorStep } from './flow-form.ts'

/** A flow as a picture: its stages from top to bottom, in each the steps with who decides them. */
export function FlowDiagram({ wfType, steps }: { wfType: FlowType; steps: readonly Omit<EditorStep, 'key'>[] }) {
  return (
    <ol className="flow-diagram" aria-label="流程图">
      <li className="flow-end">{wfType === '1' ? '提交课程' : '提交补录'}</li>
      {nodesFor(wfType).map((node) => {
        const own = steps.filter(({ wfsNodeName }) => wfsNodeName === node)
        return (
          <li key={node} className={own.length > 0 ? 'flow-stage' : 'flow-stage flow-stage-open'}>
            <span className="flow-stage-name">{labelOf('wf_node', node)}</span>
            {own.length === 0 && <p>{emptyNode[node]}</p>}
            {own.length > 0 && (
              <ol>
                {own.map((step, at) => (
                  <li key={step.wfsId ?? `${at}`}>
                    <b>{step.wfsStepName || '未命名步骤'}</b>
                    <span>{checkersText(step)}</span>
                    <small>{labelOf('wf_step_type', step.wfsStepType)}{step.timeoutHours ? ` · ${step.timeoutHours} 小时内` : ''}</small>
                  </li>
                ))}
              </ol>
            )}
          </li>
        )
      })}
      <li className="flow-end">{wfType === '1' ? '完成，学分入账' : '入账'}</li>
    </ol>
  )
}
