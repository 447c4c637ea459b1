import { resultStatus } from '../../contract/core/codes/programme.ts'

/**
 * What students have by the facts alone: courses with their results, records with what was recognised of them, a cap of
 * the term and a best-only group. It knows nothing of entries, reversals and the order of what happened, and shares no
 * code with the services. Amounts in hundredths.
 */

export type Worth = readonly [hours: number, credit: number, points: number]
/** Result of a participant who was there; null: nobody of the course. */
export type Result = typeof resultStatus.passed | typeof resultStatus.failed | typeof resultStatus.awarded | null

/** Records of a `grouped` rule compete, only the best of them counts; `free` ones all count. */
export interface CourseFacts {
  kind: 'course'
  id: string
  rule: 'grouped' | 'free'
  state: 'notice' | 'credited' | 'ended'
  /** By the student's number. */
  results: Result[]
  /** Students who were credited at some time. */
  had: Set<number>
}
export interface SupplementFacts {
  kind: 'supplement'
  id: string
  rule: 'grouped' | 'free'
  student: number
  award: boolean
  half: boolean
  /** It is, or was, credited; until then it is in public notice. */
  credited: boolean
  removed: boolean
}
export type RecordFacts = CourseFacts | SupplementFacts

const nothing: Worth = [0, 0, 0]
const plus = (a: Worth, b: Worth): Worth => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/** What a record is worth to a student by itself; undefined where it gives them nothing. */
export function worthOf(record: RecordFacts, student: number): Worth | undefined {
  const grouped = record.rule === 'grouped'
  if (record.kind === 'supplement') {
    if (!record.credited || record.removed || record.student !== student) return undefined
    const full: Worth = grouped ? [300, 30, 450] : [200, 20, 120]
    const own: Worth = record.half ? [full[0] / 2, full[1] / 2, full[2] / 2] : full
    return record.award && grouped ? plus(own, [100, 10, 100]) : own
  }
  const result = record.state === 'credited' ? record.results[student] : undefined
  if (result !== resultStatus.passed && result !== resultStatus.awarded) return undefined
  const passed: Worth = grouped ? [200, 20, 80] : [100, 5, 50]
  return result === resultStatus.awarded ? plus(passed, [50, 5, 10]) : passed
}

/** Whether a record stands in a student's transcript; false: it was taken back; undefined: it was never there. */
export function standsFor(record: RecordFacts, student: number): boolean | undefined {
  if (worthOf(record, student)) return true
  const was = record.kind === 'course' ? record.had.has(student) : record.credited && record.student === student
  return was ? false : undefined
}

/**
 * What a student has: the best of the group in each kind of amount and all that is free, hours as far as the term goes.
 */
export function totalOf(records: readonly RecordFacts[], student: number, cap: number): Worth {
  let [best, free]: [Worth, Worth] = [nothing, nothing]
  for (const record of records) {
    const worth = worthOf(record, student)
    if (!worth) continue
    if (record.rule === 'free') free = plus(free, worth)
    else best = [Math.max(best[0], worth[0]), Math.max(best[1], worth[1]), Math.max(best[2], worth[2])]
  }
  const [hours, credit, points] = plus(best, free)
  return [Math.min(cap, hours), credit, points]
}
