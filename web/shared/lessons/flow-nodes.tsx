import { labelOf } from '../../core/service/dictionary-store.ts'

interface Node {
  nodeName: string
  steps: { stepName: string; stepType: string; people: string[] }[]
}

/** Most people of a step named one by one. */
const maxNames = 4

/** The steps of a flow as a form previews them: who would decide each. */
export function FlowNodes({ wfName, nodes }: { wfName: string; nodes: readonly Node[] }) {
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
            {steps.map(({ stepName, stepType, people }) => (
              <li key={stepName}>
                <b>{stepName}</b>
                <small>{labelOf('wf_step_type', stepType)}</small>
                <p title={people.join('、')} className={people.length === 0 ? 'hint-warning' : ''}>
                  {people.length === 0 ? '没有可用的审批人' : namesText(people)}
                </p>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  )
}

const namesText = (people: readonly string[]): string =>
  people.length > maxNames ? `${people.slice(0, maxNames).join('、')} 等 ${people.length} 人` : people.join('、')
