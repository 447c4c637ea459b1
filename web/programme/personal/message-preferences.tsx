import { Segmented } from 'antd'
import { useMessagePreferences } from '../../shared/accounts/use-message-preferences.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** By which channel the person wants which messages; nothing where the school has switched none on. */
export function MessagePreferences() {
  const { answer, byChannel, choose, isSaving } = useMessagePreferences()
  if (answer.data?.length === 0) return null
  return (
    <section className="card account-part" aria-label="消息接收方式">
      <header>
        <h2>消息接收方式</h2>
      </header>
      <p>平台内的消息照常显示；另外发到哪里，由您决定。验证码不受影响。</p>
      {!answer.data ? (
        <ReadSkeleton />
      ) : (
        byChannel(answer.data).map(({ odChannel, name, target, kinds }) => (
          <div key={odChannel} className="message-wishes">
            <b>{name}</b>
            <small>{target}</small>
            <ul>
              {kinds.map((kind) => (
                <li key={kind.messageKind}>
                  <span>{kind.name}</span>
                  <Segmented
                    size="small"
                    aria-label={`${name}：${kind.name}`}
                    value={kind.mpMode}
                    disabled={isSaving}
                    options={kind.modes}
                    onChange={(mpMode) => choose({ odChannel, messageKind: kind.messageKind, mpMode })}
                  />
                </li>
              ))}
            </ul>
          </div>
        ))
      )}
    </section>
  )
}
