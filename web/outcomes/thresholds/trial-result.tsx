import type { Output } from '../../../contract/core/call.ts'
import type { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { labelOf } from '../../core/service/dictionary-store.ts'
import { figure } from '../../core/service/figure.ts'

/** What would come of base values if they were saved. */
export function TrialResult({
  trial: { total, now, planned, worse, better, examples },
}: {
  trial: Output<typeof thresholdApi.preview>
}) {
  return (
    <section className="trial" role="status" aria-label="试算结果">
      <h3>
        试算结果<small>{figure(total)} 名学生，尚未保存</small>
      </h3>
      <table className="gap-table">
        <thead>
          <tr>
            <th scope="col">等级</th>
            <th scope="col" className="figures">
              现在
            </th>
            <th scope="col" className="figures">
              保存后
            </th>
            <th scope="col" className="figures">
              变化
            </th>
          </tr>
        </thead>
        <tbody>
          {[3, 2, 1, 0].map((level) => {
            const change = planned[level]! - now[level]!
            return (
              <tr key={level}>
                <th scope="row">{labelOf('warn_level', String(level))}</th>
                <td className="figures">{now[level]}</td>
                <td className="figures">
                  <b>{planned[level]}</b>
                </td>
                <td className="figures">{change > 0 ? `+${change}` : change}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p>
        {worse === 0 && better === 0 ? '没有学生的等级会改变。' : `${worse} 名学生的等级会上升，${better} 名会下降。`}
      </p>
      {examples.length > 0 && (
        <p className="trial-examples">
          等级上升的学生，如{' '}
          {examples
            .slice(0, 6)
            .map(
              ({ suiName, suiNumber, now: before, planned: after }) =>
                `${suiName}（${suiNumber}，${labelOf('warn_level', before)} → ${labelOf('warn_level', after)}）`,
            )
            .join('、')}
        </p>
      )}
    </section>
  )
}
