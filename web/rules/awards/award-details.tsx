import type { Output } from '../../../contract/core/call.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { quotaType as quotaTypeCodes } from '../../../contract/core/codes/rules.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { amountText, figure } from '../../core/service/figure.ts'

type Row = Output<typeof awardApi.ready>[number]['details'][number] & { givenCount?: number }

/** The awards of a template with what each is worth, to read. */
export function AwardDetails({ atId }: { atId: string }) {
  const { data } = useCall(awardApi.detail, { atId })
  if (!data) return <ReadSkeleton title={false} paragraph={{ rows: 3 }} />
  return <AwardTable rows={data.details} />
}

/** Awards as a table; who holds them only where that is known. */
export function AwardTable({ rows }: { rows: readonly Row[] }) {
  const isGiven = rows.some(({ givenCount }) => givenCount !== undefined)
  return (
    <table className="award-details">
      <thead>
        <tr>
          <th scope="col">奖项</th>
          <th scope="col">等级</th>
          <th scope="col" className="figures">
            学时
          </th>
          <th scope="col" className="figures">
            学分
          </th>
          <th scope="col" className="figures">
            积分
          </th>
          <th scope="col" className="figures">
            能力系数
          </th>
          <th scope="col" className="figures">
            名额
          </th>
          <th scope="col">证明</th>
          {isGiven && (
            <th scope="col" className="figures">
              已颁发
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(
          ({ adName, adLevel, hours, credit, points, abilityFactor, quotaType, quota, needProof, givenCount }) => (
            <tr key={adName}>
              <td>{adName}</td>
              <td>{labelOf('award_tier', adLevel)}</td>
              <td className="figures">{amountText(hours)}</td>
              <td className="figures">{credit}</td>
              <td className="figures">{amountText(points)}</td>
              <td className="figures">{abilityFactor}</td>
              <td className="figures">
                {quota === null
                  ? labelOf('quota_type', quotaType)
                  : `${figure(quota)}${quotaType === quotaTypeCodes.percent ? '%' : ' 人'}`}
              </td>
              <td>{needProof === yesNo.yes ? '需要' : '—'}</td>
              {isGiven && <td className="figures">{givenCount ? `${figure(givenCount)} 人` : '—'}</td>}
            </tr>
          ),
        )}
      </tbody>
    </table>
  )
}
