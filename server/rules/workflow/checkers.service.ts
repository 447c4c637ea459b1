import { sql } from 'kysely'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { from } from '../../core/database/tenant.ts'
import { noId } from '../../core/base/ids.ts'
import type { Context } from '../../core/request/context.ts'
import { mayAct } from '../../school/people/may-act.ts'

/** The facts of a matter that say who its checkers are. */
export interface SubjectFacts {
  initiatorId: string
  lsPath: string[]
  collegeId: string | null
  departmentId: string | null
  classId: string | null
  principalId: string | null
  teacherIds: string[]
  /** Teachers who guide the circle that holds the matter, where one does. */
  circleTeacherIds?: string[]
  /** People whom the matter concerns: they do not decide it, whoever they are. */
  barred?: readonly string[]
}

/**
 * What a step says of its checkers: their type (docs/rules.md R34) and, for types 1 to 3, the chosen people, roles or
 * departments. Those of type 12 are named while the matter runs.
 */
export interface CheckerRule {
  wfsCheckerType: string
  checkers: string[]
}

export interface Checker {
  suId: string
  suiName: string
}

/**
 * The people a step means, in a stable order; only those in service with a working account whom the matter does not
 * concern. The initiator may be among them: what that means is for the plan to say.
 */
export async function resolveCheckers(ctx: Context, rule: CheckerRule, subject: SubjectFacts): Promise<Checker[]> {
  const { schoolId } = ctx.actor
  const chosen = candidates(schoolId, rule, subject)
  if (!chosen) return []
  const rows = await sql<Checker>`
      select distinct on (p."suiNumber") p."suId", p."suiName"
      from (${chosen}) as c ("suId")
      join "person" p on p."schoolId" = ${schoolId} and p."suId" = c."suId" and p."delFlag" = '0'
      join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId" and ${mayAct('p', 'a')}
      where p."suId" <> all(${subject.barred ?? []}::uuid[])
      order by p."suiNumber"
      limit 200`.execute(ctx.db)
  return rows.rows
}

/**
 * A query for the ids of those whom the rule means; undefined where the matter lacks the fact that the rule asks for.
 */
function candidates(schoolId: string, { wfsCheckerType, checkers }: CheckerRule, subject: SubjectFacts) {
  switch (wfsCheckerType) {
    case flowCheckerType.people:
      return people(checkers)
    case flowCheckerType.role:
      return members(schoolId, sql`r."srId" = any(${checkers}::uuid[])`, subject)
    case flowCheckerType.department:
      return sql`
        select u."suId"
        from "departmentUser" u
        where u."schoolId" = ${schoolId} and u."sdId" = any(${checkers}::uuid[])`
    case flowCheckerType.startersCollege:
      return subject.collegeId === null ? undefined : members(schoolId, sql`r."srCode" = 'COLLEGE_LEAGUE'`, subject)
    case flowCheckerType.startersDepartmentHead:
      return subject.departmentId === null
        ? undefined
        : sql`
          select d."sdLeaderId"
          from "department" d
          where d."schoolId" = ${schoolId} and d."sdId" = ${subject.departmentId}::uuid and d."sdLeaderId" is not null`
    case flowCheckerType.classSecretary:
      return subject.classId === null ? undefined : members(schoolId, sql`r."srCode" = 'LEAGUE_SEC'`, subject)
    case flowCheckerType.counsellor:
      return subject.classId === null ? undefined : members(schoolId, sql`r."srCode" = 'COUNSELOR'`, subject)
    case flowCheckerType.principal:
      return subject.principalId === null ? undefined : people([subject.principalId])
    case flowCheckerType.teacher:
      return people(subject.teacherIds)
    case flowCheckerType.circleTeacher:
      return people(subject.circleTeacherIds ?? [])
    case flowCheckerType.moduleOwner:
      return members(
        schoolId,
        sql`(
            r."srCode" = 'MODULE_OWNER'
            or r."srId" in (
              select k."ownerRoleId"
              from "curriculum" k
              where k."schoolId" = ${schoolId} and k."lsId" = any(${subject.lsPath}::uuid[])
            )
          )`,
        subject,
      )
    default:
      return undefined
  }
}

const people = (suIds: string[]) => sql`select unnest(${suIds}::uuid[])`

/**
 * Members of roles whose control area under that role covers the matter; school-wide and own-record roles count as they
 * are. The same rule as `covers`: places add up, years and curriculum nodes narrow. Major and year are those of the
 * class, where the matter has one.
 */
const members = (
  schoolId: string,
  which: ReturnType<typeof sql>,
  { collegeId, departmentId, classId, lsPath }: SubjectFacts,
) => sql`
    select ru."suId"
    from "role" r
    join "roleUser" ru on ru."schoolId" = r."schoolId" and ru."srId" = r."srId"
    left join "schoolClass" k on k."schoolId" = r."schoolId" and k."scClassId" = ${classId ?? noId}::uuid
    left join lateral (
      select bool_or("caType" in ('college', 'major', 'class', 'department')) as placed,
        bool_or(
          ("caType" = 'college' and "caTarget" = ${collegeId}::text)
          or ("caType" = 'major' and "caTarget" = k."smId"::text)
          or ("caType" = 'class' and "caTarget" = ${classId}::text)
          or ("caType" = 'department' and "caTarget" = ${departmentId}::text)
        ) as here, bool_or("caType" = 'grade') as graded,
        bool_or("caType" = 'grade' and "caTarget" = k."scClassGrade") as "thisGrade",
        bool_or("caType" = 'curriculum') as noded,
        bool_or("caType" = 'curriculum' and "caTarget" = any(${lsPath}::text[])) as "thisNode"
      from "controlArea"
      where "schoolId" = ru."schoolId" and "srId" = ru."srId" and "suId" = ru."suId"
    ) a on true
    where r."schoolId" = ${schoolId}
      and r."enable" = '1'
      and ${which}
      and (
        r."dataScope" in (${sql.lit(dataScope.school)}, ${sql.lit(dataScope.self)})
        or (
          (a.placed or a.graded or a.noded)
          and (not a.placed or a.here)
          and (not a.graded or a."thisGrade" or k."scClassId" is null)
          and (not a.noded or a."thisNode")
        )
      )`

/** The school's administrators as checkers of a matter: they decide where nobody else is left. */
export async function adminsFor(ctx: Context, subject: SubjectFacts): Promise<Checker[]> {
  const roles = await from(ctx, 'role').select('srId').where('srCode', '=', 'SCHOOL_ADMIN').execute()
  return resolveCheckers(
    ctx,
    { wfsCheckerType: flowCheckerType.role, checkers: roles.map(({ srId }) => srId) },
    subject,
  )
}
