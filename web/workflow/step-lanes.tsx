import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button } from 'antd'
import { useRef, useState, type KeyboardEvent } from 'react'
import type { FlowType, NodeName } from '../../contract/workflow/workflow.schema.ts'
import { labelOf } from '../core/dictionary.ts'
import { IconAct, swapped } from '../core/row-editor.tsx'
import { blankStep, checkersText, emptyNode, nodesFor, stepFault, type EditorStep } from './flow-form.ts'
import { StepDrawer } from './step-drawer.tsx'

interface Props {
  wfType: FlowType
  value?: readonly EditorStep[]
  onChange?: (steps: EditorStep[]) => void
  id?: string
}

/** The stages of a flow as lanes; in each, steps are added, changed, ordered and removed, by mouse and by keyboard alike. */
export function StepLanes({ wfType, value = [], onChange, id }: Props) {
  const [editing, setEditing] = useState<EditorStep>()
  const [said, say] = useState('')
  const lanes = useRef<HTMLDivElement>(null)
  const focus = (key: string) => setTimeout(() => lanes.current?.querySelector<HTMLElement>(`[data-step="${key}"]`)?.focus())
  const laneOf = (node: NodeName) => value.filter(({ wfsNodeName }) => wfsNodeName === node)

  const move = (step: EditorStep, by: -1 | 1) => {
    const lane = laneOf(step.wfsNodeName)
    const other = lane[lane.indexOf(step) + by]
    if (!other) return
    onChange?.(swapped(value, value.indexOf(step), value.indexOf(other)))
    say(`“${step.wfsStepName}”已移到第 ${lane.indexOf(step) + by + 1} 步`)
    focus(step.key)
  }
  const remove = (step: EditorStep) => {
    const lane = laneOf(step.wfsNodeName)
    const next = lane[lane.indexOf(step) + 1] ?? lane[lane.indexOf(step) - 1]
    onChange?.(value.filter((one) => one !== step))
    say(`已删除“${step.wfsStepName}”`)
    if (next) focus(next.key)
  }
  const keep = (step: EditorStep) => {
    const isKnown = value.some(({ key }) => key === step.key)
    onChange?.(isKnown ? value.map((one) => (one.key === step.key ? step : one)) : [...value, step])
    setEditing(undefined)
    focus(step.key)
  }
  const onKey = (step: EditorStep) => (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const act = event.altKey && event.key === 'ArrowUp' ? () => move(step, -1) : event.altKey && event.key === 'ArrowDown' ? () => move(step, 1) : event.key === 'Enter' ? () => setEditing(step) : event.key === 'Delete' ? () => remove(step) : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <div className="lanes" ref={lanes} id={id} tabIndex={-1}>
      {nodesFor(wfType).map((node) => {
        const lane = laneOf(node)
        return (
          <section key={node} className="lane" aria-label={`${labelOf('wf_node', node)}环节`}>
            <header>
              <b>{labelOf('wf_node', node)}</b>
              <Button size="small" icon={<PlusOutlined />} aria-label={`在${labelOf('wf_node', node)}环节添加步骤`} onClick={() => setEditing(blankStep(node))}>添加步骤</Button>
            </header>
            {lane.length === 0 ? (
              <p className="lane-none">{emptyNode[node]}</p>
            ) : (
              <ol>
                {lane.map((step, at) => {
                  const fault = stepFault(step)
                  return (
                    <li key={step.key} className={fault ? 'lane-step is-faulty' : 'lane-step'} tabIndex={0} data-step={step.key} aria-label={`第 ${at + 1} 步，${step.wfsStepName}，${checkersText(step)}。回车编辑，Alt 加上下键调整顺序`} onKeyDown={onKey(step)}>
                      <span className="lane-no">{at + 1}</span>
                      <div className="lane-text">
                        <b>{step.wfsStepName}</b>
                        <span>{checkersText(step)}</span>
                        <small>
                          {labelOf('wf_step_type', step.wfsStepType)} · 无审批人时{labelOf('no_approver_policy', step.noApproverPolicy)}
                          {step.timeoutHours ? ` · ${step.timeoutHours} 小时未处理则${labelOf('timeout_action', step.timeoutAction)}` : ''}
                        </small>
                        {fault && <em>{fault}</em>}
                      </div>
                      <div className="lane-acts">
                        <IconAct label={`上移“${step.wfsStepName}”`} icon={<ArrowUpOutlined />} disabled={at === 0} onClick={() => move(step, -1)} />
                        <IconAct label={`下移“${step.wfsStepName}”`} icon={<ArrowDownOutlined />} disabled={at === lane.length - 1} onClick={() => move(step, 1)} />
                        <IconAct label={`编辑“${step.wfsStepName}”`} icon={<EditOutlined />} onClick={() => setEditing(step)} />
                        <IconAct label={`删除“${step.wfsStepName}”`} icon={<DeleteOutlined />} danger onClick={() => remove(step)} />
                      </div>
                    </li>
                  )
                })}
              </ol>
            )}
          </section>
        )
      })}
      <p className="visually-hidden" role="status">{said}</p>
      {editing && <StepDrawer key={editing.key} step={editing} onDone={keep} onClose={() => setEditing(undefined)} />}
    </div>
  )
}
