import { quotaType as quotaTypeCodes } from '../../../contract/core/codes/rules.ts'
interface AwardRow {
  adId: string
  adName: string
  hours: string
  credit: string
  points: string
  quotaType?: string
  quota: number | null
}

/** The awards of a template with what each adds to the course's own amounts. */
export function AwardRows({ rows }: { rows: readonly AwardRow[] }) {
  return (
    <table className="small-table">
      <thead>
        <tr>
          <th>奖项</th>
          <th className="figures">加学时</th>
          <th className="figures">加学分</th>
          <th className="figures">加积分</th>
          <th className="figures">名额</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ adId, adName, hours, credit, points, quotaType, quota }) => (
          <tr key={adId}>
            <td>{adName}</td>
            <td className="figures">{hours}</td>
            <td className="figures">{credit}</td>
            <td className="figures">{points}</td>
            <td className="figures">
              {quota === null ? '不限' : quotaType === quotaTypeCodes.percent ? `${quota}%` : `${quota} 人`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
