import { accountAccessApi } from '../../../contract/school/session/account-access.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { figure } from '../../core/service/figure.ts'

const signOutEverybody = actionOn<string>()({
  label: '退出全校登录',
  call: accountAccessApi.signOutEverybody,
  isDanger: true,
  question: ([school]) => `确认让${school}的所有人退出登录？`,
  confirm: '仅用于账号泄露等紧急情况：除您当前的设备外，所有人须重新登录，未保存的内容会丢失。',
  ask: <AreaField name="reason" />,
  input: (_, { reason }) => ({ reason: reason as string }),
  doneText: ({ affected }) => `已退出 ${figure(affected)} 台设备`,
})

/** The way out of an emergency: everybody of the school signs in again. */
export function SignOutEverybody({ school }: { school: string }) {
  return (
    <ActionButton
      to={signOutEverybody.call}
      danger
      onClick={() => doAction(signOutEverybody, [school], (name) => name)}
    >
      {signOutEverybody.label}
    </ActionButton>
  )
}
