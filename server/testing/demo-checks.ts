import { sql, type RawBuilder } from 'kysely'
import {
  applyStatus,
  approvalStatus,
  circleMemberRole,
  creditType,
  lessonStatus,
  questionStatus,
  supplementStatus,
  taskStatus,
} from '../../contract/core/codes/programme.ts'
import { accountStatus, studentStatus } from '../../contract/core/codes/school.ts'
import { liftLimits, type Db } from '../core/database/pool.ts'

/** Moments and days that have passed wherever they are set: table -> columns. */
const past = {
  registration: ['applyTime', 'signInTime', 'signOutTime'],
  approval: ['startTime', 'endTime'],
  approvalTask: ['arriveTime', 'handleTime'],
  creditLedger: ['occurTime', 'grantedAt'],
  circle: ['createTime', 'foundDate'],
  circleMember: ['joinTime', 'quitTime'],
  circleApply: ['applyTime', 'auditTime'],
  circleReview: ['reviewTime'],
  lesson: ['createTime', 'publishTime', 'completeTime'],
  news: ['createTime', 'publishTime'],
  loginDay: ['logDay', 'lastTime'],
  supplement: ['lisObtainDate', 'createTime', 'passTime', 'completeTime'],
  question: ['createTime', 'acceptTime', 'handleTime', 'outcomeTime'],
  auditLog: ['logTime'],
  person: ['birth', 'createTime'],
  thresholdHelp: ['helpDate'],
} as const

/**
 * What must hold in every demo school, whatever its size and day: the fault, and a query for the records that have it.
 */
const faults = (schoolId: string, now: string): [string, RawBuilder<unknown>][] => [
  [
    'a course counts other participants than it has, or more than its quota',
    sql`
      select l."liName"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and (
          l."passCount" > l."quota"
          or l."passCount" <> (
            select count(*)
            from "registration" r
            where r."schoolId" = l."schoolId"
              and r."liId" = l."liId"
              and r."delFlag" = '0'
              and r."laStatus" = ${sql.lit(applyStatus.accepted)}
          )
          or l."pendingCount" <> (
            select count(*)
            from "registration" r
            where r."schoolId" = l."schoolId"
              and r."liId" = l."liId"
              and r."delFlag" = '0'
              and r."laStatus" = ${sql.lit(applyStatus.pending)}
          )
        )`,
  ],
  [
    'a participation of a completed course has other hours than its ledger rows',
    sql`
      select r."laId"
      from "registration" r
      join "lesson" l using ("schoolId", "liId")
      where r."schoolId" = ${schoolId}
        and l."liStatus" in (${sql.lit(lessonStatus.completed)}, ${sql.lit(lessonStatus.archived)})
        and r."laHours" <> coalesce(
          (
            select sum(c."clValue")
            from "creditLedger" c
            where c."schoolId" = r."schoolId"
              and c."suId" = r."suId"
              and c."bizId" = r."liId"
              and c."clType" = ${sql.lit(creditType.hours)}
          ), 0
        )`,
  ],
  [
    'a course under approval waits for nobody',
    sql`
      select l."liName"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and l."liStatus" in (${sql.lit(lessonStatus.publishInReview)}, ${sql.lit(lessonStatus.resultInReview)})
        and ${waitsForNobody('liId')}`,
  ],
  [
    'a question under approval waits for nobody',
    sql`
      select l."qId"
      from "question" l
      where l."schoolId" = ${schoolId}
        and l."qStatus" = ${sql.lit(questionStatus.inReview)}
        and ${waitsForNobody('qId')}`,
  ],
  [
    'a supplement under approval waits for nobody',
    sql`
      select l."lisName"
      from "supplement" l
      where l."schoolId" = ${schoolId}
        and l."lisStatus" = ${sql.lit(supplementStatus.inReview)}
        and l."delFlag" = '0'
        and ${waitsForNobody('lisId')}`,
  ],
  [
    'somebody is asked who has left, cannot sign in or may not decide',
    sql`
      select t."stepName" || ' ' || t."checkerName"
      from "approvalTask" t
      where t."schoolId" = ${schoolId}
        and t."taskStatus" = ${sql.lit(taskStatus.pending)}
        and (
          not exists (
            select
            from "person" p
            join "account" a using ("schoolId", "suId")
            where p."schoolId" = t."schoolId"
              and p."suId" = t."checkerId"
              and p."delFlag" = '0'
              and p."suiStatus" = ${sql.lit(studentStatus.enrolled)}
              and p."suiName" = t."checkerName"
              and a."suStatus" = ${sql.lit(accountStatus.active)}
          )
          or not exists (
            select
            from "roleUser" u
            join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
            where u."schoolId" = t."schoolId"
              and u."suId" = t."checkerId"
              and 'approval:' || t."bizType" = any(r."permits")
          )
        )`,
  ],
  [
    'an approval that is over waits for somebody, or one that runs waits for nobody',
    sql`
      select a."bizName"
      from "approval" a
      where a."schoolId" = ${schoolId}
        and (a."insStatus" = ${sql.lit(approvalStatus.running)}) <> exists (
          select
          from "approvalTask" t
          where t."schoolId" = a."schoolId"
            and t."insId" = a."insId"
            and t."taskStatus" = ${sql.lit(taskStatus.pending)}
        )`,
  ],
  [
    'a class has no student, no league secretary among its enrolled students, or no counselor with that right',
    sql`
      select k."scClassName"
      from "schoolClass" k
      where k."schoolId" = ${schoolId}
        and not (
          exists (
            ${holders('LEAGUE_SEC', 'class', sql`k."scClassId"`)}
            and exists (
              select
              from "person" p
              where p."schoolId" = k."schoolId"
                and p."suId" = u."suId"
                and p."scClassId" = k."scClassId"
                and p."suiStatus" = ${sql.lit(studentStatus.enrolled)}
            )
          ) and exists (${holders('COUNSELOR', 'class', sql`k."scClassId"`)} and u."suId" = k."counselorId")
        )`,
  ],
  [
    'a class has two league secretaries',
    sql`
      select a."caTarget"
      from "controlArea" a
      join "role" r using ("schoolId", "srId")
      where a."schoolId" = ${schoolId} and r."srCode" = 'LEAGUE_SEC'
      group by 1
      having count(*) > 1`,
  ],
  [
    'a college has no league committee',
    sql`
      select k."scName"
      from "college" k
      where k."schoolId" = ${schoolId} and not exists (${holders('COLLEGE_LEAGUE', 'college', sql`k."scId"`)})`,
  ],
  [
    'a circle has no guide, no department or no enrolled student at its head',
    sql`
      select c."ciName"
      from "circle" c
      where c."schoolId" = ${schoolId}
        and not (
          c."guideUnitId" is not null
          and exists (select from "circleTeacher" t where t."schoolId" = c."schoolId" and t."ciId" = c."ciId")
          and exists (
            select
            from "circleMember" m
            join "person" p using ("schoolId", "suId")
            where m."schoolId" = c."schoolId"
              and m."ciId" = c."ciId"
              and m."cmRole" = ${sql.lit(circleMemberRole.president)}
              and p."suiStatus" = ${sql.lit(studentStatus.enrolled)}
              and p."suId" = c."cpiPersonId"
          )
        )`,
  ],
  [
    'a class bears the name of another',
    sql`
      select k."scClassName"
      from "schoolClass" k
      where k."schoolId" = ${schoolId}
      group by 1
      having count(*) > 1`,
  ],
  [
    'a course has no beginning in the trail',
    sql`
      select l."liName"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and not exists (
          select
          from "auditLog" a
          where a."schoolId" = l."schoolId"
            and a."bizType" = 'lesson'
            and a."bizId" = l."liId"::text
            and a."action" = '新增课程'
        )`,
  ],
  [
    'a course past its approval was never approved',
    sql`
      select l."liName"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and l."liStatus" not in (
          ${sql.lit(lessonStatus.draft)}, ${sql.lit(lessonStatus.publishInReview)},
          ${sql.lit(lessonStatus.publishRefused)}
        )
        and not exists (
          select
          from "approval" a
          where a."schoolId" = l."schoolId"
            and a."bizId" = l."liId"
            and a."bizType" = 'publish'
            and a."insStatus" = ${sql.lit(approvalStatus.passed)}
        )`,
  ],
  [
    'an activity of a day begins or ends at night',
    sql`
      select l."liName" || ' ' || l."startTime" || ' ' || l."endTime"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and l."endTime" - l."startTime" < interval '1 day'
        and (
          (l."startTime" at time zone 'Asia/Shanghai')::time < '07:00'
          or (l."endTime" at time zone 'Asia/Shanghai')::time not between '07:00' and '22:30'
        )`,
  ],
  [
    'a transcript was revoked before it was issued',
    sql`
      select t."serial"
      from "transcriptIssue" t
      where t."schoolId" = ${schoolId} and t."endTime" < t."issueTime"`,
  ],
  ...Object.entries(past).flatMap(([table, columns]) =>
    columns.map((column): [string, RawBuilder<unknown>] => [
      `${table}.${column} lies in the future`,
      sql`
        select t.${sql.ref(column)}::text
        from ${sql.table(table)} t
        where t."schoolId" = ${schoolId} and t.${sql.ref(column)} > ${now}::timestamptz`,
    ]),
  ),
]

const waitsForNobody = (key: string): RawBuilder<unknown> =>
  sql`not exists (
      select
      from "approval" a
      join "approvalTask" t using ("schoolId", "insId")
      where a."schoolId" = l."schoolId"
        and a."bizId" = l.${sql.ref(key)}
        and a."insStatus" = ${sql.lit(approvalStatus.running)}
        and t."taskStatus" = ${sql.lit(taskStatus.pending)}
    )`

/** Who holds a role over a part of the school, as `u`; the row `k` is of that school. */
const holders = (srCode: string, caType: string, target: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`
    select
    from "roleUser" u
    join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" and r."srCode" = ${srCode}
    join "controlArea" a on a."schoolId" = u."schoolId"
      and a."srId" = u."srId"
      and a."suId" = u."suId"
      and a."caType" = ${caType}
      and a."caTarget" = ${target}::text
    where u."schoolId" = k."schoolId"`

/**
 * What is wrong with a demo school, one line per kind of fault with how often it occurs and an example; empty where all
 * is well.
 * @param now the moment at which the school was made
 */
export async function checkDemoSchool(db: Db, schoolId: string, now: string): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    await liftLimits(tx)
    const found: string[] = []
    for (const [fault, query] of faults(schoolId, now)) {
      const { rows } = await sql<{
        count: number
        one: string | null
      }>`select count(*)::int "count", min(q.v::text) "one" from (${query}) q (v)`.execute(tx)
      if (rows[0]!.count > 0) found.push(`${fault}: ${rows[0]!.count}, ${rows[0]!.one}`)
    }
    return found
  })
}
