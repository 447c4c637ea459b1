import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { View } from '../../core/list/list-filters.tsx'
import type { Answer } from '../../core/service/use-call.ts'

/** Views of courses by their states, with how many there are where the counts are known. */
export function lessonViews(counts: Answer<typeof lessonApi.count>) {
  const count = (rows: NonNullable<typeof counts>) => ({ count: rows.reduce((sum, row) => sum + row.count, 0) })
  return {
    all: { title: '全部', filters: {}, ...(counts && count(counts)) } satisfies View,
    view: (title: string, ...statuses: string[]): View => ({
      title,
      filters: { liStatus: statuses.join(',') },
      ...(counts && count(counts.filter(({ liStatus }) => statuses.includes(liStatus)))),
    }),
  }
}
