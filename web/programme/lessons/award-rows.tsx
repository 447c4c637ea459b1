import type { ReactNode } from 'react'
import { quotaType as quotaTypeCodes } from '../../../contract/core/codes/rules.ts'
import { registrationApi } from '../../../contract/programme/lessons/registration.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'
import { amountText, figure } from '../../core/service/figure.ts'

interface Award {
  adId: string
  adName: string
  hours: string
  credit: string
  points: string
}

interface AwardTableProps<A> {
  awards: readonly A[]
  /** The last column: what it tells of an award's places. */
  places: { title: string; text: (award: A) => ReactNode; isWarning?: (award: A) => boolean }
}

/** Awards with what each adds to the course's own amounts. */
function AwardTable<A extends Award>({ awards, places }: AwardTableProps<A>) {
  return (
    <table className="small-table">
      <thead>
        <tr>
          <th>奖项</th>
          <th className="figures">加学时</th>
          <th className="figures">加学分</th>
          <th className="figures">加积分</th>
          <th className="figures">{places.title}</th>
        </tr>
      </thead>
      <tbody>
        {awards.map((award) => (
          <tr key={award.adId}>
            <td>{award.adName}</td>
            <td className="figures">{amountText(award.hours)}</td>
            <td className="figures">{award.credit}</td>
            <td className="figures">{amountText(award.points)}</td>
            <td className={`figures${places.isWarning?.(award) ? ' hint-warning' : ''}`}>{places.text(award)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface TemplateAward extends Award {
  quotaType?: string
  quota: number | null
}

/** The awards of a template. */
export function AwardRows({ rows }: { rows: readonly TemplateAward[] }) {
  return (
    <AwardTable
      awards={rows}
      places={{
        title: '名额',
        text: ({ quota, quotaType }) =>
          quota === null ? '不限' : quotaType === quotaTypeCodes.percent ? `${figure(quota)}%` : `${figure(quota)} 人`,
      }}
    />
  )
}

/** The awards of a course: what each adds and how many of its places are taken. */
export function AwardUse({ liId }: { liId: string }) {
  const { data: awards } = useCall(registrationApi.loadAward, { liId })
  if (!awards) return <ReadSkeleton paragraph={{ rows: 3 }} title={false} />
  if (awards.length === 0) return <p className="nothing">本课程不设奖项，参与者按合格认定</p>
  return (
    <AwardTable
      awards={awards}
      places={{
        title: '已用名额',
        text: ({ quota, used }) => `${figure(used)} / ${quota === null ? '不限' : figure(quota)}`,
        isWarning: ({ quota, used }) => quota !== null && used >= quota,
      }}
    />
  )
}
