import { flowType } from '../../../contract/core/codes/rules.ts'
import type { FlowType } from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { checkersText, emptyNodeText, limitText, nodesFor, type EditorStep } from './flow-form.ts'
import type { Troubles } from './use-verdict.ts'

interface FlowDiagramProps {
  wfType: FlowType
  steps: readonly EditorStep[]
  roles?: readonly { id: string; name: string }[]
  troubles?: Troubles | undefined
}

/**
 * A flow as a picture: its stages from top to bottom, in each the steps with who decides them, in what time, and what
 * stands in their way.
 */
export function FlowDiagram({ wfType, steps, roles = [], troubles }: FlowDiagramProps) {
  return (
    <ol className="flow-diagram" aria-label="流程图">
      <li className="flow-edge">{wfType === flowType.lesson ? '提交课程' : '提交补录'}</li>
      {nodesFor(wfType).map((node) => {
        const own = steps.filter(({ wfsNodeName }) => wfsNodeName === node)
        return (
          <li key={node} className={own.length > 0 ? 'flow-stage' : 'flow-stage flow-stage-open'}>
            <span className="flow-stage-name">{labelOf('wf_node', node)}</span>
            {own.length === 0 && <p>{emptyNodeText(node, wfType)}</p>}
            {own.length > 0 && (
              <ol>
                {own.map((step) => {
                  const trouble = troubles?.get(step.key)
                  return (
                    <li
                      key={step.key}
                      className={`flow-box flow-box-${step.wfsStepType}${trouble ? (trouble.blocks ? ' is-faulty' : ' is-doubtful') : ''}`}
                    >
                      <b>
                        {step.wfsStepName || '未命名步骤'}
                        <i>{labelOf('wf_step_type', step.wfsStepType)}</i>
                      </b>
                      <span>{checkersText(step)}</span>
                      {(step.minCredit || limitText(step, roles)) && (
                        <small>
                          {[step.minCredit && `学分大于 ${step.minCredit} 时`, limitText(step, roles)]
                            .filter(Boolean)
                            .join(' · ')}
                        </small>
                      )}
                      {trouble && <em>{trouble.text}</em>}
                    </li>
                  )
                })}
              </ol>
            )}
          </li>
        )
      })}
      <li className="flow-edge">{wfType === flowType.lesson ? '完成，学分入账' : '入账'}</li>
    </ol>
  )
}
