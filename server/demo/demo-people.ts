import { sql } from 'kysely'
import {
  eduLevel,
  personSex,
  personType,
  studentStatus,
  teacherStatus,
  teacherType,
} from '../../contract/core/codes/school.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { noPassword } from '../core/secrets/passwords.ts'
import { seal, sealedKey } from '../core/secrets/field-crypto.ts'
import { foldLoginName } from '../school/people/accounts.service.ts'
import { bulkInsert } from './bulk.ts'
import { collegeNames, departmentNames, personName } from './names.ts'
import type { DemoSchool } from './demo-school.ts'

export interface DemoClass {
  scClassId: string
  scClassName: string
  scId: string
  smId: string
  grade: string
  college: number
}
export interface DemoStudent {
  suId: string
  suiName: string
  suiNumber: string
  scClassId: string
  scId: string
  college: number
  grade: string
  /** Whether the student is enrolled; some have suspended their studies. */
  enrolled: boolean
}
export interface DemoTeacher {
  suId: string
  suiName: string
  suiNumber: string
  scId: string
  college: number
}

/** Colleges, majors, classes of four grades, and departments: twelve colleges at full size, fewer in a small school. */
export async function makeOrganisation({ db, schoolId, stamp, random, size, now }: DemoSchool) {
  const colleges = collegeNames.slice(0, size.colleges).map(([scName, scShort, majors], at) => ({
    scId: random.id(),
    scName,
    scShort,
    majors,
    scCode: `C${String(at + 1).padStart(2, '0')}`,
  }))
  await bulkInsert(
    db,
    'college',
    colleges.map(({ majors: _, ...college }, scSort) => ({
      ...stamp,
      ...college,
      scSort,
      scLeader: personName(random),
    })),
  )
  const majors = colleges.flatMap(({ scId, scCode, majors: names }, college) =>
    names.slice(0, size.majorsPerCollege).map(([smName, short], at) => ({
      smId: random.id(),
      smName,
      short,
      smCode: `${scCode}${String(at + 1).padStart(2, '0')}`,
      scId,
      college,
    })),
  )
  await bulkInsert(
    db,
    'major',
    majors.map(({ college: _, short: _short, ...major }, scSort) => ({
      ...stamp,
      ...major,
      scSort,
      eduLevel: eduLevel.bachelor,
      years: 4,
    })),
  )
  const year = Number(now.slice(0, 4)) - (now.slice(5, 10) < '08-16' ? 1 : 0)
  const grades = [0, 1, 2, 3].map((back) => String(year - back))
  const everyClass: DemoClass[] = majors.flatMap(({ smId, short, scId, college }) =>
    grades.flatMap((grade) =>
      Array.from({ length: size.classesPerMajor }, (_, at) => ({
        scClassId: random.id(),
        scClassName: `${short}${grade.slice(2)}${String(at + 1).padStart(2, '0')}班`,
        scId,
        smId,
        grade,
        college,
      })),
    ),
  )
  // no class without a student
  const classes = everyClass.slice(0, Math.max(1, size.students))
  await bulkInsert(
    db,
    'schoolClass',
    classes.map(({ grade, college: _, ...one }, scClassSort) => ({
      ...stamp,
      ...one,
      scClassGrade: grade,
      scClassSort,
      scClassCode: `B${String(scClassSort + 1).padStart(4, '0')}`,
    })),
  )
  const departments = departmentNames.flatMap(([sdName, sdCode, sdType, children], sdSort) => {
    const sdId = random.id()
    return [
      { sdId, sdName: sdName as string, sdCode: sdCode as string, sdPid: null as string | null, sdType, sdSort },
      ...children.map((name, at) => ({
        sdId: random.id(),
        sdName: name as string,
        sdCode: `${sdCode}${at + 1}`,
        sdPid: sdId as string | null,
        sdType,
        sdSort: at,
      })),
    ]
  })
  await bulkInsert(
    db,
    'department',
    departments.map((department) => ({ ...stamp, ...department })),
  )
  return { schoolId, colleges, majors, classes, grades, departments }
}

const provinces = ['110000', '310000', '320000', '330000', '370000', '410000', '420000', '440000', '510000', '610000']

/** Students spread over the classes, each with an account that nobody can use until a password is given. */
export async function makeStudents(
  { db, stamp, random, size, secrets }: DemoSchool,
  classes: DemoClass[],
): Promise<DemoStudent[]> {
  const students: DemoStudent[] = []
  const serials = new Map<string, number>()
  const known = new Map<string, Set<string>>()
  const rows = Array.from({ length: size.students }, (_, at) => {
    const place = classes[at % classes.length]!
    const key = `${place.grade}${place.college + 11}`
    const serial = (serials.get(key) ?? 0) + 1
    serials.set(key, serial)
    const student = {
      suId: random.id(),
      suiName: nameFor(known, place.scClassId, random),
      suiNumber: `${key}${String(serial).padStart(4, '0')}`,
      scClassId: place.scClassId,
      scId: place.scId,
      college: place.college,
      grade: place.grade,
      enrolled: true,
    }
    students.push(student)
    const phone = `1${random.one(['38', '39', '50', '86', '77'])}${String(random.whole(0, 99_999_999)).padStart(8, '0')}`
    const row = {
      ...stamp,
      suId: student.suId,
      suiType: personType.student,
      suiName: student.suiName,
      suiNumber: student.suiNumber,
      suiSex: random.odds(0.52) ? personSex.female : personSex.male,
      birth: `${Number(place.grade) - 18 - (random.odds(0.3) ? 1 : 0)}-${String(random.whole(1, 12)).padStart(2, '0')}-${String(random.whole(1, 28)).padStart(2, '0')}`,
      suiNation: random.odds(0.92) ? '01' : random.one(['03', '05', '08', '10', '15']),
      suiPolitical: random.weighted([
        ['03', 82],
        ['13', 10],
        ['02', 5],
        ['01', 3],
      ]),
      suiPhone: hexOf(seal(phone, secrets)),
      suiPhoneHash: hexOf(sealedKey(phone, secrets)),
      suiCollegeId: place.scId,
      majorId: place.smId,
      scClassId: place.scClassId,
      suiGrade: place.grade,
      suiEduLevel: eduLevel.bachelor,
      suiStudyYears: 4,
      suiEnterDate: `${place.grade}-09-01`,
      // whoever leads the league branch of a class is enrolled
      suiStatus: random.odds(0.985) || at < classes.length ? studentStatus.enrolled : studentStatus.suspended,
      provinceId: random.one(provinces),
      suiCredibility: random.odds(0.9) ? 100 : random.whole(60, 99),
    }
    student.enrolled = row.suiStatus === studentStatus.enrolled
    return row
  })
  await bulkInsert(db, 'person', rows)
  await bulkInsert(
    db,
    'account',
    rows.map((row) => accountRow(stamp.schoolId, row)),
  )
  return students
}

/** A name that nobody in the class has yet; once in a while two do, as happens. */
function nameFor(known: Map<string, Set<string>>, scClassId: string, random: DemoSchool['random']): string {
  const taken = known.get(scClassId) ?? new Set()
  known.set(scClassId, taken)
  let name = personName(random)
  for (let tries = 0; taken.has(name) && tries < 20 && !random.odds(0.05); tries++) name = personName(random)
  taken.add(name)
  return name
}

/** Teachers of every college; the first of each is its counselor. */
export async function makeTeachers(
  { db, stamp, random, size, now }: DemoSchool,
  colleges: { scId: string }[],
): Promise<DemoTeacher[]> {
  const rows = Array.from({ length: size.teachers }, (_, at) => {
    const college = at % colleges.length
    return {
      ...stamp,
      suId: random.id(),
      suiType: personType.teacher,
      suiName: personName(random),
      suiNumber: `T${String(at + 1).padStart(4, '0')}`,
      suiSex: random.odds(0.5) ? personSex.female : personSex.male,
      birth: dayOf(addDays(now, -random.whole(28, 58) * 365)),
      suiPolitical: random.weighted([
        ['01', 60],
        ['13', 35],
        ['05', 5],
      ]),
      suiCollegeId: colleges[college]!.scId,
      title: random.one(['1', '2', '3', '3', '4']),
      teacherType: at < colleges.length ? teacherType.counsellor : teacherType.fullTime,
      suiStatus: teacherStatus.employed,
    }
  })
  await bulkInsert(db, 'person', rows)
  await bulkInsert(
    db,
    'account',
    rows.map((row) => accountRow(stamp.schoolId, row)),
  )
  return rows.map(({ suId, suiName, suiNumber, suiCollegeId }, at) => ({
    suId,
    suiName,
    suiNumber,
    scId: suiCollegeId,
    college: at % colleges.length,
  }))
}

const posts = ['主任', '副主任', '干事']

/** Three members of staff for every department, the first of them its head. @returns who serves in which department */
export async function staffDepartments(
  { db, schoolId }: DemoSchool,
  departments: readonly { sdId: string }[],
  teachers: readonly DemoTeacher[],
): Promise<{ sdId: string; suId: string }[]> {
  const seats = departments.flatMap(({ sdId }, department) =>
    posts.slice(0, teachers.length).map((post, at) => ({
      schoolId,
      sdId,
      suId: teachers[(department * posts.length + at) % teachers.length]!.suId,
      post,
      memberSort: at + 1,
    })),
  )
  await bulkInsert(db, 'departmentUser', seats)
  await sql`
      update "department" d
      set "sdLeaderId" = u."suId"
      from "departmentUser" u
      where d."schoolId" = ${schoolId} and u."schoolId" = d."schoolId" and u."sdId" = d."sdId" and u."memberSort" = 1`.execute(
    db,
  )
  return seats
}

const accountRow = (
  schoolId: string,
  person: { suId: string; suiNumber: string; suiName: string; suiType: string },
) => ({
  schoolId,
  suId: person.suId,
  suLoginName: foldLoginName(person.suiNumber),
  suNickname: person.suiName,
  suType: person.suiType,
  passwordHash: noPassword,
})

const hexOf = (bytes: Buffer | null): string | null => (bytes ? `\\x${bytes.toString('hex')}` : null)
