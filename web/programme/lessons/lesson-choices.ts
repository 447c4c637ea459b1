import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { curriculumType } from '../../../contract/core/codes/rules.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import type { Choice } from '../../core/parts/multi-select.tsx'
import { useCall } from '../../core/service/use-call.ts'
import { useCurriculumTree } from '../../shared/curriculum/curriculum-tree.ts'

export const minutes = 5 * 60_000
export const forLessons = { lsType: curriculumType.lessons, enable: enableStatus.enabled }
/** The curriculum nodes that courses may hang on, as a tree to choose from and by id. */
export const useCurriculum = () => useCurriculumTree(forLessons)

/** The school's course levels. */
export function useLevels(): Choice[] {
  const { data = [] } = useCall(curriculumApi.levels, {}, { staleTime: minutes })
  return data.map(({ llId, llName }) => ({ value: llId, label: llName }))
}

/** The school's colleges; with a right, those its area covers. */
export function useColleges(under?: `${string}:${string}`): Choice[] {
  const { data = [] } = useCall(collegeApi.options, { ...(under && { under }) }, { staleTime: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** The grades that study at the school. */
export function useGrades(): Choice[] {
  const { data = [] } = useCall(regionApi.grades, {}, { staleTime: minutes })
  return data.map(({ id, name }) => ({ value: id, label: name }))
}

/** The school's award templates, closed ones included: courses may have chosen them. */
export function useAwardTemplates(): Choice[] {
  const { data = [] } = useCall(awardApi.select, { withClosed: yesNo.yes }, { staleTime: minutes })
  return data.map(({ atId, atName }) => ({ value: atId, label: atName }))
}
