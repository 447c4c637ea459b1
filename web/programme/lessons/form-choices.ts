import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { circleApi } from '../../../contract/programme/circles/circles.calls.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { askAhead } from '../../core/service/use-call.ts'
import { forLessons, minutes } from './lesson-choices.ts'

/**
 * Asks for all that the fields of a course's form offer, beside the course itself: they are drawn only once it is
 * there, and what they asked for then would come after it.
 */
export function askFormChoices(): void {
  // what fails is told by the field that asks for it again
  const kept = { staleTime: minutes, quiet: true }
  askAhead(curriculumApi.all, forLessons, kept)
  askAhead(curriculumApi.levels, {}, kept)
  askAhead(labelApi.lessonLabel, {}, kept)
  askAhead(schoolApi.isGydx, {}, kept)
  askAhead(schoolApi.isYkdx, {}, kept)
  askAhead(circleApi.options, {}, { staleTime: 60_000, quiet: true })
  askAhead(departmentApi.tree, {}, kept)
  askAhead(collegeApi.options, {}, kept)
  askAhead(collegeApi.tree, {}, kept)
  askAhead(regionApi.grades, {}, kept)
  askAhead(awardApi.select, {}, kept)
}
