import { sql } from 'kysely'
import { personType, teacherType } from '../../contract/core/codes/school.ts'
import { systemContext } from '../core/request/system.ts'
import { grantRole, type AreaTarget } from '../school/roles/grants.service.ts'
import { replaceSecretaries } from '../school/roles/league-secretary.service.ts'
import { openAccounts, setPassword } from '../school/people/accounts.service.ts'
import { bulkInsert } from './bulk.ts'
import type { DemoClass, DemoStudent, DemoTeacher } from './demo-people.ts'
import { demoPassword } from './account-list.ts'
import type { DemoSchool } from './demo-school.ts'

export interface DemoAccounts {
  reviewer: string
  college: string
  counselor: string
  teacher: string
  secretary: string
}

/** What the people behind the demo accounts are called. */
export const personas = {
  admin: '系统管理员',
  reviewer: '周雅琴',
  college: '陈志刚',
  counselor: '刘思敏',
  teacher: '王老师',
  viewer: '吴卫东',
  auditor: '郑卫国',
} as const

interface Organisation {
  colleges: { scId: string; scShort: string }[]
  classes: DemoClass[]
  /** Members of the department that looks after circles. */
  clubOffice: readonly string[]
}

/** Classes that one counselor looks after: about two hundred students. */
const classesEach = 6

/**
 * The named accounts of the demo school, each with its role and area, all with the demo password; and everybody else
 * who has an office: a league committee for every college, a counselor and a league secretary for every class, guides
 * of courses, and those who look after circles.
 */
export async function makeAccounts(
  school: DemoSchool,
  { colleges, classes, clubOffice }: Organisation,
  students: readonly DemoStudent[],
  teachers: readonly DemoTeacher[],
): Promise<DemoAccounts> {
  const { ctx, db, schoolId, start, stamp, random } = school
  const first = colleges[0]!
  const firstClass = classes.find(({ scId }) => scId === first.scId)!
  const role = (code: string) => start.roles[code]!
  const add = async (suLoginName: string, suiName: string, suiType: string, scId: string | null): Promise<string> => {
    const suId = random.id()
    await db
      .insertInto('person')
      .values({
        ...stamp,
        suId,
        suiType,
        suiName,
        suiNumber: suLoginName,
        suiCollegeId: scId,
        teacherType: teacherType.administrator,
      })
      .execute()
    await openAccounts(ctx, schoolId, [{ suId, suiNumber: suLoginName, suiName, suType: suiType }])
    await setPassword(ctx, schoolId, suId, demoPassword)
    return suId
  }
  const reviewer = await add('reviewer', personas.reviewer, personType.staff, null)
  const college = await add('college', personas.college, personType.teacher, first.scId)
  const counselor = await add('counselor', personas.counselor, personType.teacher, first.scId)
  const teacher = await add('teacher', personas.teacher, personType.teacher, first.scId)
  // of every year, so that there are freshmen as well as students who are short of hours
  const guided = classes.filter(({ scId }) => scId === first.scId).slice(0, classesEach)
  await grantRole(db, schoolId, role('SCHOOL_AUDIT'), reviewer)
  await grantRole(db, schoolId, role('COLLEGE_LEAGUE'), college, [{ caType: 'college', caTarget: first.scId }])
  await grantRole(db, schoolId, role('COUNSELOR'), counselor, classTargets(guided))
  await grantRole(db, schoolId, role('GUIDE_TEACHER'), teacher)
  await grantRole(db, schoolId, role('DATA_VIEWER'), await add('viewer', personas.viewer, personType.staff, null))
  await grantRole(db, schoolId, role('AUDITOR'), await add('auditor', personas.auditor, personType.staff, null))
  const secretary = await appointSecretaries(school, classes, students, firstClass)
  const others = staffColleges(school, colleges, classes, teachers, guided)
  await bulkInsert(db, 'roleUser', [
    ...others.map(({ srId, suId }) => ({ schoolId, srId, suId })),
    ...clubOffice.map((suId) => ({ schoolId, srId: role('CLUB_MGR'), suId })),
  ])
  await bulkInsert(
    db,
    'controlArea',
    others.flatMap(({ srId, suId, targets }) => targets.map((target) => ({ schoolId, srId, suId, ...target }))),
  )
  const counselors = [
    ...guided.map(({ scClassId }) => ({ scClassId, suId: counselor })),
    ...others
      .filter(({ srId }) => srId === role('COUNSELOR'))
      .flatMap(({ suId, targets }) => targets.map(({ caTarget }) => ({ scClassId: caTarget, suId }))),
  ]
  await sql`
    update "schoolClass" k
    set "counselorId" = c."suId"
    from json_to_recordset(${JSON.stringify(counselors)}::json) c ("scClassId" uuid, "suId" uuid)
    where k."schoolId" = ${schoolId} and k."scClassId" = c."scClassId"`.execute(db)
  return { reviewer, college, counselor, teacher, secretary }
}

const classTargets = (classes: readonly DemoClass[]): AreaTarget[] =>
  classes.map(({ scClassId }) => ({ caType: 'class', caTarget: scClassId }))

/**
 * The first enrolled student of every class leads its league branch; the one of the first class gets the account
 * `secretary`.
 * @returns their id
 */
async function appointSecretaries(
  { ctx, db, schoolId, start }: DemoSchool,
  classes: readonly DemoClass[],
  students: readonly DemoStudent[],
  firstClass: DemoClass,
): Promise<string> {
  const heads = new Map<string, string>()
  for (const { scClassId, suId, enrolled } of students)
    if (enrolled && !heads.has(scClassId)) heads.set(scClassId, suId)
  await replaceSecretaries(
    systemContext({ ...ctx, db }, schoolId),
    start.roles['LEAGUE_SEC']!,
    classes.flatMap(({ scClassId }) => {
      const suId = heads.get(scClassId)
      return suId ? [{ scClassId, suId }] : []
    }),
  )
  const secretary = heads.get(firstClass.scClassId)!
  await db
    .updateTable('account')
    .set({ suLoginName: 'secretary' })
    .where('schoolId', '=', schoolId)
    .where('suId', '=', secretary)
    .execute()
  await setPassword(ctx, schoolId, secretary, demoPassword)
  return secretary
}

/**
 * The offices that are no demo account's: of each college the first teacher is the league committee, the next are
 * counselors, and all others guide courses.
 */
function staffColleges(
  { start }: DemoSchool,
  colleges: readonly { scId: string }[],
  classes: readonly DemoClass[],
  teachers: readonly DemoTeacher[],
  guided: readonly DemoClass[],
): { srId: string; suId: string; targets: AreaTarget[] }[] {
  const role = (code: string) => start.roles[code]!
  const taken = new Set(guided.map(({ scClassId }) => scClassId))
  return colleges.flatMap(({ scId }, at) => {
    const [head, ...rest] = teachers.filter(({ college }) => college === at)
    if (!head) return []
    const left = classes.filter((one) => one.scId === scId && !taken.has(one.scClassId))
    const groups = Array.from({ length: Math.ceil(left.length / classesEach) }, (_, group) =>
      left.slice(group * classesEach, (group + 1) * classesEach),
    )
    // where a college has too few people, some look after more classes
    const able = rest.length > 0 ? rest : [head]
    const counselors = new Map<string, DemoClass[]>()
    for (const [group, ofGroup] of groups.entries()) {
      const { suId } = able[group % able.length]!
      counselors.set(suId, [...(counselors.get(suId) ?? []), ...ofGroup])
    }
    return [
      // the first college has the account `college` for its league committee
      ...(at > 0
        ? [
            {
              srId: role('COLLEGE_LEAGUE'),
              suId: head.suId,
              targets: [{ caType: 'college' as const, caTarget: scId }],
            },
          ]
        : []),
      ...[...counselors].map(([suId, own]) => ({ srId: role('COUNSELOR'), suId, targets: classTargets(own) })),
      ...rest
        .filter(({ suId }) => !counselors.has(suId))
        .map(({ suId }) => ({ srId: role('GUIDE_TEACHER'), suId, targets: [] as AreaTarget[] })),
    ]
  })
}
