import { quoted } from '../../../contract/core/quotes.ts'
import { accountAccessApi, type AccountAccess } from '../../../contract/school/session/account-access.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'
import { deviceName } from '../../shared/accounts/device-name.ts'
import type { PersonKind } from './person-kinds.ts'
import { figure } from '../../core/service/figure.ts'

interface Person {
  suId: string
  suiName: string
}

const action = actionOn<Person>()
const nameOf = ({ suiName }: Person) => suiName

/** The calls and actions of the accounts of one kind of people. */
function accessOf(kind: PersonKind) {
  const { student, signOutStudent, unlockStudent, resetStudentFactor } = accountAccessApi
  const { teacher, signOutTeacher, unlockTeacher, resetTeacherFactor } = accountAccessApi
  const [read, signOut, unlock, resetFactor] =
    kind === 'student'
      ? ([student, signOutStudent, unlockStudent, resetStudentFactor] as const)
      : ([teacher, signOutTeacher, unlockTeacher, resetTeacherFactor] as const)
  return {
    read,
    signOut: action({
      label: '退出全部设备',
      call: signOut,
      isDanger: true,
      question: ([row]) => `确认让${quoted(row!.suiName)}在全部设备上退出登录？`,
      confirm: '须重新登录才能使用，密码不变；怀疑密码泄露时，请同时重置密码。',
      ask: <AreaField name="reason" />,
      input: ([row], { reason }) => ({ suId: row!.suId, reason: reason as string }),
      doneText: ({ affected }) => `已退出 ${figure(affected)} 台设备`,
    }),
    resetFactor: action({
      label: '重置动态口令',
      call: resetFactor,
      isDanger: true,
      question: ([row]) => `确认重置${quoted(row!.suiName)}的动态口令？`,
      confirm: '仅在本人手机和恢复码都丢失时使用，请先核实身份；本人会收到通知，须重新登录。',
      ask: <AreaField name="reason" />,
      input: ([row], { reason }) => ({ suId: row!.suId, reason: reason as string }),
      doneText: ({ affected }) => (affected > 0 ? '已重置动态口令' : '该账号没有启用动态口令'),
    }),
    unlock: action({
      label: '解除锁定',
      call: unlock,
      confirm: '解除后可以立即再次尝试登录，请先核实本人身份。',
      input: ([row]) => ({ suId: row!.suId }),
      doneText: ({ affected }) => (affected > 0 ? '已解除锁定' : '该账号没有被锁定'),
    }),
  }
}
const kinds = { student: accessOf('student'), teacher: accessOf('teacher') }

/** Where somebody else is signed in and whether they are locked out, with what can be done about it. */
export function AccountAccessFacts({ kind, person }: { kind: PersonKind; person: Person }) {
  const { read, signOut, unlock, resetFactor } = kinds[kind]
  const isAllowed = usePermission()(read)
  const { data } = useCall(read, { suId: person.suId }, { enabled: isAllowed, staleTime: 0 })
  if (!data) return null
  return (
    <>
      <Facts
        title="登录安全"
        items={[
          { label: '登录设备', value: devicesOf(data) },
          { label: '动态口令', value: data.factorSince ? `${data.factorSince.slice(0, 10)} 起启用` : '未启用' },
          { label: '锁定', value: data.lockedUntil ? `至 ${data.lockedUntil.slice(0, 16)}` : '未锁定' },
        ]}
      />
      {(data.sessions.length > 0 || data.lockedUntil || data.factorSince) && (
        <div className="person-access">
          {data.sessions.length > 0 && (
            <ActionButton to={signOut.call} size="small" onClick={() => doAction(signOut, [person], nameOf)}>
              {signOut.label}
            </ActionButton>
          )}
          {data.factorSince && (
            <ActionButton to={resetFactor.call} size="small" onClick={() => doAction(resetFactor, [person], nameOf)}>
              {resetFactor.label}
            </ActionButton>
          )}
          {data.lockedUntil && (
            <ActionButton to={unlock.call} size="small" onClick={() => doAction(unlock, [person], nameOf)}>
              {unlock.label}
            </ActionButton>
          )}
        </div>
      )}
    </>
  )
}

function devicesOf({ sessions }: AccountAccess): string {
  if (sessions.length === 0) return '未登录'
  return sessions.map(({ agent, ip, lastSeen }) => `${deviceName(agent)}（${ip}，${lastSeen.slice(0, 16)}）`).join('；')
}
