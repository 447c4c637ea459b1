import { Skeleton } from 'antd'
import { awardApi } from '../../contract/awards/awards.calls.ts'
import { labelOf } from '../core/dictionary.ts'
import { useCall } from '../core/use-call.ts'

/** The awards of a template with what each is worth, to read. */
export function AwardDetails({ atId }: { atId: string }) {
  const { data } = useCall(awardApi.detail, { atId })
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 3 }} />
  return (
    <table className="award-details">
      <thead><tr><th>奖项</th><th className="figures">学时</th><th className="figures">学分</th><th className="figures">积分</th><th className="figures">名额</th><th>证明</th></tr></thead>
      <tbody>
        {data.details.map(({ adId, adName, hours, credit, points, quotaType, quota, needProof }) => (
          <tr key={adId}>
            <td>{adName}</td><td className="figures">{hours}</td><td className="figures">{credit}</td><td className="figures">{points}</td>
            <td className="figures">{quota === null ? labelOf('quota_type', quotaType) : `${quota}${quotaType === '2' ? '%' : ' 人'}`}</td><td>{needProof === '1' ? '需要' : '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
