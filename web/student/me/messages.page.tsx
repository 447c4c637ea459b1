import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { send } from '../../core/service/api.ts'
import { refreshAll } from '../../core/service/use-call.ts'
import { Chip } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { usePages } from '../parts/use-pages.ts'

/** The student's messages; one that is opened has been read. */
export function MessagesPage() {
  const list = usePages(messageApi.inbox)
  return (
    <Page title="消息" isRoot>
      <PagesList of={list} empty="没有消息">
        {({ iurId, iiId, iiTitle, iiContent, createName, sendTime, isRead }) => (
          <li key={iurId}>
            <details
              className="s-entry"
              onToggle={({ currentTarget }) => {
                if (currentTarget.open && isRead !== yesNo.yes)
                  void send(messageApi.read, { iiIds: [iiId] }, { quiet: true, blocks: false }).then(
                    refreshAll,
                    () => undefined,
                  )
              }}
            >
              <summary>
                <span className="s-row-text">
                  <strong>{iiTitle}</strong>
                  <small>
                    {createName}，{sendTime.slice(0, 16)}
                  </small>
                </span>
                {isRead !== yesNo.yes && <Chip tone="waiting">未读</Chip>}
              </summary>
              <p className="s-explain">{iiContent}</p>
            </details>
          </li>
        )}
      </PagesList>
    </Page>
  )
}
