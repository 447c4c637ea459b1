import type { PublicContext } from '../core/context.ts'
import { gauge } from '../core/database/gauge.ts'
import type { Db } from '../core/database/pool.ts'
import type { Secrets } from '../core/secrets.ts'
import { createSchool, type SchoolStart } from '../setup/create-school.ts'
import { demoAdmissions } from './demo-admissions.ts'
import { makeAccounts } from './demo-accounts.ts'
import { makeCircles } from './demo-circles.ts'
import { makeConfiguration } from './demo-configuration.ts'
import { moreFlows } from './demo-flows.ts'
import { makeLessons } from './demo-lessons.ts'
import { makeNews } from './demo-news.ts'
import { makeOrganisation, makeStudents, makeTeachers, staffDepartments } from './demo-people.ts'
import { demoQuestions } from './demo-questions.ts'
import { makeLogins } from './demo-logins.ts'
import { makeSupApprovals } from './demo-sup-approvals.ts'
import { makeSupplements } from './demo-supplements.ts'
import { makeTranscripts } from './demo-transcripts.ts'
import { makeTrail } from './demo-trail.ts'
import { rebuildSchool } from '../statistics/refresh.service.ts'
import { chance, type Chance } from './random.ts'

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
  const colleges = students < 1000 ? 3 : 12
  const majorsPerCollege = students < 1000 ? 2 : 5
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

/** What the makers of a demo school share. */
export interface DemoSchool {
  ctx: PublicContext
  db: Db
  secrets: Secrets
  schoolId: string
  start: SchoolStart
  stamp: { schoolId: string; createTime: string; updateTime: string; createName: string }
  luck: Chance
  size: DemoSize
  now: string
}

/** The password of all demo accounts; a start in production never makes any of them. */
export const demoPassword = 'Demo-2026'

/** Makes a school full of life, in one transaction: killed half-way, nothing of it is there. Dates are relative to now. */
export async function makeDemoSchool(
  ctx: PublicContext,
  schoolId: string,
  schName: string,
  size: DemoSize,
  seed = 2026,
): Promise<void> {
  await ctx.db.transaction().execute(async (db) => {
    const tx = { ...ctx, db }
    const now = ctx.clock.now()
    const start = await createSchool(tx, {
      schoolId,
      schName,
      schCode: '10999',
      schMotto: '厚德博学 求实创新',
      admin: { username: 'admin', name: '系统管理员', password: demoPassword, keepPassword: true },
    })
    const school: DemoSchool = {
      ctx: tx,
      db,
      secrets: ctx.secrets,
      schoolId,
      start,
      stamp: { schoolId, createTime: now, updateTime: now, createName: '演示数据' },
      luck: chance(seed),
      size,
      now,
    }
    const organisation = await makeOrganisation(school)
    const students = await makeStudents(school, organisation.classes)
    const teachers = await makeTeachers(school, organisation.colleges)
    await staffDepartments(school, organisation.departments, teachers)
    const accounts = await makeAccounts(school, organisation, students, teachers)
    const configuration = await makeConfiguration(school)
    await moreFlows(school, accounts)
    await makeLessons(school, { ...organisation, students, teachers, accounts, configuration })
    await gauge(db, 'person', 'lesson', 'lessonSession', 'registration', 'creditLedger')
    await demoQuestions(school, accounts, configuration)
    await makeSupplements(school, students, configuration)
    await gauge(db, 'supplement', 'creditLedger')
    await makeSupApprovals(school, accounts, students)
    await makeTranscripts(school)
    await makeTrail(school, accounts)
    await demoAdmissions(school, accounts, students)
    await makeCircles(school, { ...organisation, students, teachers, accounts })
    await makeNews(school)
    await makeLogins(school, [
      ...students.map(({ suId }) => ({ suId, suiType: '1' })),
      ...teachers.map(({ suId }) => ({ suId, suiType: '2' })),
    ])
    await gauge(db, 'loginDay')
  })
  // reckoned as a whole, instead of note by note
  await rebuildSchool(ctx, schoolId)
}
