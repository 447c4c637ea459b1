import { labelOf } from '../../contract/core/dictionary.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { studentApi } from '../../contract/school/people/students.calls.ts'
import { countOf } from '../core/list/list-total.tsx'
import { isScreenOpen } from '../core/service/open-screens.ts'
import { useCall } from '../core/service/use-call.ts'
import { useDebounced } from '../core/service/use-debounced.ts'
import type { Target } from './palette-targets.ts'

const few = 5
const lessonDetail = '/courseManagement/detailCurriculumList'
const lessonList = '/courseManagement/CurriculumList'
const studentDetail = '/personnelAdmin/studentAdmin/detail'
const studentList = '/personnelAdmin/studentAdmin'

/** What leads to the list of all that fit, where there are more than are shown. */
function allOf(total: number, what: string, address: string): Target[] {
  if (total <= few) return []
  return [{ title: `查看全部 ${countOf(total, false)} ${what}`, place: '列表', address }]
}

/**
 * Courses and students that fit what is being typed, for those who may open them. Two characters are the least worth a
 * search.
 */
export function useFoundRecords(typed: string): {
  found: Target[]
  isSearching: boolean
  /** Nothing was told of some of them. */
  isFailed: boolean
} {
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
  if (!isWorth || needle !== typed.trim()) return { found: [], isSearching: typed.trim().length >= 2, isFailed: false }
  const asked = encodeURIComponent(needle)
  return {
    found: [
      ...(students.data?.records ?? []).map(({ suId, suiName, suiNumber, suiCollegeName, scClassName }) => ({
        title: `${suiName} ${suiNumber}`,
        place: ['学生', scClassName ?? suiCollegeName].filter(Boolean).join(' · '),
        address: `${studentDetail}?suId=${suId}`,
      })),
      ...allOf(students.data?.total ?? 0, '名学生', `${studentList}?search=${asked}`),
      ...(lessons.data?.records ?? []).map(({ liId, liName, liStatus, startTime, liSponsorName }) => ({
        title: liName,
        place: ['课程', labelOf('lesson_status', liStatus), startTime.slice(0, 10), liSponsorName]
          .filter(Boolean)
          .join(' · '),
        address: `${lessonDetail}?liId=${liId}`,
      })),
      ...allOf(lessons.data?.total ?? 0, '门课程', `${lessonList}?liName=${asked}`),
    ],
    isSearching: lessons.isFetching || students.isFetching,
    isFailed: lessons.isError || students.isError,
  }
}
