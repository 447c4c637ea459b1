import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { studentApi } from '../../contract/school/people/students.calls.ts'
import { isScreenOpen } from '../core/service/open-screens.ts'
import { useCall } from '../core/service/use-call.ts'
import { useDebounced } from '../core/service/use-debounced.ts'
import type { Target } from './palette-targets.ts'

const few = 5
const lessonDetail = '/courseManagement/detailCurriculumList'
const studentDetail = '/personnelAdmin/studentAdmin/detail'

/**
 * Courses and students that fit what is being typed, for those who may open them. Two characters are the least worth a
 * search.
 */
export function useFoundRecords(typed: string): { found: Target[]; isSearching: boolean } {
  const needle = useDebounced(typed.trim(), 250)
  const isWorth = needle.length >= 2
  const lessons = useCall(
    lessonApi.view,
    { liName: needle, pageSize: few },
    { enabled: isWorth && isScreenOpen(lessonDetail) },
  )
  const students = useCall(
    studentApi.list,
    { search: needle, pageSize: few },
    { enabled: isWorth && isScreenOpen(studentDetail) },
  )
  if (!isWorth || needle !== typed.trim()) return { found: [], isSearching: typed.trim().length >= 2 }
  return {
    found: [
      ...(students.data?.records ?? []).map(({ suId, suiName, suiNumber }) => ({
        title: `${suiName} ${suiNumber}`,
        place: '学生',
        address: `${studentDetail}?suId=${suId}`,
      })),
      ...(lessons.data?.records ?? []).map(({ liId, liName }) => ({
        title: liName,
        place: '课程',
        address: `${lessonDetail}?liId=${liId}`,
      })),
    ],
    isSearching: lessons.isFetching || students.isFetching,
  }
}
