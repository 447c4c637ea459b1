import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Answered, Card } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { usePages } from '../parts/use-pages.ts'

/** Where the student stands, why, and what gives points back. */
export function CredibilityPage() {
  const standing = useCall(ownRecordApi.credibility, {})
  const log = usePages(ownRecordApi.credibilityLog)
  return (
    <Page title="诚信分">
      <Answered of={standing}>
        {({ suiCredibility, max, blackUntil, absences, absencesPerBan, gains }) => (
          <>
            <section className="s-total">
              <p>
                <b>{suiCredibility}</b> / {max} 分
              </p>
              {blackUntil && <p role="status">暂停报名至 {blackUntil.slice(0, 16)}，已报名的仍然有效</p>}
              {absencesPerBan > 0 && (
                <p className="s-verdict">
                  缺席或被移除 {absences} 次；每满 {absencesPerBan} 次暂停报名一段时间
                </p>
              )}
            </section>
            {gains.length > 0 && (
              <Card title="怎样恢复">
                <ul className="s-dots">
                  {gains.map((gain) => (
                    <li key={gain}>{gain}</li>
                  ))}
                </ul>
              </Card>
            )}
          </>
        )}
      </Answered>
      <h2 className="s-heading">变动记录</h2>
      <PagesList of={log} empty="没有变动，请继续保持。">
        {({ cgId, createTime, change, after, reasonCode, reason, liName, restored }) => (
          <li key={cgId} className="s-entry">
            <div className="s-row">
              <span className="s-row-text">
                <strong>
                  {labelOf('credibility_reason', reasonCode)}
                  {restored && '（已恢复）'}
                </strong>
                <small>
                  {[liName, reason].filter(Boolean).join('，')}，{createTime.slice(0, 16)}
                </small>
              </span>
              <b>
                {change > 0 ? `+${change}` : change} → {after}
              </b>
            </div>
          </li>
        )}
      </PagesList>
    </Page>
  )
}
