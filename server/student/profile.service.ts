import type { Output } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { ownProfileApi } from '../../contract/student/profile.calls.ts'
import type { Context } from '../core/request/context.ts'
import { maskedBirth, maskedIdCard } from '../school/people/sensitive.ts'
import { visibleStudentsWithPlace } from '../school/people/students.service.ts'
import { tutorNamesOf } from '../school/people/tutors.service.ts'

/**
 * What the school keeps about the student who asks, as staff see it, and whom they tell when it is wrong. Papers stay
 * masked, for phones are lent; the political status is told.
 */
export async function ownProfile(ctx: Context): Promise<Output<typeof ownProfileApi.read>> {
  const { suId } = ctx.actor
  const [row, tutors] = await Promise.all([
    visibleStudentsWithPlace(ctx)
      .where('person.suId', '=', suId)
      .select(['person.suiName', 'person.suiNumber', 'person.suiSex', 'person.suiNation', 'person.birth'])
      .select(['college.scName as suiCollegeName', 'major.smName as majorName', 'schoolClass.scClassName'])
      .select(['person.suiGrade', 'person.suiStatus', 'person.suiEduLevel', 'person.suiStudyYears'])
      .select(['person.suiEnterDate', 'person.suiGraduateDate', 'person.suiCampus'])
      .select(['person.isVolunteerRegistered', 'person.volunteerNo', 'person.suiIdCard', 'person.suiPolitical'])
      .executeTakeFirst(),
    tutorNamesOf(ctx, [suId]),
  ])
  if (!row) throw new Failure('not-found')
  const { counselor = '', headTeacher = '' } = tutors.get(suId) ?? {}
  return {
    ...row,
    birth: maskedBirth(row.birth),
    suiIdCard: maskedIdCard(row.suiIdCard, ctx.secrets),
    counselorName: counselor,
    headTeacherName: headTeacher,
  }
}
