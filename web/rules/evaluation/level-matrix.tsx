import { NumberInput } from '../../core/parts/number-input.tsx'
import { OwnStatus } from '../../core/parts/row-editor.tsx'

type Amount = 'baseHours' | 'hourCap' | 'credit' | 'points'
export type LevelRow = { esLessonLevel: string } & { [K in Amount]?: string }

const columns: [Amount, string, string, string][] = [
  ['baseHours', '学时', '学时', ''],
  ['hourCap', '学时上限', '学时', '不限'],
  ['credit', '学分', '学分', '0'],
  ['points', '积分', '分', '0'],
]

interface Props {
  levels: readonly { id: string; name: string; taken: boolean }[]
  value?: readonly LevelRow[]
  onChange?: (rows: LevelRow[]) => void
  id?: string
}

/** Levels by amounts: a level with nothing filled in gets no rule; one that has a rule already is closed. */
export function LevelMatrix({ levels, value = [], onChange, id }: Props) {
  const rowOf = (level: string): LevelRow =>
    value.find(({ esLessonLevel }) => esLessonLevel === level) ?? { esLessonLevel: level }
  const set = (level: string, field: Amount, amount: string) => {
    const { [field]: _, ...rest } = rowOf(level)
    const changed: LevelRow = { ...rest, ...(amount && { [field]: amount }) }
    const others = value.filter(({ esLessonLevel }) => esLessonLevel !== level)
    const rows = Object.keys(changed).length > 1 ? [...others, changed] : others
    onChange?.(levels.flatMap((one) => rows.filter(({ esLessonLevel }) => esLessonLevel === one.id)))
  }
  return (
    <OwnStatus>
      <table className="level-matrix" id={id} tabIndex={-1}>
        <thead>
          <tr>
            <th>级别</th>
            {columns.map(([field, title]) => (
              <th key={field}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => {
            const row = rowOf(level.id)
            const isLacking = Object.keys(row).length > 1 && !row.baseHours
            return (
              <tr key={level.id} className={level.taken ? 'is-taken' : ''}>
                <th scope="row">
                  {level.name}
                  {level.taken && <small>已有规则</small>}
                </th>
                {columns.map(([field, title, unit, hint]) => (
                  <td key={field} data-title={title}>
                    <NumberInput
                      aria-label={`${level.name}${title}`}
                      decimals={2}
                      unit={unit}
                      placeholder={hint}
                      disabled={level.taken}
                      status={field === 'baseHours' && isLacking ? 'error' : ''}
                      value={row[field] ?? ''}
                      onChange={(amount) => set(level.id, field, amount)}
                    />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </OwnStatus>
  )
}
