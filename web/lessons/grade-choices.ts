import dayjs from 'dayjs'
import type { Choice } from '../core/multi-select.tsx'

/** Grades that may study now: this year's and the six before it. */
export function useGrades(): Choice[] {
  const year = dayjs().year()
  return Array.from({ length: 7 }, (_, back) => ({ value: String(year - back), label: `${year - back} 级` }))
}
