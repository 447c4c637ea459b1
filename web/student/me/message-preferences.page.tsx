import { useMessagePreferences } from '../../shared/accounts/use-message-preferences.ts'
import { Page } from '../parts/page.tsx'
import { Answered, Card, Tabs } from '../parts/pieces.tsx'

/** By which channel which messages reach the student outside of the product, as in the console for staff. */
export function MessagePreferencesPage() {
  const { answer, byChannel, choose } = useMessagePreferences()
  return (
    <Page title="消息接收方式">
      <Answered
        of={answer}
        isEmpty={(rows) => rows.length === 0}
        empty="学校没有开通邮件、短信等通道，消息都在“消息”里查看。"
      >
        {(rows) => (
          <>
            <p className="s-banner">平台内的消息照常显示；另外发到哪里，由您决定。验证码不受影响。</p>
            {byChannel(rows).map(({ odChannel, name, target, kinds }) => (
              <Card key={odChannel} title={name} note={target}>
                {kinds.map((kind) => (
                  <div key={kind.messageKind} className="s-choice">
                    <p>{kind.name}</p>
                    <Tabs
                      of={kind.modes.map(({ value, label }) => [value, label] as const)}
                      value={kind.mpMode}
                      label={`${name}：${kind.name}`}
                      onChange={(mpMode) => choose({ odChannel, messageKind: kind.messageKind, mpMode })}
                    />
                  </div>
                ))}
              </Card>
            ))}
          </>
        )}
      </Answered>
    </Page>
  )
}
