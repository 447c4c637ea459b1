import { grantRole } from '../roles/grants.service.ts'
import { openAccounts, setPassword } from '../people/accounts.service.ts'
import type { DemoClass, DemoStudent, DemoTeacher } from './demo-people.ts'
import { demoPassword, type DemoSchool } from './demo-school.ts'

export interface DemoAccounts {
  reviewer: string
  college: string
  counselor: string
  teacher: string
  secretary: string
}

/** The named accounts of the demo school, each with its role and area, all with the demo password; and a league committee for every other college. */
export async function makeAccounts(
  school: DemoSchool,
  { colleges, classes }: { colleges: { scId: string; scShort: string }[]; classes: DemoClass[] },
  students: DemoStudent[],
  teachers: DemoTeacher[],
): Promise<DemoAccounts> {
  const { ctx, db, schoolId, start, stamp, luck } = school
  const first = colleges[0]!
  const firstClass = classes.find(({ scId }) => scId === first.scId)!
  const role = (code: string) => start.roles[code]!
  const add = async (suLoginName: string, suiName: string, suiType: string, scId: string | null): Promise<string> => {
    const suId = luck.id()
    await db
      .insertInto('person')
      .values({ ...stamp, suId, suiType, suiName, suiNumber: suLoginName, suiCollegeId: scId, teacherType: '3' })
      .execute()
    await openAccounts(ctx, schoolId, [{ suId, suiNumber: suLoginName, suiName, suType: suiType }])
    await setPassword(ctx, schoolId, suId, demoPassword)
    return suId
  }
  const accounts = {
    reviewer: await add('reviewer', '周审核', '3', null),
    college: await add('college', '陈书记', '2', first.scId),
    counselor: await add('counselor', '刘辅导', '2', first.scId),
    teacher: await add('teacher', '王老师', '2', first.scId),
    secretary: '',
  }
  await grantRole(db, schoolId, role('SCHOOL_AUDIT'), accounts.reviewer)
  await grantRole(db, schoolId, role('COLLEGE_LEAGUE'), accounts.college, [{ caType: 'college', caTarget: first.scId }])
  const guided = classes.filter(({ scId, grade }) => scId === first.scId && grade === firstClass.grade).slice(0, 6)
  await grantRole(
    db,
    schoolId,
    role('COUNSELOR'),
    accounts.counselor,
    guided.map(({ scClassId }) => ({ caType: 'class' as const, caTarget: scClassId })),
  )
  await db
    .updateTable('schoolClass')
    .set({ counselorId: accounts.counselor })
    .where('schoolId', '=', schoolId)
    .where(
      'scClassId',
      'in',
      guided.map(({ scClassId }) => scClassId),
    )
    .execute()
  await grantRole(db, schoolId, role('GUIDE_TEACHER'), accounts.teacher)
  await grantRole(db, schoolId, role('DATA_VIEWER'), await add('viewer', '吴校长', '3', null))
  await grantRole(db, schoolId, role('AUDITOR'), await add('auditor', '郑督查', '3', null))

  const secretary = students.find(({ scClassId }) => scClassId === firstClass.scClassId)!
  accounts.secretary = secretary.suId
  await db
    .updateTable('account')
    .set({ suLoginName: 'secretary' })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', secretary.suId)
    .execute()
  await setPassword(ctx, schoolId, secretary.suId, demoPassword)
  await grantRole(db, schoolId, role('LEAGUE_SEC'), secretary.suId, [
    { caType: 'class', caTarget: firstClass.scClassId },
  ])

  for (const [at, { scId }] of colleges.entries()) {
    const teacher = teachers.find(({ college }) => college === at)
    if (at > 0 && teacher)
      await grantRole(db, schoolId, role('COLLEGE_LEAGUE'), teacher.suId, [{ caType: 'college', caTarget: scId }])
  }
  for (const { suId } of teachers.slice(colleges.length)) await grantRole(db, schoolId, role('GUIDE_TEACHER'), suId)
  return accounts
}
