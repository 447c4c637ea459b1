import { isInSchool } from '../../../contract/core/codes/in-school.ts'
import type { Context } from '../../core/request/context.ts'
import { chunksOf } from '../../core/database/bulk.ts'
import { shortOf, type Goal, type Shortfall } from '../../programme/credits/goal.ts'
import { moduleHours } from '../../programme/credits/statement.service.ts'
import { modulesOf } from '../../rules/curriculum/modules.service.ts'
import { studentsOfGrades } from '../../school/people/student-status.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'

export interface Assessed {
  suId: string
  suiNumber: string
  suiStatus: string
  suStatus: string
  met: boolean
  hours: number
  gaps: Shortfall[]
}

/**
 * The students of some years, each before what graduation asks of them, and how many are in no standing to graduate. A
 * few statements however many they are.
 */
export async function assess(
  ctx: Context,
  grades: readonly string[],
  collegeIds: readonly string[],
): Promise<{ goal: Goal; students: Assessed[]; skipped: { suiStatus: string; count: number }[] }> {
  const [modules, { totalHours }, all] = await Promise.all([
    modulesOf(ctx),
    schoolSettings(ctx, ctx.actor.schoolId),
    studentsOfGrades(ctx, grades, collegeIds).execute(),
  ])
  const goal = { modules, totalHours }
  const people = all.filter(({ suiStatus }) => isInSchool(suiStatus))
  const students: Assessed[] = []
  for await (const chunk of chunksOf(people, 2000)) {
    const hours = new Map<string, Map<string, number>>()
    for (const row of await moduleHours(
      ctx,
      chunk.map(({ suId }) => suId),
    ))
      hours.set(row.suId, (hours.get(row.suId) ?? new Map<string, number>()).set(row.moduleId, row.hours))
    for (const { suId, suiNumber, suiStatus, suStatus } of chunk) {
      const own = hours.get(suId) ?? new Map<string, number>()
      const total = [...own.values()].reduce((sum, one) => sum + one, 0)
      const gaps = shortOf(goal, (lsId) => own.get(lsId) ?? 0, total)
      students.push({ suId, suiNumber, suiStatus, suStatus, met: gaps.length === 0, hours: total, gaps })
    }
  }
  const others = new Map<string, number>()
  for (const { suiStatus } of all) if (!isInSchool(suiStatus)) others.set(suiStatus, (others.get(suiStatus) ?? 0) + 1)
  return {
    goal,
    students,
    skipped: [...others]
      .map(([suiStatus, count]) => ({ suiStatus, count }))
      .toSorted((a, b) => a.suiStatus.localeCompare(b.suiStatus)),
  }
}

/** How many students are short of each module, most first. */
export function shortModules(students: readonly Assessed[]): { lsName: string; required: number; count: number }[] {
  const counts = new Map<string, { lsName: string; required: number; count: number }>()
  for (const { gaps } of students)
    for (const { lsId, lsName, required } of gaps)
      counts.set(lsId, { lsName, required, count: (counts.get(lsId)?.count ?? 0) + 1 })
  return [...counts.values()].toSorted((a, b) => b.count - a.count)
}
