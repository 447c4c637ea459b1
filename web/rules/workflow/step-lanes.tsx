import CopyOutlined from '@ant-design/icons/CopyOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import EditOutlined from '@ant-design/icons/EditOutlined'
import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Dropdown } from 'antd'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
import type { FlowType, NodeName } from '../../../contract/rules/workflow/workflow.schema.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { IconAction } from '../../core/parts/row-editor.tsx'
import { moved, Sortable } from '../../core/parts/sortable.tsx'
import {
  blankStep,
  checkersText,
  copyOf,
  emptyNodeText,
  limitText,
  nodesFor,
  stepFault,
  type EditorStep,
} from './flow-form.ts'
import { StepDrawer } from './step-drawer.tsx'
import type { Troubles } from './use-verdict.ts'

interface Props {
  wfType: FlowType
  roles: readonly { id: string; name: string }[]
  troubles?: Troubles
  value?: readonly EditorStep[]
  onChange?: (steps: EditorStep[]) => void
  id?: string
}

/**
 * The stages of a flow as lanes; in each, steps are added, changed, copied, ordered and removed, by mouse and by
 * keyboard alike.
 */
export function StepLanes({ wfType, roles, troubles, value = [], onChange, id }: Props) {
  const [editing, setEditing] = useState<EditorStep>()
  const [said, say] = useState('')
  const lanes = useRef<HTMLDivElement>(null)
  const focus = (key: string) =>
    setTimeout(() => lanes.current?.querySelector<HTMLElement>(`[data-step="${key}"]`)?.focus())
  const laneOf = (node: NodeName) => value.filter(({ wfsNodeName }) => wfsNodeName === node)

  const place = (node: NodeName, from: number, to: number) => {
    const lane = moved(laneOf(node), from, to)
    onChange?.(value.map((step) => (step.wfsNodeName === node ? lane.shift()! : step)))
  }
  const move = (step: EditorStep, by: -1 | 1) => {
    const at = laneOf(step.wfsNodeName).indexOf(step)
    if (!laneOf(step.wfsNodeName)[at + by]) return
    place(step.wfsNodeName, at, at + by)
    say(`${quoted(step.wfsStepName)}已移到第 ${at + by + 1} 步`)
    focus(step.key)
  }
  const remove = (step: EditorStep) => {
    const lane = laneOf(step.wfsNodeName)
    const next = lane[lane.indexOf(step) + 1] ?? lane[lane.indexOf(step) - 1]
    onChange?.(value.filter((one) => one !== step))
    say(`已删除${quoted(step.wfsStepName)}`)
    if (next) focus(next.key)
  }
  const copy = (step: EditorStep, node: NodeName) => {
    const made = copyOf(step, node)
    onChange?.([...value, made])
    say(`已将${quoted(step.wfsStepName)}复制到${labelOf('wf_node', node)}环节`)
    focus(made.key)
  }
  const keep = (step: EditorStep) => {
    const isKnown = value.some(({ key }) => key === step.key)
    onChange?.(isKnown ? value.map((one) => (one.key === step.key ? step : one)) : [...value, step])
    setEditing(undefined)
    focus(step.key)
  }
  const onKey = (step: EditorStep) => (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return
    const act =
      event.altKey && event.key === 'ArrowUp'
        ? () => move(step, -1)
        : event.altKey && event.key === 'ArrowDown'
          ? () => move(step, 1)
          : event.key === 'Enter'
            ? () => setEditing(step)
            : event.key === 'Delete'
              ? () => remove(step)
              : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  const copyTargets = (step: EditorStep) =>
    nodesFor(wfType).map((node) => ({
      key: node,
      label: node === step.wfsNodeName ? `在本环节再加一步` : `复制到${labelOf('wf_node', node)}环节`,
      onClick: () => copy(step, node),
    }))

  return (
    <div className="lanes" ref={lanes} id={id} tabIndex={-1}>
      {nodesFor(wfType).map((node) => {
        const lane = laneOf(node)
        const name = labelOf('wf_node', node)
        return (
          <section key={node} className="lane" aria-label={`${name}环节`}>
            <header>
              <b>{name}</b>
              <Button
                size="small"
                icon={<PlusOutlined />}
                aria-label={`在${name}环节添加步骤`}
                onClick={() => setEditing(blankStep(node))}
              >
                添加步骤
              </Button>
            </header>
            {lane.length === 0 && <p className="lane-none">{emptyNodeText(node, wfType)}</p>}
            {lane.length > 0 && (
              <ol>
                <Sortable
                  items={lane}
                  keyOf={({ key }) => key}
                  nameOf={({ wfsStepName }) => wfsStepName}
                  disabled={lane.length < 2}
                  onMove={(from, to) => place(node, from, to)}
                >
                  {(step, at, { ref, handle, isDragging }) => (
                    <li
                      key={step.key}
                      ref={ref}
                      className={`lane-step ${markOf(step, troubles)}${isDragging ? ' is-dragging' : ''}`}
                      tabIndex={0}
                      data-step={step.key}
                      aria-label={`第 ${at + 1} 步，${step.wfsStepName}，${checkersText(step)}。回车编辑，Alt 加上下键调整顺序`}
                      onKeyDown={onKey(step)}
                    >
                      {handle}
                      <span className="lane-no">{at + 1}</span>
                      <StepText step={step} roles={roles} fault={stepFault(step) ?? troubles?.get(step.key)?.text} />
                      <div className="lane-acts">
                        <IconAction
                          label={`上移${quoted(step.wfsStepName)}`}
                          icon={<ArrowUpOutlined />}
                          disabled={at === 0}
                          onClick={() => move(step, -1)}
                        />
                        <IconAction
                          label={`下移${quoted(step.wfsStepName)}`}
                          icon={<ArrowDownOutlined />}
                          disabled={at === lane.length - 1}
                          onClick={() => move(step, 1)}
                        />
                        <IconAction
                          label={`编辑${quoted(step.wfsStepName)}`}
                          icon={<EditOutlined />}
                          onClick={() => setEditing(step)}
                        />
                        <Dropdown trigger={['click']} menu={{ items: copyTargets(step) }}>
                          <Button
                            type="text"
                            size="small"
                            aria-label={`复制${quoted(step.wfsStepName)}`}
                            title="复制步骤"
                            icon={<CopyOutlined />}
                          />
                        </Dropdown>
                        <IconAction
                          label={`删除${quoted(step.wfsStepName)}`}
                          icon={<DeleteOutlined />}
                          danger
                          onClick={() => remove(step)}
                        />
                      </div>
                    </li>
                  )}
                </Sortable>
              </ol>
            )}
          </section>
        )
      })}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      {editing && (
        <StepDrawer
          key={editing.key}
          step={editing}
          roles={roles}
          onDone={keep}
          onClose={() => setEditing(undefined)}
        />
      )}
    </div>
  )
}

function markOf(step: EditorStep, troubles: Troubles | undefined): string {
  if (stepFault(step)) return 'is-faulty'
  const trouble = troubles?.get(step.key)
  return trouble ? (trouble.blocks ? 'is-faulty' : 'is-doubtful') : ''
}

function StepText({
  step,
  roles,
  fault,
}: {
  step: EditorStep
  roles: Props['roles']
  fault: string | undefined
}): ReactNode {
  const { wfsStepType, noApproverPolicy, canReject, allowAdd, minCredit } = step
  const isDecided = wfsStepType !== flowStepType.copy && wfsStepType !== flowStepType.autoPass
  const facts = [
    labelOf('wf_step_type', wfsStepType),
    isDecided && `无审批人时${labelOf('no_approver_policy', noApproverPolicy)}`,
    limitText(step, roles),
    minCredit && `学分大于 ${minCredit} 时`,
    isDecided && canReject !== 'start' && `可退回${labelOf('reject_target', canReject)}`,
    isDecided && allowAdd === yesNo.yes && '可加签',
  ]
  return (
    <div className="lane-text">
      <b>{step.wfsStepName}</b>
      <span>{checkersText(step)}</span>
      <small>{facts.filter(Boolean).join(' · ')}</small>
      {fault && <em>{fault}</em>}
    </div>
  )
}
