import { labelIn } from '../../../contract/core/codes/code-list.ts'
import { recordStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Output } from '../../../contract/core/call.ts'
import { groupByModule } from '../../../contract/outcomes/transcripts/groups.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { amountText, figure } from '../../core/service/figure.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Answered, Card, Chip } from '../parts/pieces.tsx'

/** As many rows as one answer holds; a longer paper says how many more it has. */
const maxRows = 200

type Modules = Output<typeof ownRecordApi.summary>['modules']
type Entry = Output<typeof ownRecordApi.entries>['records'][number]

/**
 * The rows by module with what the paper says of each: its number and hours are those of all its rows, of which the
 * answer may hold only the latest. A module that the school has given up is summed from the rows.
 */
function groupsOf(modules: Modules, records: readonly Entry[]) {
  const groups = groupByModule(modules, records)
  const told = modules.map(({ lsId, lsName, count, have }) => ({
    moduleId: lsId,
    name: lsName,
    count,
    hours: have,
    rows: groups.find(({ moduleId }) => moduleId === lsId)?.rows ?? [],
  }))
  const givenUp = groups.filter(({ moduleId }) => !modules.some(({ lsId }) => lsId === moduleId))
  return [...told.filter(({ count, rows }) => count > 0 || rows.length > 0), ...givenUp]
}

/** The rows that a paper issued now will hold, by module as it has them, within each by date. */
export function PaperRows({ modules }: { modules: Modules }) {
  const entries = useCall(ownRecordApi.entries, { current: 1, pageSize: maxRows })
  const groups = groupsOf(modules, entries.data?.records ?? [])
  const number = groups.reduce((sum, { count }) => sum + count, 0)
  return (
    <Card title="记录明细" note={entries.data && number > 0 && `${figure(number)} 项，现在签发将包含这些记录`}>
      <Answered of={entries} isEmpty={({ total }) => total === 0} empty="还没有入账的记录，签发的成绩单上只有基本信息">
        {({ records, total }) => (
          <>
            {groups.map(({ moduleId, name, count, hours, rows }) => (
              <details key={moduleId} className="s-entry">
                <summary>
                  <span className="s-row-text">
                    <strong>{name}</strong>
                    <small>{figure(count)} 项</small>
                  </span>
                  <b>{amountText(hours)} 学时</b>
                </summary>
                <ul className="s-list">
                  {rows.map((row) => (
                    <li key={row.recId} className="s-row">
                      <span className="s-row-text">
                        <strong>{row.name}</strong>
                        <small>
                          {[row.startTime.slice(0, 10), row.levelName, row.awardName, row.org]
                            .filter(Boolean)
                            .join('，')}
                        </small>
                      </span>
                      {row.status !== recordStatus.valid && (
                        <Chip tone="refused">{labelIn(recordStatus, row.status)}</Chip>
                      )}
                      <b>{amountText(row.hours)}</b>
                    </li>
                  ))}
                </ul>
              </details>
            ))}
            {total > records.length && (
              <p className="s-note">{`此处只列出最近的 ${figure(records.length)} 条，签发的成绩单包含全部记录。`}</p>
            )}
          </>
        )}
      </Answered>
    </Card>
  )
}
