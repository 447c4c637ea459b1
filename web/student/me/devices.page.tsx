import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { useCall, useSend } from '../../core/service/use-call.ts'
import { deviceName } from '../../shared/accounts/device-name.ts'
import { Answered, Chip } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'
import { BindingsPart } from './bindings-part.tsx'

/** Where the student is signed in; the others can be ended. */
export function DevicesPage() {
  const sessions = useCall(ownSessionApi.list, {})
  const end = useSend(ownSessionApi.end)
  const told = (sessionId?: string) =>
    void end.send(sessionId ? { sessionId } : {}).then(
      () => notify('success', '已退出'),
      () => undefined,
    )
  return (
    <Page
      title="登录设备"
      foot={
        (sessions.data?.length ?? 0) > 1 && (
          <button type="button" className="s-button s-primary" disabled={end.isSending} onClick={() => told()}>
            退出其他全部设备
          </button>
        )
      }
    >
      <Answered of={sessions}>
        {(all) => (
          <ul className="s-list">
            {all.map(({ sessionId, agent, ip, lastSeen, isCurrent }) => (
              <li key={sessionId} className="s-row">
                <span className="s-row-text">
                  <strong>{deviceName(agent)}</strong>
                  <small>
                    {ip}，{lastSeen.slice(0, 16)}
                  </small>
                </span>
                {isCurrent ? (
                  <Chip tone="finished">本机</Chip>
                ) : (
                  <button type="button" className="s-button" disabled={end.isSending} onClick={() => told(sessionId)}>
                    退出
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Answered>
      <BindingsPart />
    </Page>
  )
}
