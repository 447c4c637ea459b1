import { yesNo } from '../../contract/core/codes/platform.ts'
import { lessonStatus, supplementType } from '../../contract/core/codes/programme.ts'
import { dataScope as dataScopeCodes, personType } from '../../contract/core/codes/school.ts'
import { newId } from '../core/base/ids.ts'
import { openAccounts } from '../school/people/accounts.service.ts'
import { grantRole } from '../school/roles/grants.service.ts'
import { roleSeeds } from '../school/roles/role-seeds.ts'
import { makeFlow } from './flows.ts'
import type { Client } from './client.ts'
import { circleOf, messageOf, newsOf, disputeOf } from './matrix-life.ts'
import type { Records } from './sample-input.ts'
import { newSchool, unique, type TestSchool } from './school.ts'
import { storeLesson } from './stored-lesson.ts'

/**
 * Where a record lies, as seen by whoever asks for it: in their own part of the school, in another college, in another
 * school.
 */
export const sides = ['own', 'other', 'strange'] as const
export type Side = (typeof sides)[number]

/** Somebody with one built-in role and the area it takes; what is their own may be a course of their own. */
export interface RoleHolder {
  srCode: string
  permits: ReadonlySet<string>
  client: Client
  own: Records
}

export interface MatrixWorld {
  school: TestSchool
  records: Record<Side, Records>
  /** A text that stands in the names of the records of a side and nowhere else. */
  canary: Record<Side, string>
  holders: RoleHolder[]
}

/**
 * Two schools; in the first two colleges with a record of every kind, and a holder of every built-in role in the first
 * college.
 */
export async function matrixWorld(): Promise<MatrixWorld> {
  const [school, stranger] = [await newSchool(), await newSchool()]
  await school.rules({ clubFounders: 1, clubTeachers: 0, clubUnitNeeded: yesNo.no, clubCharterNeeded: yesNo.no })
  // the sample of every form names the version of a record nobody has changed yet
  await school.ctx.db
    .updateTable('school')
    .set({ settingsVersion: 0 })
    .where('schoolId', '=', school.schoolId)
    .execute()
  const canary = { own: `己${unique()}`, other: `旁${unique()}`, strange: `外${unique()}` }
  const roots = Object.keys(school.curriculum).filter((path) => !path.includes('/'))
  const child = (of: TestSchool, root: string) =>
    of.curriculum[Object.keys(of.curriculum).find((path) => path.startsWith(`${root}/`))!]!
  const place = (of: TestSchool, name: string, root: string) =>
    recordsOf(of, name, { root: of.curriculum[root]!, node: child(of, root) })
  const records = {
    own: await place(school, canary.own, roots[0]!),
    other: await place(school, canary.other, roots[1]!),
    strange: await place(stranger, canary.strange, roots[0]!),
  }
  const holders: RoleHolder[] = []
  for (const { srCode, dataScope } of roleSeeds) {
    const targets =
      (
        {
          [dataScopeCodes.college]: [{ caType: 'college', caTarget: records.own.college }],
          [dataScopeCodes.major]: [{ caType: 'major', caTarget: records.own.major }],
          [dataScopeCodes.schoolClass]: [{ caType: 'class', caTarget: records.own.class }],
          [dataScopeCodes.curriculum]: [{ caType: 'curriculum', caTarget: school.curriculum[roots[0]!]! }],
          [dataScopeCodes.department]: [{ caType: 'department', caTarget: records.own.department }],
        } as const
      )[dataScope as '2'] ?? []
    const { client, suId } = await school.person(srCode, [...targets], { suiCollegeId: records.own.college })
    const { permits } = await school.ctx.db
      .selectFrom('role')
      .select('permits')
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', srCode)
      .executeTakeFirstOrThrow()
    holders.push({
      srCode,
      permits: new Set(permits),
      client,
      own: {
        ...records.own,
        ...(await ownOf(school, `${canary.own}自己的`, records.own, {
          suId,
          permits,
          isOwner: dataScope === dataScopeCodes.self,
        })),
      },
    })
  }
  return { school, records, canary, holders }
}

/**
 * What a holder has of their own: the message they got, and where they have no area but what is theirs, a course, a
 * circle and a news item.
 */
async function ownOf(
  school: TestSchool,
  canary: string,
  own: Records,
  { suId, permits, isOwner }: { suId: string; permits: string[]; isOwner: boolean },
): Promise<Partial<Records>> {
  const { message, letter } = await messageOf(school, { canary, from: suId, to: suId })
  const has = (permit: string) => isOwner && (permits.includes(permit) || permits.includes(`${permit.split(':')[0]}:*`))
  const lesson = has('lesson:list')
    ? await lessonOf(school, `${canary}课程`, {
        ...own,
        node: own.curriculum,
        path: [own.curriculum],
        college: null,
        department: null,
        ...(permits.includes('lesson:edit') ? { createBy: suId } : { signer: suId }),
      })
    : undefined
  return {
    message,
    letter,
    ...lesson,
    ...(has('circle:list') &&
      (await circleOf(school, {
        canary: `${canary}${unique()}`,
        college: own.college,
        student: own.student,
        teacher: suId,
      }))),
    ...(has('news:edit') && (await newsOf(school, { canary: `${canary}${unique()}`, college: null, createBy: suId }))),
  }
}

/** A record of every kind with the canary in its name, all of one college. */
async function recordsOf(
  school: TestSchool,
  canary: string,
  { root, node }: { root: string; node: string },
): Promise<Records> {
  const { db, clock } = school.ctx
  const { schoolId } = school
  const stamp = { schoolId, createTime: clock.now(), updateTime: clock.now() }
  const college = await school.college(`${canary}学院`)
  const major = await school.major(college, `${canary}专业`)
  const schoolClass = await school.schoolClass(major, college, { scClassName: `${canary}班` })
  const department = await school.department(`${canary}部`)
  const [student] = await school.students(1, { suiCollegeId: college, majorId: major, scClassId: schoolClass })
  await db
    .updateTable('person')
    .set({ suiName: `${canary}生`, birth: '2005-03-04' })
    .where('suId', '=', student!.suId)
    .execute()
  const [teacher, role, award, evaluation] = [newId(), newId(), newId(), newId()]
  await db
    .insertInto('person')
    .values({
      ...stamp,
      suId: teacher,
      suiName: `${canary}师`,
      suiNumber: `T${unique()}`,
      suiType: personType.teacher,
      suiCollegeId: college,
    })
    .execute()
  await openAccounts(school.ctx, schoolId, [
    { suId: teacher, suiNumber: `T${unique()}`, suiName: `${canary}师`, suType: personType.teacher },
  ])
  await db
    .insertInto('role')
    .values({ ...stamp, srId: role, srName: `${canary}角色`, srCode: `R${unique()}`.toUpperCase(), permits: [] })
    .execute()
  await grantRole(db, schoolId, role, teacher)
  await db.insertInto('departmentUser').values({ schoolId, sdId: department, suId: teacher }).execute()
  await db
    .insertInto('awardTemplate')
    .values({ schoolId, atId: award, atName: `${canary}模板` })
    .execute()
  await db
    .insertInto('evaluation')
    .values({ schoolId, esId: evaluation, esName: `${canary}规则`, lsId: node, esLessonLevel: '5', baseHours: 200 })
    .execute()
  const flow = await makeFlow(school, [], { wfName: `${canary}流程`, isDefault: yesNo.no })
  const { wfcId } = await db
    .selectFrom('workflow')
    .select('wfcId')
    .where('schoolId', '=', schoolId)
    .where('wfId', '=', flow)
    .executeTakeFirstOrThrow()
  const supplement = newId()
  await db
    .insertInto('supplement')
    .values({
      schoolId,
      lisId: supplement,
      lisName: `${canary}补录`,
      suId: student!.suId,
      lsId: node,
      lsPath: [root, node],
      lisType: supplementType.certificate,
      lisLevel: '5',
      lisObtainDate: '2026-01-01',
    })
    .execute()
  const lesson = await lessonOf(school, `${canary}课程`, {
    student: student!.suId,
    teacher,
    college,
    department,
    node,
    path: [root, node],
  })
  return {
    college,
    major,
    class: schoolClass,
    department,
    student: student!.suId,
    teacher,
    role,
    award,
    evaluation,
    secretary: school.roles['LEAGUE_SEC']!,
    label: school.labels['德']!,
    curriculum: node,
    flow,
    flowCategory: wfcId!,
    supplement,
    ...lesson,
    ...(await lifeOf(school, canary, { college, student: student!.suId, teacher, lesson: lesson.lesson })),
  }
}

async function lifeOf(
  school: TestSchool,
  canary: string,
  { college, student, teacher, lesson }: { college: string; student: string; teacher: string; lesson: string },
) {
  return {
    ...(await circleOf(school, { canary, college, student, teacher })),
    ...(await newsOf(school, { canary, college })),
    ...(await disputeOf(school, { canary, lesson, student, reporter: teacher })),
    ...(await messageOf(school, { canary, from: teacher, to: student })),
  }
}

interface LessonPlace {
  student: string
  teacher: string
  college: string | null
  department: string | null
  node: string
  path: string[]
  createBy?: string
  signer?: string
}

async function lessonOf(
  school: TestSchool,
  liName: string,
  { student, teacher, college, department, node, path, createBy, signer }: LessonPlace,
) {
  const { ctx, schoolId } = school
  const [registration, team] = [newId(), newId()]
  const lesson = await storeLesson(school, {
    liName,
    lsId: node,
    lsPath: path,
    liPrincipalId: teacher,
    startTime: '2026-12-01 08:00:00',
    endTime: '2026-12-01 10:00:00',
    liStatus: lessonStatus.published,
    liCollegeId: college,
    liDepartmentId: department,
    createBy: createBy ?? null,
  })
  await ctx.db
    .insertInto('registration')
    .values({ schoolId, laId: registration, liId: lesson, suId: student })
    .execute()
  await ctx.db
    .insertInto('team')
    .values({ schoolId, teamId: team, liId: lesson, teamName: liName, captainId: student, joinCode: 'MATRIX22' })
    .execute()
  await ctx.db
    .insertInto('teamMember')
    .values({ schoolId, teamId: team, liId: lesson, suId: student, memberRank: 1 })
    .execute()
  if (signer)
    await ctx.db.insertInto('lessonPerson').values({ schoolId, liId: lesson, suId: signer, lpRole: 'signer' }).execute()
  return { lesson, registration, team }
}
