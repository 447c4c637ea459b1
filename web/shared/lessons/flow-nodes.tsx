import { Alert } from 'antd'
import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { fewNames } from '../../../contract/core/few-names.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { isScreenOpen } from '../../core/service/open-screens.ts'
import './lessons.css'

type Preview = Pick<Output<typeof supplementApi.flowPreview>, 'wfName' | 'missing' | 'nodes'>
type Advice = NonNullable<Preview['missing']>

/** The steps of a flow as a form previews them: who would decide each, and what to do about what would be refused. */
export function FlowNodes({ preview: { wfName, missing, nodes } }: { preview: Preview }) {
  if (wfName === null)
    return (
      <Alert
        type="warning"
        showIcon
        title="未配置适用的审批流程"
        description={<AdviceText start="现在可存为草稿；" advice={missing!} end="后再提交。" />}
      />
    )
  const vacant = nodes.flatMap(({ nodeName, steps }) =>
    steps.flatMap(({ stepName, vacancy }) => (vacancy ? [{ key: `${nodeName}${stepName}`, stepName, vacancy }] : [])),
  )
  return (
    <>
      <p>
        适用流程：<b>{wfName}</b>
      </p>
      {nodes.map(({ nodeName, steps }) => (
        <section key={nodeName} aria-label={labelOf('wf_node', nodeName)}>
          <h3>{labelOf('wf_node', nodeName)}</h3>
          <ol>
            {steps.length === 0 && <li className="flow-preview-none">无需审批</li>}
            {steps.map(({ stepName, stepType, people, note, vacancy }) => (
              <li key={stepName}>
                <b>{stepName}</b>
                <small>{labelOf('wf_step_type', stepType)}</small>
                {people.length > 0 && <p title={people.join('、')}>{fewNames(people)}</p>}
                {vacancy ? <p className="hint-warning">没有可用的审批人</p> : note && <p>{note}</p>}
              </li>
            ))}
          </ol>
        </section>
      ))}
      {vacant.length > 0 && (
        <Alert
          className="flow-vacant"
          type="warning"
          showIcon
          title="有步骤没有可用的审批人，届时提交会被拒绝"
          description={vacant.map(({ key, stepName, vacancy }) => (
            <p key={key}>
              <AdviceText start={`${stepName}：`} advice={vacancy} end="。" />
            </p>
          ))}
        />
      )}
    </>
  )
}

/** What to do, with the way there where the person may go it. */
function AdviceText({ start, advice: { text, help }, end }: { start: string; advice: Advice; end: string }) {
  return (
    <>
      {start}
      {text}
      {end}
      {help && isScreenOpen(help.link) && (
        <Link className="flow-help" to={help.link}>
          {help.label}
        </Link>
      )}
    </>
  )
}
