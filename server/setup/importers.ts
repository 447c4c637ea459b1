import type { Importers } from '../platform/imports/importer.ts'
import { circleMemberImporter } from '../programme/circles/circle-members.importer.ts'
import { applyImporter } from '../programme/lessons/importers/apply.importer.ts'
import { lessonImporter } from '../programme/lessons/importers/lessons.importer.ts'
import { signImporter } from '../programme/lessons/importers/sign.importer.ts'
import { classImporter } from '../school/organisation/classes.importer.ts'
import { collegeImporter } from '../school/organisation/colleges.importer.ts'
import { departmentUserImporter } from '../school/organisation/department-users.importer.ts'
import { departmentImporter } from '../school/organisation/departments.importer.ts'
import { majorImporter } from '../school/organisation/majors.importer.ts'
import { timetableImporter } from '../school/organisation/timetable.importer.ts'
import { studentImporter } from '../school/people/students.importer.ts'
import { teacherImporter } from '../school/people/teachers.importer.ts'
import { leagueSecretaryImporter } from '../school/roles/league-secretary.importer.ts'
import { disputeImporter } from '../programme/disputes/disputes.importer.ts'
import { roleUserImporter } from '../school/roles/role-users.importer.ts'
import { supplementAwardImporter, supplementImporter } from '../programme/supplements/supplement.importer.ts'
import { thresholdImporter } from '../outcomes/thresholds/thresholds.importer.ts'

/** Everything that can be imported from a sheet; the calls answer for these, and their jobs do the large ones. */
export const importers: Importers = {
  college: collegeImporter,
  major: majorImporter,
  class: classImporter,
  department: departmentImporter,
  departmentUser: departmentUserImporter,
  timetable: timetableImporter,
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
