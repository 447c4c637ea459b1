import { sql } from 'kysely'
import { personType } from '../../contract/core/codes/school.ts'
import type { PublicContext } from '../core/request/context.ts'
import { analyzeTables } from '../core/database/analyze.ts'
import { liftLimits, type Db } from '../core/database/pool.ts'
import type { Secrets } from '../core/secrets/secrets.ts'
import { createSchool, type SchoolStart } from '../setup/create-school.ts'
import { demoPassword } from './account-list.ts'
import { demoAdmissions } from './demo-admissions.ts'
import { withoutIndexes } from './bulk.ts'
import { makeAccounts, personas } from './demo-accounts.ts'
import { makeCircles } from './demo-circles.ts'
import { makeConfiguration } from './demo-configuration.ts'
import { moreFlows } from './demo-flows.ts'
import { makeLessons } from './demo-lessons.ts'
import { makeQueues } from './demo-queues.ts'
import { makeIrregularity } from './demo-irregularity.ts'
import { makeNews } from './demo-news.ts'
import { makeOrganisation, makeStudents, makeTeachers, staffDepartments } from './demo-people.ts'
import { makeStudentAccount } from './demo-student.ts'
import { makeStoryAccounts } from './demo-stories.ts'
import { demoDisputes } from './demo-disputes.ts'
import { makeLogins } from './demo-logins.ts'
import { makeSupplementApprovals } from './demo-supplement-approvals.ts'
import { makeSupplements } from './demo-supplements.ts'
import { makeTranscripts } from './demo-transcripts.ts'
import { makeTrail } from './demo-trail.ts'
import { makeWorks } from './demo-works.ts'
import { approveOthers } from './lesson-actions.ts'
import { rebuildSchool } from '../outcomes/statistics/refresh.service.ts'
import { createRandom, type Random } from './random.ts'

/** How much of everything a demo school has. */
export interface DemoSize {
  students: number
  teachers: number
  colleges: number
  majorsPerCollege: number
  classesPerMajor: number
  lessons: number
  registrations: number
  supplements: number
}

/** The figures of docs/rules.md R55 for 6,000 students, scaled to another number. */
export function demoSize(students: number, more: Partial<DemoSize> = {}): DemoSize {
  const colleges = students < 100 ? 1 : students < 1000 ? 3 : students < 3000 ? 6 : 12
  const majorsPerCollege = students < 100 ? 1 : students < 1000 ? 2 : 5
  return {
    students,
    teachers: Math.max(20, Math.round(students / 15)),
    colleges,
    majorsPerCollege,
    classesPerMajor: Math.max(1, Math.round(students / (colleges * Math.min(majorsPerCollege, 4) * 4 * 33))),
    lessons: Math.max(60, Math.round(students / 12)),
    registrations: Math.round(students * 3.4),
    supplements: Math.round(students / 2),
    ...more,
  }
}

/**
 * A university after some years: 40,000 students have 10,000 courses, 1,000,000 participations, 300,000 supplements.
 */
export const fullDemoSize = (students: number): DemoSize =>
  demoSize(students, {
    lessons: Math.round(students / 4),
    registrations: students * 25,
    supplements: Math.round(students * 7.5),
  })

/** What the makers of a demo school share. */
export interface DemoSchool {
  ctx: PublicContext
  db: Db
  secrets: Secrets
  schoolId: string
  start: SchoolStart
  stamp: { schoolId: string; createTime: string; updateTime: string; createName: string }
  random: Random
  size: DemoSize
  now: string
}

interface Making {
  seed?: number
  /** Told before each part: its name, which one it is, and how many there are. */
  progress?: (part: string, at: number, of: number) => void
  /** The database holds nothing else and nobody uses it: the longest tables may be filled without their indexes. */
  alone?: boolean
  /** What is to be done to the supplements while they have no indexes. */
  changeSupplements?: (db: Db, schoolId: string) => Promise<void>
  /** False where more is done to the school before its statistics are made, by whoever does it. */
  isFinal?: boolean
}

/** Parts a demo school is made in, as its progress counts them. */
export const demoParts = 19

/**
 * Makes a school full of life, in one transaction: killed half-way, nothing of it is there. Dates are relative to now.
 */
export async function makeDemoSchool(
  ctx: PublicContext,
  schoolId: string,
  schName: string,
  size: DemoSize,
  { seed = 2026, progress, alone = false, changeSupplements, isFinal = true }: Making = {},
): Promise<void> {
  let at = 0
  const part = (name: string) => progress?.(name, ++at, demoParts)
  await ctx.db.transaction().execute(async (db) => {
    const tx = { ...ctx, db }
    await liftLimits(db)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
    const now = ctx.clock.now()
    part('学校与角色')
    const start = await createSchool(tx, {
      schoolId,
      schName,
      schCode: '10999',
      schMotto: '厚德博学 求实创新',
      admin: { username: 'admin', name: personas.admin, password: demoPassword, keepPassword: true },
    })
    const school: DemoSchool = {
      ctx: tx,
      db,
      secrets: ctx.secrets,
      schoolId,
      start,
      stamp: { schoolId, createTime: now, updateTime: now, createName: '演示数据' },
      random: createRandom(seed),
      size,
      now,
    }
    part('院系、专业与班级')
    const organisation = await makeOrganisation(school)
    part('学生')
    const students = await makeStudents(school, organisation.classes)
    part('教师与部门')
    const teachers = await makeTeachers(school, organisation.colleges)
    const seats = await staffDepartments(school, organisation.departments, teachers)
    const office = organisation.departments.find(({ sdName }) => sdName === '社团管理部')
    const clubOffice = seats.filter(({ sdId }) => sdId === office?.sdId).map(({ suId }) => suId)
    part('演示账号')
    const accounts = await makeAccounts(school, { ...organisation, clubOffice }, students, teachers)
    part('课程体系与评价体系')
    const configuration = await makeConfiguration(school)
    part('审批流程')
    await moreFlows(school, accounts)
    const filling: typeof withoutIndexes = alone ? withoutIndexes : (_db, _tables, work) => work()
    await filling(db, ['creditLedger'], async () => {
      part('课程、报名与学分')
      await filling(db, ['registration'], () =>
        makeLessons(school, { ...organisation, students, teachers, accounts, configuration }),
      )
      await analyzeTables(db, 'person', 'lesson', 'lessonSession', 'registration', 'creditLedger')
      part('质疑')
      await demoDisputes(school, accounts, configuration)
      part('补录')
      await filling(db, ['supplement'], async () => {
        await makeSupplements(school, students, configuration)
        await changeSupplements?.(db, schoolId)
      })
    })
    await analyzeTables(db, 'supplement', 'creditLedger')
    part('补录审批')
    await makeSupplementApprovals(school, accounts, students)
    part('待办队列')
    await makeQueues(school, { ...organisation, accounts, students })
    part('成绩单')
    await makeTranscripts(school)
    part('操作日志')
    await makeTrail(school, accounts)
    await makeIrregularity(school)
    part('录取与抽签')
    await demoAdmissions(school, accounts, students)
    await approveOthers(school)
    part('圈子')
    await makeCircles(school, { ...organisation, students, teachers, accounts })
    await makeStudentAccount(school, accounts, organisation.colleges)
    await makeStoryAccounts(school, organisation.colleges)
    part('新闻')
    await makeNews(school)
    part('登录记录')
    await makeLogins(school, [
      ...students.map(({ suId }) => ({ suId, suiType: personType.student })),
      ...teachers.map(({ suId }) => ({ suId, suiType: personType.teacher })),
    ])
    await analyzeTables(db, 'loginDay')
    // last: chance is drawn in order, and all else stays as it was
    await makeWorks(school)
  })
  if (!isFinal) return
  part('统计')
  // calculated as a whole, instead of note by note
  await rebuildSchool(ctx, schoolId)
}
