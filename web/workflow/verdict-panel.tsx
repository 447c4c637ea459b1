import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import ExclamationCircleFilled from '@ant-design/icons/ExclamationCircleFilled'
import type { FlowVerdict } from '../../contract/workflow/workflow.schema.ts'
import { labelOf } from '../core/dictionary.ts'

/** What the check of a flow found: conflicts and steps without people stand in the way, gaps are only told. */
export function VerdictPanel({ verdict }: { verdict: FlowVerdict }) {
  const { ok, conflicts, gaps, emptyCheckers, truncated } = verdict
  return (
    <div className="verdict" role="status">
      <p className={ok ? 'verdict-head is-right' : 'verdict-head is-wrong'}>
        {ok ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
        {ok ? '校验通过：范围没有冲突，各步骤都有审批人' : '校验未通过'}
      </p>
      <Part title="与其他流程的适用范围重叠" items={conflicts.map((one) => `“${one.wfName}”：${one.role} · ${one.class} · ${one.level}`)} />
      <Part title="没有可用审批人的步骤" items={emptyCheckers.map((one) => `${labelOf('wf_node', one.wfsNodeName)} · ${one.wfsStepName}：${one.reason}`)} />
      <Part title="尚无流程覆盖的范围（提交时会被拒绝）" items={gaps.map((one) => `${one.role} · ${one.class} · ${one.level}`)} hint="可为这些范围另建流程，或设一个默认流程。" />
      {truncated && <p className="verdict-hint">仅列出前 100 项。</p>}
    </div>
  )
}

const shownAtFirst = 6

function Part({ title, items, hint }: { title: string; items: string[]; hint?: string }) {
  if (items.length === 0) return null
  const list = (part: string[]) => <ul>{part.map((item) => <li key={item}>{item}</li>)}</ul>
  return (
    <section>
      <h3>{title}（{items.length}）</h3>
      {list(items.slice(0, shownAtFirst))}
      {items.length > shownAtFirst && <details><summary>其余 {items.length - shownAtFirst} 项</summary>{list(items.slice(shownAtFirst))}</details>}
      {hint && <p className="verdict-hint">{hint}</p>}
    </section>
  )
}
