import { graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'
import { RecordActions } from '../../core/action/record-actions.tsx'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { undoGraduation } from './graduation-batches.tsx'
import { figure } from '../../core/service/figure.ts'

/** What was done, under which number, and the way back. */
export function GraduationDone({
  result: { gbId, gbNo, graduated, delayed, undoUntil },
  onAgain,
}: {
  result: Output<typeof graduationApi.graduate>
  onAgain: () => void
}) {
  const { data } = useCall(graduationApi.batches, { current: 1, pageSize: 10 })
  const batch = data?.records.find((one) => one.gbId === gbId)
  return (
    <div className="graduation-done">
      <h2>已办理 {figure(graduated)} 名学生毕业</h2>
      <p>
        批次号 <b className="figures">{gbNo}</b>
        {batch?.gbStatus === graduationStatus.undone && (
          <>
            {' '}
            <StatusChip tone="draft">已撤销</StatusChip>
          </>
        )}
      </p>
      <p className="nothing">
        {delayed > 0 ? `${figure(delayed)} 名未达标学生为延期。` : ''}
        {undoUntil.slice(0, 10)} 前可以撤销，也可在“毕业批次”中查看名单。
      </p>
      <div className="graduation-foot">
        {batch && <RecordActions record={batch} actions={[undoGraduation]} name={({ gbNo: no }) => no} />}
        <LockButton onClick={onAgain}>继续办理</LockButton>
      </div>
    </div>
  )
}
