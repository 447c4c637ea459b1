import { Alert, Tooltip } from 'antd'
import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import type { FlowType, NodeName } from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'
import { figure } from '../../core/service/figure.ts'
import { emptyNodeText } from './flow-form.ts'

type Trial = Output<typeof trialApi.sandbox>
type Step = Trial['nodes'][number]['steps'][number]

const maxShown = 8

/** What a tried case comes to: the flow and why, what would stop it, and stage by stage who would be asked. */
export function TrialResult({
  trial: { flow, why, others, nodes, blocks },
  wfType,
}: {
  trial: Trial
  wfType: FlowType
}) {
  return (
    <>
      <div className="trial-head">
        {flow ? (
          <h2>
            <Link to={flowPaths.edit(flow.wfId)}>{flow.wfName}</Link>
            <small>第 {flow.wfVersion} 版</small>
          </h2>
        ) : (
          <h2>没有适用的流程</h2>
        )}
        {flow && <p>{why}</p>}
        {blocks.length > 0 ? (
          <Alert
            type="error"
            showIcon
            title={blocks.every((text) => text.includes('登记质疑')) ? '登记质疑会被拒绝' : '提交会被拒绝'}
            description={
              <ul>
                {blocks.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            }
          />
        ) : (
          <StatusChip tone="finished">可以提交</StatusChip>
        )}
      </div>
      <ol className="trial-nodes" aria-label={wfType === flowType.lesson ? '课程的审批环节' : '补录的审批环节'}>
        {nodes.map(({ nodeName, steps }) => (
          <li key={nodeName}>
            <h3>{labelOf('wf_node', nodeName)}</h3>
            {steps.length === 0 && <p className="nothing">{emptyNodeText(nodeName as NodeName, wfType)}</p>}
            {steps.length > 0 && (
              <ol>
                {steps.map((step, at) => (
                  <TrialStep key={at} step={step} />
                ))}
              </ol>
            )}
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <details className="trial-others">
          <summary>其他流程为何没有采用（{others.length}）</summary>
          <ul>
            {others.map(({ wfId, wfName, why: reason }) => (
              <li key={wfId}>
                <Link to={flowPaths.edit(wfId)}>{wfName}</Link>：{reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function TrialStep({ step: { stepName, stepType, checkerText, people, fate, note, limit } }: { step: Step }) {
  const rest = people.slice(maxShown)
  return (
    <li className={`trial-step trial-${fate}`}>
      <p>
        <b>{stepName}</b>
        <i>{labelOf('wf_step_type', stepType)}</i>
        {fate !== 'auto' && <span>{checkerText}</span>}
      </p>
      {people.length > 0 && (
        <p className="trial-people">
          {people.slice(0, maxShown).map(({ id, name }) => (
            <span key={id}>{name}</span>
          ))}
          {rest.length > 0 && (
            <Tooltip title={rest.map(({ name }) => name).join('、')}>
              <span tabIndex={0}>另有 {figure(rest.length)} 人</span>
            </Tooltip>
          )}
        </p>
      )}
      {note && <p className="trial-note">{note}</p>}
      {limit && <small>{limit}</small>}
    </li>
  )
}
