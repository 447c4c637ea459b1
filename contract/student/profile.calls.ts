import { z } from 'zod'
import { call } from '../core/call.ts'
import { nothing } from '../core/fields.ts'
import { studentDetail } from '../school/people/students.calls.ts'

/** What the school keeps about the student themselves; they read it and have others mend it. */
export const ownProfileApi = {
  read: call('GET', '/student/profile', {
    summary: '我的基本信息',
    permit: 'student:self',
    input: nothing,
    output: studentDetail
      .pick({
        suiName: true,
        suiNumber: true,
        suiSex: true,
        suiNation: true,
        suiCollegeName: true,
        majorName: true,
        scClassName: true,
        suiGrade: true,
        suiStatus: true,
        suiEduLevel: true,
        suiStudyYears: true,
        suiEnterDate: true,
        suiGraduateDate: true,
        suiCampus: true,
        isVolunteerRegistered: true,
        volunteerNo: true,
        /** Masked, both: they say only whether the school has them, and to whom it belongs that is known. */
        birth: true,
        suiIdCard: true,
        /** Open, unlike elsewhere: it is the student's own. */
        suiPolitical: true,
      })
      .extend({
        /** Whoever looks after the student's class, for what is wrong here; '' for nobody. */
        counselorName: z.string(),
        headTeacherName: z.string(),
      }),
  }),
}
