import CheckCircleFilled from '@ant-design/icons/CheckCircleFilled'
import ExclamationCircleFilled from '@ant-design/icons/ExclamationCircleFilled'
import { Spin } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { FlowVerdict } from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'

/**
 * What the check of a flow found: conflicts and steps without people stand in the way; cases that now lead elsewhere
 * and gaps are told.
 */
export function VerdictPanel({
  verdict,
  unfinished = 0,
  isChecking = false,
}: {
  verdict: FlowVerdict
  /** Steps that are not whole yet, so that nothing can be said of them. */
  unfinished?: number
  isChecking?: boolean
}) {
  const { conflicts, gaps, emptyCheckers, short, samples, noSteps, isOff, truncated } = verdict
  const ok = verdict.ok && unfinished === 0
  // of a flow that is off it is not said that all is well while something cannot be submitted
  const isRight = ok && !(isOff && gaps.length > 0)
  // of a flow that has just been begun there is nothing to say but what comes next
  const isBegun = noSteps && unfinished === 0 && conflicts.length === 0
  return (
    <div className="verdict" role="status" aria-busy={isChecking}>
      <p className={`verdict-head ${isRight ? 'is-right' : isBegun ? '' : 'is-wrong'}`}>
        {isChecking ? <Spin size="small" /> : isRight ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
        {ok ? (isOff ? offText : '校验通过：范围没有冲突，各步骤都能审批') : isBegun ? '还没有审批步骤' : '校验未通过'}
      </p>
      {noSteps && unfinished === 0 && (
        <p className="verdict-hint">
          {isBegun ? '请至少添加一个；现在只能存为草稿。' : '还没有审批步骤，请至少添加一个；现在只能存为草稿。'}
        </p>
      )}
      {unfinished > 0 && <p className="verdict-hint">有 {unfinished} 个步骤尚未填写完整，补充后再校验。</p>}
      <Part
        title="与其他流程的适用范围重叠"
        items={conflicts.map((one) => ({
          key: `${one.wfId}${one.role}${one.class}${one.level}`,
          text: <ConflictText conflict={one} />,
        }))}
      />
      <Part title="没有可用审批人的步骤" items={emptyCheckers.filter(({ blocks }) => blocks).map(emptyText)} />
      <Part title="暂无审批人，按步骤设置处理" items={emptyCheckers.filter(({ blocks }) => !blocks).map(emptyText)} />
      <Part
        title="审批级数少于学校规则"
        items={short.map(({ wfsNodeName, of, steps, demanded }) =>
          text(`${labelOf('wf_node', wfsNodeName)} · ${concerns[of]}：${steps} 级，规则为 ${demanded} 级`),
        )}
        hint="不影响保存；级数在学校信息的“规则设置”中调整。"
      />
      <Part
        title="结果将改变的样例"
        items={(isBegun ? [] : samples).map(({ wsId, wsName, was, now }) => ({
          key: wsId,
          text: <SampleText name={wsName} was={was} now={now} />,
        }))}
        hint="保存时需要确认；确认后以新的结果为预期。"
      />
      <Part
        title="尚无流程覆盖的范围（提交时会被拒绝）"
        items={gaps.map((one) =>
          text(`${one.role} · ${one.class} · ${one.level}${one.noCredit ? ' · 不授予学分的' : ''}`),
        )}
        hint="可为这些范围另建流程，或设一个默认流程。"
      />
      {truncated && <p className="verdict-hint">仅列出前 100 项。</p>}
    </div>
  )
}

const offText = '流程停用：新的申请不按本流程审批'
const concerns = { school: '校级及以上课程', college: '院级及以下课程', sup: '补录' } as const

const emptyText = ({ wfsNodeName, wfsStepName, reason }: FlowVerdict['emptyCheckers'][number]) =>
  text(`${labelOf('wf_node', wfsNodeName)} · ${wfsStepName}：${reason}`)
const text = (words: string) => ({ key: words, text: words })

/** Which flow, and which cell of role, system and level. */
export function ConflictText({
  conflict: { wfId, wfName, role, class: node, level },
}: {
  conflict: FlowVerdict['conflicts'][number]
}) {
  return (
    <>
      <Link to={flowPaths.edit(wfId)}>{wfName}</Link>：{role} · {node} · {level}
    </>
  )
}

/** A sample case, where it led and where it leads. */
export function SampleText({ name, was, now }: { name: string; was: readonly string[]; now: readonly string[] }) {
  const lines = (list: readonly string[], other: readonly string[]) =>
    list.map((line) => (other.includes(line) ? <span key={line}>{line}</span> : <b key={line}>{line}</b>))
  return (
    <span className="sample-change">
      {name}
      <span className="sample-was" aria-label="原来">
        {lines(was, now)}
      </span>
      <span className="sample-now" aria-label="现在">
        {lines(now, was)}
      </span>
    </span>
  )
}

const shownAtFirst = 6

function Part({ title, items, hint }: { title: string; items: { key: string; text: ReactNode }[]; hint?: string }) {
  if (items.length === 0) return null
  const list = (part: typeof items) => (
    <ul>
      {part.map((item) => (
        <li key={item.key}>{item.text}</li>
      ))}
    </ul>
  )
  return (
    <section>
      <h3>
        {title}（{items.length}）
      </h3>
      {list(items.slice(0, shownAtFirst))}
      {items.length > shownAtFirst && (
        <details>
          <summary>其余 {items.length - shownAtFirst} 项</summary>
          {list(items.slice(shownAtFirst))}
        </details>
      )}
      {hint && <p className="verdict-hint">{hint}</p>}
    </section>
  )
}
