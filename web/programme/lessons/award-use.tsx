import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { useCall } from '../../core/service/use-call.ts'

/** The awards of a course: what each adds and how many of its places are taken. */
export function AwardUse({ liId }: { liId: string }) {
  const { data: awards = [], isPending } = useCall(registrationApi.loadAward, { liId })
  if (isPending) return null
  if (awards.length === 0) return <p className="nothing">本课程不设奖项，参与者按合格认定</p>
  return (
    <table className="small-table">
      <thead>
        <tr>
          <th>奖项</th>
          <th className="figures">加学时</th>
          <th className="figures">加学分</th>
          <th className="figures">加积分</th>
          <th className="figures">已用名额</th>
        </tr>
      </thead>
      <tbody>
        {awards.map(({ adId, adName, hours, credit, points, quota, used }) => (
          <tr key={adId}>
            <td>{adName}</td>
            <td className="figures">{hours}</td>
            <td className="figures">{credit}</td>
            <td className="figures">{points}</td>
            <td className={`figures${quota !== null && used >= quota ? ' hint-warning' : ''}`}>
              {used} / {quota ?? '不限'}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
