import type { Difference } from '../../../contract/programme/lessons/lessons.schema.ts'
import './lessons.css'

/** What would be different from what was approved, field by field. */
export function Differences({ differences }: { differences: readonly Difference[] }) {
  return (
    <div className="table-scroll">
      <table className="small-table differences">
        <thead>
          <tr>
            <th>内容</th>
            <th>已批准</th>
            <th>变更为</th>
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
