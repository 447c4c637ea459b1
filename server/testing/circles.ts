import type { Input } from '../../contract/core/call.ts'
import { circleApi } from '../../contract/programme/circles/circles.calls.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from './school.ts'

type Form = Input<typeof circleApi.add>

/**
 * A school in which circles may be founded by one student and nobody else, with a college, a guide teacher, and those
 * who look after circles.
 */
export interface CircleWorld {
  school: TestSchool
  scId: string
  ccId: string
  students: { suId: string; suiName: string; suiNumber: string }[]
  /** Guides circles; no area of their own. */
  teacher: TestPerson
  /** League committee of the college. */
  leader: TestPerson
  form: (more?: Partial<Form>) => Form
  /** A founded circle of the college, led by the first student and guided by the teacher, unless told otherwise. */
  founded: (more?: Partial<Form>) => Promise<string>
}

export async function circleWorld(): Promise<CircleWorld> {
  const school = await newSchool()
  await school.rules({ clubFounders: 1, clubTeachers: 0, clubUnitNeeded: yesNo.no, clubCharterNeeded: yesNo.no })
  const scId = await school.college()
  const majorId = await school.major(scId)
  const scClassId = await school.schoolClass(majorId, scId)
  const students = await school.students(6, { suiCollegeId: scId, majorId, scClassId })
  const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
  const leader = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
  const { ccId } = (await school.admin.send(circleApi.classes, {}))[0]!
  const form = (more: Partial<Form> = {}): Form => ({
    ciName: `圈子${unique()}`,
    ciClass: ccId,
    ciCollegeId: scId,
    cpiPersonId: students[0]!.suId,
    teacherIds: [teacher.suId],
    personIds: students.slice(0, 3).map(({ suId }) => suId),
    ...more,
  })
  return {
    school,
    scId,
    ccId,
    students,
    teacher,
    leader,
    form,
    founded: async (more) => (await school.admin.send(circleApi.add, form(more))).ciId,
  }
}
