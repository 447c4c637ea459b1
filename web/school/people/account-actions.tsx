import { accountStatus } from '../../../contract/core/codes/school.ts'
import type { StudentRow } from '../../../contract/school/people/students.calls.ts'
import { actionOn, type RowAction } from '../../core/action/action.tsx'
import { send } from '../../core/service/api.ts'
import { personKinds, type PersonKind } from './person-kinds.ts'
import { figure } from '../../core/service/figure.ts'

/** What switching an account needs to know of its person; rows and details of students and staff tell it alike. */
type AccountFacts = Pick<StudentRow, 'suId' | 'suiName' | 'can'>

const action = actionOn<AccountFacts>()

/** Switching the accounts of students or of staff on and off. */
export function accountActions(kind: PersonKind) {
  const call = personKinds[kind].api.switch
  const ids = (rows: readonly AccountFacts[]) => rows.map(({ suId }) => suId)
  const disable = action({
    label: '停用账号',
    call,
    unit: '个账号',
    fits: ({ can }) => can.includes('disable'),
    confirm: '停用后立即退出登录且不能再登录，已有记录不受影响。',
    input: (rows) => ({ ids: ids(rows), suStatus: accountStatus.disabled }),
    doneText: ({ affected }) => `已停用 ${figure(affected)} 个账号`,
    undo: (rows) => send(call, { ids: ids(rows), suStatus: accountStatus.active }),
  })
  const enable = action({
    label: '启用账号',
    call,
    unit: '个账号',
    fits: ({ can }) => can.includes('enable'),
    confirm: false,
    input: (rows) => ({ ids: ids(rows), suStatus: accountStatus.active }),
    doneText: ({ affected }) => `已启用 ${figure(affected)} 个账号`,
    undo: (rows) => send(call, { ids: ids(rows), suStatus: accountStatus.disabled }),
  })
  return { disable, enable }
}

/** What may be done to people, with switching their accounts before the last action, which removes them. */
export function withAccountActions<R extends AccountFacts>(
  kind: PersonKind,
  acts: readonly RowAction<R>[],
): RowAction<R>[] {
  const { disable, enable } = accountActions(kind)
  return [...acts.slice(0, -1), enable, disable, ...acts.slice(-1)]
}
