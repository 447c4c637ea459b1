import { quoted } from '../../../contract/core/quotes.ts'
import { bindingApi, type Binding } from '../../../contract/school/identity/bindings.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { Facts } from '../../core/action/detail-page.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { AreaField } from '../../core/form/fields.tsx'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'

type Row = Binding & { suId: string; suiName: string }

const remove = actionOn<Row>()({
  label: '解除绑定',
  call: bindingApi.removeOf,
  isDanger: true,
  question: ([row]) => `确认解除${quoted(row!.suiName)}与${quoted(row!.name)}账号的绑定？`,
  confirm: '由它登录的设备立即退出；学工号一致的，仍可用它登录。',
  ask: <AreaField name="reason" />,
  input: ([row], { reason }) => ({ suId: row!.suId, identityId: row!.identityId, reason: reason as string }),
  doneText: () => '已解除绑定',
})

/** The accounts at providers that somebody has bound, for whoever looks after the ways to sign in. */
export function PersonBindings({ person: { suId, suiName } }: { person: { suId: string; suiName: string } }) {
  const isAllowed = usePermission()(bindingApi.ofPerson)
  const { data } = useCall(bindingApi.ofPerson, { suId }, { enabled: isAllowed, staleTime: 0 })
  if (!data || data.length === 0) return null
  return (
    <>
      <Facts
        title="绑定的登录方式"
        items={data.map(({ name, subject, createTime, lastTime }) => ({
          label: `${name} ${subject}`,
          value: `绑定于 ${createTime.slice(0, 10)}，${lastTime ? `最近登录 ${lastTime.slice(0, 16)}` : '没有用过'}`,
        }))}
      />
      <div className="person-access">
        {data.map((row) => (
          <ActionButton
            key={row.identityId}
            to={remove.call}
            size="small"
            onClick={() => doAction(remove, [{ ...row, suId, suiName }], ({ name }) => name)}
          >
            解除绑定{quoted(row.name)}
          </ActionButton>
        ))}
      </div>
    </>
  )
}
