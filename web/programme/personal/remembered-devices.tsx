import { Button } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import { secondFactorApi, type TrustedDevice } from '../../../contract/school/session/second-factor.calls.ts'
import { actionOn } from '../../core/action/action.tsx'
import { doAction } from '../../core/action/row-actions.tsx'
import { deviceName } from '../../shared/accounts/device-name.ts'

const forget = actionOn<TrustedDevice>()({
  label: '取消记住',
  call: secondFactorApi.forget,
  question: ([row]) => `确认不再记住${quoted(deviceName(row!.agent))}？`,
  confirm: '该设备下次登录时须输入动态口令。',
  input: ([row]) => ({ deviceId: row!.deviceId }),
  doneText: () => '已取消记住该设备',
})

/** Devices that are not asked for a code, to be asked again. */
export function RememberedDevices({ devices }: { devices: readonly TrustedDevice[] }) {
  return (
    <ul aria-label="已记住的设备">
      {devices.map((row) => (
        <li key={row.deviceId}>
          <div>
            <b title={row.agent}>{deviceName(row.agent)}</b>
            <small>
              已记住，{row.expireTime.slice(0, 10)} 前登录不询问口令 · {row.ip} · 最近使用 {row.lastUsed.slice(0, 16)}
            </small>
          </div>
          <Button
            size="small"
            aria-label={`不再记住${deviceName(row.agent)}`}
            onClick={() => doAction(forget, [row], ({ agent }) => deviceName(agent))}
          >
            取消记住
          </Button>
        </li>
      ))}
    </ul>
  )
}
