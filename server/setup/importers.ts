import type { Importers } from '../imports/importer.ts'
import { circleMemberImporter } from '../circles/circle-members.importer.ts'
import { applyImporter } from '../lessons/registration/apply.importer.ts'
import { lessonImporter } from '../lessons/planning/lessons.importer.ts'
import { signImporter } from '../lessons/signing/sign.importer.ts'
import { classImporter } from '../organisation/classes.importer.ts'
import { collegeImporter } from '../organisation/colleges.importer.ts'
import { departmentUserImporter } from '../organisation/department-users.importer.ts'
import { departmentImporter } from '../organisation/departments.importer.ts'
import { majorImporter } from '../organisation/majors.importer.ts'
import { studentImporter } from '../people/students.importer.ts'
import { teacherImporter } from '../people/teachers.importer.ts'
import { leagueSecretaryImporter } from '../roles/league-secretary.importer.ts'
import { disputeImporter } from '../disputes/disputes.importer.ts'
import { roleUserImporter } from '../roles/role-users.importer.ts'
import { supplementAwardImporter, supplementImporter } from '../supplements/supplement.importer.ts'
import { thresholdImporter } from '../thresholds/thresholds.importer.ts'

/** Everything that can be imported from a sheet; the calls answer for these, and their jobs do the large ones. */
export const importers: Importers = {
  college: collegeImporter,
  major: majorImporter,
  class: classImporter,
  department: departmentImporter,
  departmentUser: departmentUserImporter,
  student: studentImporter,
  teacher: teacherImporter,
  roleUser: roleUserImporter,
  leagueSecretary: leagueSecretaryImporter,
  circleMember: circleMemberImporter,
  lesson: lessonImporter,
  lessonApply: applyImporter,
  signIn: signImporter,
  supplement: supplementImporter,
  supplementAward: supplementAwardImporter,
  question: disputeImporter,
  threshold: thresholdImporter,
}
