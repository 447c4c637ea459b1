import { useState } from 'react'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { PersonOption } from '../../../contract/school/organisation/organisation.schema.ts'
import { Dialog } from '../../core/parts/dialog.tsx'
import { EmptyState } from '../../core/parts/empty-state.tsx'
import { notify } from '../../core/service/notice.tsx'
import { SortableList } from '../../core/parts/sortable-list.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { useGuardedDialog } from '../../core/screen/use-guarded-dialog.ts'
import { ApiError } from '../../core/service/wire.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** Puts the members of a department into another order; it is kept when the dialog is confirmed. */
export function MemberOrderDialog({ sdId, sdName, onClose }: { sdId: string; sdName: string; onClose: () => void }) {
  const { data } = useCall(departmentApi.userOptions, { id: sdId }, { staleTime: 0 })
  const [changed, setChanged] = useState<PersonOption[]>()
  const [isOpen, setOpen] = useState(true)
  const sort = useSend(departmentApi.sortUsers)
  const held = useGuardedDialog(isOpen && changed !== undefined)
  const rows = changed ?? data
  const save = async () => {
    try {
      await sort.send({ sdId, suIds: rows!.map(({ suId }) => suId) })
      notify('success', '成员顺序已保存')
      setOpen(false)
    } catch (error) {
      // told already; only a refusal says that the order cannot be kept: somebody has left the department meanwhile
      if (error instanceof ApiError && error.kind === 'refused') setChanged(undefined)
    }
  }
  return (
    <Dialog
      open={isOpen}
      title={`调整成员顺序 · ${sdName}`}
      width={520}
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: !changed }}
      confirmLoading={sort.isSending}
      to={departmentApi.sortUsers}
      onOk={() => void save()}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      {...held}
    >
      <p className="form-hint">拖动左侧手柄，或用右侧按钮上移、下移。列表、导出和选人时都按此顺序显示。</p>
      {!rows ? (
        <ReadSkeleton />
      ) : rows.length === 0 ? (
        <EmptyState text="该部门暂无成员" />
      ) : (
        <SortableList
          rows={rows}
          keyOf={({ suId }) => suId}
          nameOf={({ suiName }) => suiName}
          onChange={setChanged}
          label="部门成员"
        >
          {({ suiName, suiNumber, collegeName }) => (
            <span className="member-line">
              <b>{suiName}</b>
              <small>{[suiNumber, collegeName].filter(Boolean).join(' · ')}</small>
            </span>
          )}
        </SortableList>
      )}
    </Dialog>
  )
}
