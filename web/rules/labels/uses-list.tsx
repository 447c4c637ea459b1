import { Link } from 'react-router'
import { evaluationApi } from '../../../contract/rules/evaluation/evaluation.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { usePermission } from '../../core/service/rights.ts'
import { useCall } from '../../core/service/use-call.ts'
import { ReadSkeleton } from '../../core/screen/read-skeleton.tsx'

/** The scoring rules that give points for a label, each leading to its form. */
export function UsesList({ sqlId }: { sqlId: string }) {
  const { data } = useCall(labelApi.uses, { sqlId }, { staleTime: 0 })
  const may = usePermission()
  if (!data) return <ReadSkeleton title={false} paragraph={{ rows: 3 }} />
  return (
    <ul className="label-uses">
      {data.map(({ esId, esName, lsFullName, levelName, versionNo, current, weight }) => {
        const name = `${lsFullName} · ${levelName}${esName ? `（${esName}）` : ''}`
        return (
          <li key={esId}>
            {current && may(evaluationApi.edit) ? (
              <Link to={`/basicConfig/EvaluationSystem/EditEvaluationSystem?esId=${esId}`}>{name}</Link>
            ) : (
              name
            )}
            <small>
              {current ? '' : `旧版第 ${versionNo} 版，`}权重 {weight}%
            </small>
          </li>
        )
      })}
    </ul>
  )
}
