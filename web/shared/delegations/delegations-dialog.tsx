import { Modal } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { delegationStatus } from '../../../contract/core/codes/programme.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import type { Output } from '../../../contract/core/call.ts'
import { actionOn } from '../../core/action/action.tsx'
import { LockButton } from '../../core/parts/buttons.tsx'
import { DateTimeRangeField } from '../../core/form/date-fields.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { RemoteSelectField, TextField } from '../../core/form/fields.tsx'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { StatusChip, type ChipTone } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

type Row = Output<typeof approvalActionApi.delegations>[number]

const states: Record<string, readonly [string, ChipTone]> = {
  [delegationStatus.upcoming]: ['未开始', 'waiting'],
  [delegationStatus.inForce]: ['代理中', 'published'],
  [delegationStatus.ended]: ['已结束', 'draft'],
}
const end = actionOn<Row>()({
  label: '结束代理',
  call: approvalActionApi.endDelegation,
  isDanger: true,
  fits: ({ can }) => can.includes('end'),
  question: ([row]) => `确认结束 ${row!.agentName} 的代理？`,
  confirm: '对方尚未处理的事项将转回给您。',
  input: ([row]) => ({ dgId: row!.dgId, version: row!.version }),
  doneText: () => '已结束代理',
})

/** Who stands in for the person and for whom they stand in, and the way to let somebody. */
export function DelegationsDialog({ onClose }: { onClose: () => void }) {
  const { data: rows } = useCall(approvalActionApi.delegations, {})
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <Modal
        open
        title="审批代理"
        width={640}
        footer={
          <LockButton type="primary" onClick={() => setAdding(true)}>
            委托他人代理
          </LockButton>
        }
        onCancel={onClose}
      >
        <p className="tab-note">
          出差或请假期间，可委托有相同审批权限的人代为审批；记录会注明由谁代谁审批，到期自动收回。
        </p>
        {!rows ? (
          <ReadSkeleton />
        ) : rows.length === 0 ? (
          <EmptyState text="暂无代理，可点“委托他人代理”设置" />
        ) : (
          <ul className="delegations" aria-label="审批代理">
            {rows.map((row) => {
              const [word, tone] = states[row.dgStatus] ?? [row.dgStatus, 'draft' as const]
              return (
                <li key={row.dgId}>
                  <div>
                    <b>
                      {row.suiName} 委托 {row.agentName}
                    </b>
                    <StatusChip tone={tone}>{word}</StatusChip>
                    <p>
                      {row.startTime.slice(0, 16)} 至 {row.endTime.slice(0, 16)}
                      {row.reason && ` · ${row.reason}`}
                    </p>
                  </div>
                  {end.fits?.(row) && (
                    <LockButton size="small" onClick={() => doAction(end, [row], ({ agentName }) => agentName)}>
                      结束
                    </LockButton>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Modal>
      {isAdding && <AddDelegation onClose={() => setAdding(false)} />}
    </>
  )
}

function AddDelegation({ onClose }: { onClose: () => void }) {
  const [initial] = useState(() => ({
    startTime: dayjs().format('YYYY-MM-DD HH:mm:00'),
    endTime: dayjs().add(7, 'day').format('YYYY-MM-DD 23:59:00'),
  }))
  return (
    <DialogForm
      title="委托他人代理审批"
      call={approvalActionApi.addDelegation}
      initial={initial}
      input={({ agentId, startTime, endTime, reason }) => ({
        agentId: agentId as string,
        startTime: startTime as string,
        endTime: endTime as string,
        ...(reason ? { reason: reason as string } : {}),
      })}
      submitText="确认委托"
      doneText="已设置代理"
      onClose={onClose}
    >
      <RemoteSelectField
        name="agentId"
        label="代理人"
        placeholder="输入姓名或工号"
        call={approvalActionApi.candidates}
        input={(search) => (search ? { search } : {})}
        options={(people) => people.map(({ id, name, note }) => ({ value: id, label: name, hint: note }))}
        help="须拥有与您相同的审批权限"
      />
      <DateTimeRangeField names={['startTime', 'endTime']} label="代理时间" />
      <TextField name="reason" label="原因" placeholder="如：出差、请假" />
    </DialogForm>
  )
}
