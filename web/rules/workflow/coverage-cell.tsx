import { Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../../contract/core/call.ts'
import { trialApi } from '../../../contract/rules/workflow/trial.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import './workflow.css'
import { flowPaths } from '../../shared/workflow/flow-paths.ts'

type Roles = Output<typeof trialApi.coverageCell>
export type CellKind = Roles[number]['kind']

export const kindWords: Record<CellKind, string> = {
  flow: '有流程',
  default: '默认流程',
  hole: '没有流程',
  overlap: '重叠',
  partial: '部分覆盖',
}
const tones: Record<CellKind, ChipTone> = {
  flow: 'finished',
  default: 'published',
  hole: 'refused',
  overlap: 'refused',
  partial: 'waiting',
}
interface CellDrawerProps {
  wfType: '1' | '2'
  srId: string | undefined
  row: { lsId: string; lsName: string }
  level: { id: string; name: string }
  onClose: () => void
}

/** One cell of the map: role by role which flow applies, why the others do not, and the way to a flow that would. */
export function CellDrawer({ wfType, srId, row, level, onClose }: CellDrawerProps) {
  const [isOpen, setOpen] = useState(true)
  const { data } = useCall(trialApi.coverageCell, { wfType, lsId: row.lsId, liLevel: level.id, ...(srId && { srId }) })
  const open = data?.filter(({ kind }) => kind === 'hole' || kind === 'partial') ?? []
  const roleIds = open.length < (data?.length ?? 0) || srId ? open.flatMap((one) => one.srId ?? []) : []
  const href = flowPaths.add({
    wfType,
    lsIds: row.lsId,
    levels: level.id,
    ...(roleIds.length > 0 && { roleIds: roleIds.join(',') }),
  })
  return (
    <Drawer
      open={isOpen}
      title={`${row.lsName} · ${level.name}`}
      size={520}
      onClose={() => setOpen(false)}
      afterOpenChange={(next) => !next && onClose()}
      footer={
        <div className="drawer-foot">
          <ActionButton to={workflowApi.save} href={href} primary={open.length > 0}>
            为此范围新建流程
          </ActionButton>
        </div>
      }
    >
      {!data && <ReadSkeleton />}
      {data && (
        <ul className="cell-roles" tabIndex={0} aria-label="各角色适用的流程">
          {data.map((one) => (
            <RoleItem key={one.srId ?? 'all'} role={one} />
          ))}
        </ul>
      )}
    </Drawer>
  )
}

function RoleItem({ role: { srName, kind, flows } }: { role: Roles[number] }) {
  const chosen = flows.filter(({ isChosen }) => isChosen)
  const others = flows.filter(({ isChosen }) => !isChosen)
  return (
    <li>
      <p className="cell-role">
        <b>{srName}</b>
        <StatusChip tone={tones[kind]}>{kindWords[kind]}</StatusChip>
      </p>
      {chosen.map(({ wfId, wfName, why, questionsText }) => (
        <div key={wfId}>
          <p className="role-flow">
            <Link to={flowPaths.edit(wfId)}>{wfName}</Link>
            <small>{why}</small>
          </p>
          <p className="role-flow">
            <small>{questionsText}</small>
          </p>
        </div>
      ))}
      {others.length > 0 && (
        <details open={chosen.length === 0}>
          <summary>其他流程为何不适用（{others.length}）</summary>
          <ul>
            {others.map(({ wfId, wfName, why }) => (
              <li key={wfId}>
                <Link to={flowPaths.edit(wfId)}>{wfName}</Link>：{why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
