import type { Input } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import type { View } from '../../core/list/list-filters.tsx'
import type { List } from '../../core/list/use-list.ts'
import { useCall } from '../../core/service/use-call.ts'

/**
 * Views of courses by their states, with how many of those that the other filters of a list find are in each; without
 * numbers until they are known.
 * @param named what the views of the list filter by: choosing one of them leaves nothing of the former
 */
export function useLessonViews({ query }: Pick<List<unknown>, 'query'>, named: readonly string[] = ['liStatus']) {
  const filters = Object.fromEntries(
    Object.entries(query).filter(([name]) => ![...named, 'sort', 'order'].includes(name)),
  ) as Input<typeof lessonApi.count>
  const { data: counts, isPlaceholderData: isFormer } = useCall(lessonApi.count, filters, { keepPrevious: true })
  const count = (rows: NonNullable<typeof counts>) => ({
    count: rows.reduce((sum, row) => sum + row.count, 0),
    isFormer,
  })
  return {
    all: { title: '全部', filters: {}, ...(counts && count(counts)) } satisfies View,
    view: (title: string, ...statuses: string[]): View => ({
      title,
      filters: { liStatus: statuses.join(',') },
      ...(counts && count(counts.filter(({ liStatus }) => statuses.includes(liStatus)))),
    }),
  }
}
