import { sql } from 'kysely'
import { keptColumns, type Columns } from './kept-columns.ts'
import { StampedOwners, type StampedRow } from './stamped-owners.ts'

/** A course as the rollup has it: what it is selected and grouped by, and what became of it. Hours in hundredths. */
interface StoredLesson extends StampedRow {
  removed: boolean
  liStatus: string
  publishTime: string | null
  startTime: string
  liHours: number
  liCollegeId: string | null
  liDepartmentId: string | null
  liCircleId: string | null
  liPrincipalId: string
  createBy: string | null
  lsPath: string[]
  liLevel: string
  /** Who guides it. */
  teachers: string[]
  applied: number
  passed: number
  signed: number
  qualified: number
  granted: number
  hours: number
  sessions: number
  /** How many gave one to five stars. */
  stars: number[]
  decideSeconds: number
  decided: number
  /** Whether it was approved at the first try; null where nobody has decided. */
  firstPass: boolean | null
  members: number
  membersSigned: number
}

export interface LessonRow extends StoredLesson {
  /** How many stars were given, and how many gave any. */
  starSum: number
  starTimes: number
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** Field by field, so that all rows are of one shape: copied ones are looked up by name, ten times as slowly. */
const lessonOf = (row: StoredLesson): LessonRow => ({
  id: row.id,
  stamp: row.stamp,
  removed: row.removed,
  liStatus: row.liStatus,
  publishTime: row.publishTime,
  startTime: row.startTime,
  liHours: row.liHours,
  liCollegeId: row.liCollegeId,
  liDepartmentId: row.liDepartmentId,
  liCircleId: row.liCircleId,
  liPrincipalId: row.liPrincipalId,
  createBy: row.createBy,
  lsPath: row.lsPath,
  liLevel: row.liLevel,
  teachers: row.teachers,
  applied: row.applied,
  passed: row.passed,
  signed: row.signed,
  qualified: row.qualified,
  granted: row.granted,
  hours: row.hours,
  sessions: row.sessions,
  stars: row.stars,
  decideSeconds: row.decideSeconds,
  decided: row.decided,
  firstPass: row.firstPass,
  members: row.members,
  membersSigned: row.membersSigned,
  starSum: sumOf(row.stars.map((times, at) => times * (at + 1))),
  starTimes: sumOf(row.stars),
})

/** The courses of a school. */
class LessonRows implements Columns {
  readonly owners = new StampedOwners()
  readonly isWorn = false
  private readonly byNumber: (LessonRow | undefined)[] = []

  put(rows: readonly StoredLesson[]): void {
    for (const row of rows) this.byNumber[this.owners.put(row)] = lessonOf(row)
  }

  keepOnly(ids: ReadonlySet<string>): void {
    for (const gone of this.owners.keepOnly(ids)) this.byNumber[gone] = undefined
  }

  /** Those that fit. */
  filter(fits: (row: LessonRow) => boolean): LessonRow[] {
    return this.byNumber.filter((row) => row !== undefined && fits(row)) as LessonRow[]
  }
}

/** The courses of the own school. */
export const lessonsOf = keptColumns<LessonRows, StoredLesson>({
  table: 'statLesson',
  owner: 'liId',
  empty: () => new LessonRows(),
  rowsAbove: async (db, schoolId, stamp, liId, limit) =>
    (
      await sql<StoredLesson>`
        select "liId" "id", "stamp", "removed", "liStatus", "publishTime", "startTime", "liHours", "liCollegeId",
          "liDepartmentId", "liCircleId", "liPrincipalId", "createBy", "lsPath", "liLevel", "teachers", "applied",
          "passed", "signed", "qualified", "granted", "hours", "sessions", "stars", "decideSeconds", "decided",
          "firstPass", "members", "membersSigned"
        from "statLesson"
        where "schoolId" = ${schoolId} and "stamp" > ${stamp}::bigint and "liId" > ${liId}::uuid
        order by "liId"
        limit ${limit}`.execute(db)
    ).rows,
  put: (rows, more) => rows.put(more),
})
