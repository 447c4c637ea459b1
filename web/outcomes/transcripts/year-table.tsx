import { yearVerdict } from '../../../contract/core/codes/outcomes.ts'
import { StatusChip } from '../../core/parts/status-chip.tsx'
import { labelOf } from '../../core/service/dictionary-store.ts'
import type { TranscriptHeader } from './use-transcript.ts'
import { amountText } from '../../core/service/figure.ts'

const tones = {
  [yearVerdict.failed]: 'refused',
  [yearVerdict.passed]: 'finished',
  [yearVerdict.excellent]: 'finished',
  [yearVerdict.running]: 'waiting',
} as const

/** What each school year was worth, the latest first. */
export function YearTable({ years }: { years: TranscriptHeader['years'] }) {
  return (
    <table className="sheet-table">
      <thead>
        <tr>
          <th scope="col">学年</th>
          <th scope="col" className="number">
            学时
          </th>
          <th scope="col" className="number">
            距合格还差
          </th>
          <th scope="col">评定</th>
        </tr>
      </thead>
      <tbody>
        {years.map(({ yearName, hours, gap, verdict }) => (
          <tr key={yearName}>
            <th scope="row">{yearName}</th>
            <td className="number" data-label="学时">
              {amountText(hours)}
            </td>
            <td className="number" data-label="距合格还差">
              {gap === '0' ? <span className="nothing">—</span> : amountText(gap)}
            </td>
            <td data-label="评定">
              <StatusChip tone={tones[verdict]}>{labelOf('year_verdict', verdict)}</StatusChip>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
