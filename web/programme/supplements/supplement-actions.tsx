import { useState, type ReactNode } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { SupplementAction, SupplementRow } from '../../../contract/programme/supplements/supplements.schema.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import type { AllOfList } from '../../core/service/background.ts'
import { AreaField } from '../../core/form/fields.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { PublicityDialog } from './publicity-dialog.tsx'
import { AddDisputeDialog } from '../../shared/disputes/add-dispute.tsx'
import { supplementPaths } from '../../shared/supplements/supplement-status.tsx'
import { figure } from '../../core/service/figure.ts'

const action = actionOn<SupplementRow>()
const can =
  (...names: SupplementAction[]) =>
  (row: SupplementRow) =>
    names.some((name) => row.can.includes(name))
const ids = (rows: readonly SupplementRow[]) => rows.map((row) => row.lisId)
const unit = '条补录'

const detail = action.link({
  label: '详情',
  call: supplementApi.list,
  href: ({ lisId }) => supplementPaths.detail(lisId),
})
const edit = action.link({
  label: '编辑',
  call: supplementApi.save,
  fits: can('edit'),
  href: ({ lisId }) => supplementPaths.edit(lisId),
})
const submit = action({
  label: '提交审批',
  call: supplementApi.submit,
  unit,
  fits: can('submit'),
  input: (rows) => ({ lisId: ids(rows) }),
  confirm: '提交后按补录流程逐级审批，审批期间不能修改。',
  doneText: ({ affected }) => (affected === 1 ? '已提交审批' : `已提交 ${figure(affected)} 条`),
})
const withdraw = action({
  label: '撤回',
  call: supplementApi.withdraw,
  fits: can('withdraw'),
  isDanger: true,
  input: ([row]) => ({ lisId: row!.lisId, version: row!.version }),
  confirm: '撤回后审批终止，修改后可重新提交。',
})
const unpublicise = action({
  label: '取消公示',
  call: supplementApi.publicise,
  fits: can('unpublicty'),
  isDanger: true,
  unit,
  input: (rows, { reason }) => ({
    lisId: ids(rows),
    delFlag: yesNo.yes,
    ...(reason ? { reason: reason as string } : {}),
  }),
  confirm: '取消后回到“通过待公示”，不会入账。',
  ask: <AreaField name="reason" rows={3} placeholder="可不填，记入动态" />,
})
const reverse = action({
  label: '冲正',
  call: supplementApi.remove,
  unit,
  fits: can('reverse'),
  isDanger: true,
  ask: <AreaField name="reason" label="冲正原因" rows={3} required placeholder="不少于 5 个字，学生与录入人可见" />,
  question: (rows) =>
    rows.length === 1
      ? `确认冲正并删除${quoted(`${rows[0]!.suiName} · ${rows[0]!.lisName}`)}？`
      : `确认冲正并删除所选 ${rows.length} ${unit}？`,
  input: (rows, { reason }) => ({ lisId: ids(rows), delFlag: yesNo.yes, reverse: '1', reason: reason as string }),
  confirm: '已入账的学时、学分将全部冲回，不能恢复。',
  doneText: () => '已冲正并删除',
})
/** What taking a removal back does not bring back (`restoredStatus` of the service), and has to be done again. */
const againFor = (rows: readonly SupplementRow[]): string[] => {
  const which = rows.length === 1 ? '' : '其中'
  const had = (status: string) => rows.some(({ lisStatus }) => lisStatus === status)
  return [
    ...(had(supplementStatus.inReview) ? [`${which}原在审批的须重新提交审批`] : []),
    ...(had(supplementStatus.inNotice) ? [`${which}原在公示的须重新公示`] : []),
  ]
}
const remove = action({
  label: '删除',
  call: supplementApi.remove,
  unit,
  fits: can('del', 'cancel'),
  isDanger: true,
  input: (rows) => ({ lisId: ids(rows), delFlag: yesNo.yes }),
  // of all rows of a list nothing is known here: some may be before their reviewers
  confirm: (rows) =>
    rows.length === 0 || rows.some(can('cancel'))
      ? `${rows.length === 1 ? '审批与公示' : '其中的审批与公示'}随之终止；可在“已删除”中恢复。`
      : '可在“已删除”中恢复。',
  undo: (rows) => send(supplementApi.remove, { lisId: ids(rows), delFlag: yesNo.no }),
  undoneText: (rows) => ['已恢复', ...againFor(rows)].join('，'),
  instead: { reason: 'sup-credited', act: reverse },
  doneText: ({ affected }) => (affected === 1 ? '已删除' : `已删除 ${figure(affected)} 条`),
})
const restore = action({
  label: '恢复',
  call: supplementApi.remove,
  unit,
  fits: can('restore'),
  input: (rows) => ({ lisId: ids(rows), delFlag: yesNo.no }),
  confirm: '恢复后须重新提交审批或重新公示。',
  doneText: ({ affected }) => `已恢复 ${figure(affected)} 条`,
})

/**
 * Everything that may be done to a record, most wanted first, and the dialogs some of it opens. `from` leaves out the
 * way to the page one stands on.
 */
export function useSupplementActions(from: 'list' | 'detail'): {
  acts: RowAction<SupplementRow>[]
  batch: RowAction<SupplementRow>[]
  dialogs: ReactNode
} {
  const [publicising, setPublicising] = useState<{ sups: readonly SupplementRow[]; all?: AllOfList }>()
  const [correcting, setCorrecting] = useState<SupplementRow>()
  const [questioned, setQuestioned] = useState<SupplementRow>()
  const publicise = action.open({
    label: '公示',
    call: supplementApi.publicise,
    fits: can('publicty'),
    onOpen: (rows) => setPublicising({ sups: rows.filter(can('publicty')) }),
    onAll: { call: supplementApi.batchEditPublicty, open: (all, rows) => setPublicising({ sups: rows, all }) },
  })
  const correct = action.open({
    label: '更正',
    call: supplementApi.correct,
    fits: can('correct'),
    onOpen: ([row]) => setCorrecting(row),
  })
  // how late one may be is for the service to say, by who asks
  const question = action.open({
    label: '登记质疑',
    call: disputeApi.add,
    fits: ({ lisStatus }) => isOneOf(lisStatus, supplementStatus.inNotice, supplementStatus.credited),
    onOpen: ([row]) => setQuestioned(row),
  })
  const moves = [submit, publicise, correct, withdraw, unpublicise, question, restore, remove, reverse]
  return {
    acts:
      from === 'list'
        ? [detail, edit, ...moves]
        : [submit, publicise, edit, correct, withdraw, unpublicise, question, restore, remove, reverse],
    batch: [submit, publicise, unpublicise, restore, remove],
    dialogs: (
      <>
        {publicising && <PublicityDialog {...publicising} onClose={() => setPublicising(undefined)} />}
        {questioned && (
          <AddDisputeDialog
            subject={{ lisId: questioned.lisId, name: questioned.lisName }}
            onClose={() => setQuestioned(undefined)}
          />
        )}
        {correcting && <CorrectDialog sup={correcting} onClose={() => setCorrecting(undefined)} />}
      </>
    ),
  }
}
