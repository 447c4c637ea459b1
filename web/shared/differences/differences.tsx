import type { Difference, SubmittedDifference } from '../../../contract/core/difference.ts'
import './differences.css'

/** What is different, field by field, under the words for what was and what is. */
export function Differences({
  differences,
  was = '已批准',
  is = '变更为',
}: {
  differences: readonly Difference[]
  was?: string
  is?: string
}) {
  return (
    <div className="table-scroll">
      <table className="small-table differences">
        <thead>
          <tr>
            <th>内容</th>
            <th>{was}</th>
            <th>{is}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, label, before, after }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td>
                <del>{before}</del>
              </td>
              <td>
                <ins>{after}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What a submission changes about what was approved, and about what was returned last; a part of its own for each. */
export function CaseDifferences({ differences }: { differences: readonly SubmittedDifference[] }) {
  const since = (which: SubmittedDifference['since']) => differences.filter((one) => one.since === which)
  const [approved, returned] = [since('approved'), since('returned')]
  return (
    <>
      {approved.length > 0 && (
        <section className="case-part">
          <h3>变更对比</h3>
          <Differences differences={approved} />
        </section>
      )}
      {returned.length > 0 && (
        <section className="case-part">
          <h3>与上次退回时相比</h3>
          <Differences differences={returned} was="退回时" is="现为" />
        </section>
      )}
    </>
  )
}
