import { StatusChip } from '../../core/parts/status-chip.tsx'
import { Stars } from './stars.tsx'
import type { TranscriptHeader } from './use-transcript.ts'
import { figure } from '../../core/service/figure.ts'
import { amountText } from '../../core/service/figure.ts'

/** What graduation asks of each module, what the student has, and what is missing. */
export function ModuleTable({ modules }: { modules: TranscriptHeader['modules'] }) {
  return (
    <table className="sheet-table module-table">
      <thead>
        <tr>
          <th scope="col">模块</th>
          <th scope="col" className="number">
            要求
          </th>
          <th scope="col">已获学时</th>
          <th scope="col" className="number">
            还差
          </th>
          <th scope="col" className="number">
            项数
          </th>
          <th scope="col">星级</th>
          <th scope="col">达标</th>
        </tr>
      </thead>
      <tbody>
        {modules.map(({ lsId, lsName, must, required, have, gap, stars, pass, count }) => (
          <tr key={lsId}>
            <th scope="row">
              {lsName}
              {!must && <small>选修</small>}
            </th>
            <td className="number" data-label="要求">
              {required}
            </td>
            <td className="module-have" data-label="已获">
              <span className="figures">{have}</span>
              <i className="module-bar" aria-hidden="true">
                <b style={{ width: `${shareOf(have, required)}%` }} className={pass ? 'is-full' : ''} />
              </i>
            </td>
            <td className="number" data-label="还差">
              {gap === '0' ? (
                <span className="nothing">—</span>
              ) : (
                <b className={must ? 'module-gap' : ''}>{amountText(gap)}</b>
              )}
            </td>
            <td className="number" data-label="项数">
              {figure(count)}
            </td>
            <td data-label="星级">
              <Stars count={stars} />
            </td>
            <td data-label="达标">
              {pass ? (
                <StatusChip tone="finished">达标</StatusChip>
              ) : must ? (
                <StatusChip tone="waiting">未达标</StatusChip>
              ) : (
                <span className="nothing">—</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const shareOf = (have: string, required: string): number =>
  Number(required) > 0
    ? Math.min(100, Math.max(0, (Number(have) / Number(required)) * 100))
    : Number(have) > 0
      ? 100
      : 0
