import { addDays, dayOf } from '../core/base/clock.ts'
import type { DemoStudent } from './demo-people.ts'
import type { DemoLesson } from './demo-registrations.ts'
import type { DemoSchool } from './demo-school.ts'

/** Chooses so many participants of a course. */
export type Crowd = (lesson: DemoLesson, count: number) => DemoStudent[]

/**
 * Who takes part: those who have come to the school by then and study there still, mostly of the organising college and
 * only of it where the course is its own; some students are keen, some never come, and nobody is in two places on one
 * day.
 */
export function crowdOf({ random }: DemoSchool, students: readonly DemoStudent[]): Crowd {
  const keen = new Map<DemoStudent, number>()
  const pools = new Map<string, DemoStudent[]>()
  const poolOf = (key: string): DemoStudent[] => {
    const known = pools.get(key)
    if (known) return known
    const own: DemoStudent[] = []
    pools.set(key, own)
    return own
  }
  for (const student of students) {
    if (!student.enrolled) continue
    keen.set(student, random.odds(0.03) ? 0.02 : 0.3 + 0.7 * random.next())
    for (const key of [`${student.college} ${student.grade}`, student.grade]) poolOf(key).push(student)
  }
  const grades = [...new Set(students.map(({ grade }) => grade))].toSorted()
  /** Students of the first grades, of a college or of all: many thousands, and the same for many courses. */
  const joined = new Map<string, DemoStudent[]>()
  const ofGrades = (count: number, college?: number): DemoStudent[] => {
    const key = `${count} ${college}`
    const known = joined.get(key)
    if (known) return known
    const all = grades
      .slice(0, count)
      .flatMap((grade) => pools.get(college === undefined ? grade : `${college} ${grade}`) ?? [])
    joined.set(key, all)
    return all
  }
  const busy = new Map<string, Set<DemoStudent>>()
  const been = new Map<DemoStudent, number>()
  const eagerness = (student: DemoStudent) => ((been.get(student) ?? 0) + 0.5) / keen.get(student)!
  return ({ row, college }, count) => {
    const first = dayOf(row.startTime)
    const here = grades.filter((grade) => `${grade}-09-04` <= first).length
    const own = ofGrades(here, college)
    const all = row['liLevel'] === '5' || Number(row['liLevel']) < 5 || college === 0 ? ofGrades(here) : own
    const chosen = new Set<DemoStudent>()
    const taken = busy.get(first)
    for (let tries = 0; chosen.size < count && tries < count * 8; tries++) {
      // the largest host, that of the demo's accounts, asks the whole school
      const from = own.length > 0 && random.odds(college === 0 ? 0.4 : 0.75) ? own : all
      if (from.length === 0) break
      // of two who might come, the one who has not been anywhere lately
      const [one, other] = [random.one(from), random.one(from)]
      const student = eagerness(one) <= eagerness(other) ? one : other
      if (chosen.has(student) || taken?.has(student) || !random.odds(keen.get(student)!)) continue
      chosen.add(student)
    }
    for (const student of chosen) been.set(student, (been.get(student) ?? 0) + 1)
    for (let day = first; day <= dayOf(row.endTime); day = addDays(day, 1)) {
      const there = busy.get(day) ?? new Set()
      busy.set(day, there)
      for (const student of chosen) there.add(student)
    }
    return [...chosen]
  }
}
