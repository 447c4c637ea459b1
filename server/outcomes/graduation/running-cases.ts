import { sql, type RawBuilder } from 'kysely'
import { applicationStatus } from '../../../contract/core/codes/outcomes.ts'
import {
  approvalStatus,
  circleStatus,
  lessonStatus,
  questionStatus,
  supplementStatus,
  taskStatus,
} from '../../../contract/core/codes/programme.ts'

const codes = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)))

const endedLessons = [
  lessonStatus.completed,
  lessonStatus.archived,
  lessonStatus.unpublished,
  lessonStatus.cancelled,
  lessonStatus.abnormal,
]

/** SQL: of a course with these columns, whether it still runs. */
export const lessonRuns = (lesson: string): RawBuilder<boolean> =>
  sql<boolean>`(
    ${sql.ref(`${lesson}.delFlag`)} = '0' and ${sql.ref(`${lesson}.liStatus`)} not in (${codes(endedLessons)})
  )`

/** SQL: likewise of a circle. */
export const circleRuns = (circle: string): RawBuilder<boolean> =>
  sql<boolean>`(
    ${sql.ref(`${circle}.delFlag`)} = '0' and ${sql.ref(`${circle}.ciStatus`)} <> ${sql.lit(circleStatus.dissolved)}
  )`

/** What may still run that is of a person `p` or about them: what it is called, and the rows of it. */
export const runningCases = (schoolId: string): readonly (readonly [words: string, rows: RawBuilder<unknown>])[] => [
  [
    '审批中的申请',
    sql`
      from "approval" x
      where x."schoolId" = ${schoolId}
        and x."startBy" = p."suId"
        and x."insStatus" = ${sql.lit(approvalStatus.running)}`,
  ],
  [
    '待其审批的事项',
    sql`
      from "approvalTask" x
      where x."schoolId" = ${schoolId}
        and x."checkerId" = p."suId"
        and x."taskStatus" = ${sql.lit(taskStatus.pending)}`,
  ],
  [
    '未办结的质疑',
    sql`
      from "question" x
      where x."schoolId" = ${schoolId}
        and p."suId" in (x."targetSuId", x."reporterSuId")
        and x."delFlag" = '0'
        and x."qStatus" in (${codes([questionStatus.pending, questionStatus.inReview, questionStatus.overdue])})`,
  ],
  [
    '审核或公示中的补录',
    sql`
      from "supplement" x
      where x."schoolId" = ${schoolId}
        and x."suId" = p."suId"
        and x."delFlag" = '0'
        and x."lisStatus" in (${codes([supplementStatus.inReview, supplementStatus.passed, supplementStatus.inNotice])})`,
  ],
  [
    '报名后尚未结束的课程',
    sql`
      from "registration" x
      join "lesson" l on l."schoolId" = x."schoolId" and l."liId" = x."liId"
      where x."schoolId" = ${schoolId} and x."suId" = p."suId" and x."delFlag" = '0' and ${lessonRuns('l')}`,
  ],
  [
    '负责的未结束课程',
    sql`
      from "lesson" x
      where x."schoolId" = ${schoolId} and x."liPrincipalId" = p."suId" and ${lessonRuns('x')}`,
  ],
  [
    '负责的圈子',
    sql`
      from "circle" x
      where x."schoolId" = ${schoolId} and x."cpiPersonId" = p."suId" and ${circleRuns('x')}`,
  ],
  [
    '待办理的成绩单申请',
    sql`
      from "transcriptApplication" x
      where x."schoolId" = ${schoolId}
        and x."suId" = p."suId"
        and x."taStatus" = ${sql.lit(applicationStatus.open)}`,
  ],
]

/** Whether a person `p` has anything that still runs. */
export const runningCase = (schoolId: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    runningCases(schoolId).map(([, rows]) => sql`exists (select ${rows})`),
    sql` or `,
  )})`
