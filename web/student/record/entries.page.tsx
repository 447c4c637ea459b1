import { Link } from 'react-router'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { transcriptSources } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import type { Output } from '../../../contract/core/call.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { download } from '../../core/service/api.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Chip, Facts } from '../parts/pieces.tsx'
import { PagesList } from '../parts/pages-list.tsx'
import { Page } from '../parts/page.tsx'
import { usePages } from '../parts/use-pages.ts'
import { amountText } from '../../../contract/core/figure.ts'

/** A picture that carries the signed badge itself, and the badge alone for systems that ask for it. */
const badgeFormats = [
  ['png', '下载徽章图片'],
  ['json', '下载徽章文件'],
] as const

/** Every record that was credited, each with how its value came about. */
export function EntriesPage() {
  const entries = usePages(ownRecordApi.entries)
  const hasBadges = useCall(ownRecordApi.issues, { current: 1, pageSize: 1 }).data?.hasBadges
  return (
    <Page title="学时明细">
      <PagesList
        of={entries}
        empty={
          <>
            <p>还没有入账的记录。参加活动并通过公示后，学时会出现在这里。</p>
            <Link className="s-button" to="/activities">
              找活动
            </Link>
          </>
        }
      >
        {(row) => (
          <li key={row.recId}>
            <details className="s-entry">
              <summary>
                <span className="s-row-text">
                  <strong>{row.name}</strong>
                  <small>
                    {row.moduleName}，{row.startTime.slice(0, 10)}
                  </small>
                </span>
                {row.corrections.length > 0 && row.status !== recordStatus.reversed && <Chip tone="draft">已更正</Chip>}
                {row.status !== recordStatus.valid && <Chip tone="refused">{labelIn(recordStatus, row.status)}</Chip>}
                <b>+{amountText(row.hours)}</b>
              </summary>
              <p className="s-explain">{row.explain}</p>
              <Facts
                of={[
                  ['来源', transcriptSources[row.source]],
                  ['级别', row.levelName],
                  ['奖项', row.awardName],
                  ['学时 / 学分 / 积分', `${amountText(row.hours)} / ${row.credit} / ${amountText(row.points)}`],
                  ['学期', row.termName],
                  ['入账时间', row.grantTime.slice(0, 16)],
                ]}
              />
              <Corrections of={row.corrections} />
              {hasBadges && row.status === recordStatus.valid && (row.liId ?? row.lisId) && (
                <>
                  {badgeFormats.map(([format, label]) => (
                    <button
                      key={format}
                      type="button"
                      className="s-button"
                      onClick={() =>
                        void download(ownRecordApi.badge, { recId: row.recId, format }).catch(() => undefined)
                      }
                    >
                      {label}
                    </button>
                  ))}
                </>
              )}
            </details>
          </li>
        )}
      </PagesList>
    </Page>
  )
}

type Correction = Output<typeof ownRecordApi.entries>['records'][number]['corrections'][number]
const amounts = [
  ['hours', '学时'],
  ['credit', '学分'],
  ['points', '积分'],
] as const

/** What a record was before it was corrected, since when it is otherwise, and why. */
function Corrections({ of }: { of: readonly Correction[] }) {
  if (of.length === 0) return null
  return (
    <section className="s-corrections">
      <h3>更正记录</h3>
      <ol>
        {of.map(({ time, before, after, why }) => (
          <li key={time}>
            <strong>
              {amounts
                .filter(([kind]) => before[kind] !== after[kind])
                .map(([kind, name]) => `${name}由 ${before[kind]} 改为 ${after[kind]}`)
                .join('，')}
            </strong>
            <small>
              {time.slice(0, 16)}
              {why && `，${why}`}
            </small>
          </li>
        ))}
      </ol>
    </section>
  )
}
