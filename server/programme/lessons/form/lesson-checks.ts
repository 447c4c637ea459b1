import { sql } from 'kysely'
import { enableStatus } from '../../../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { curriculumType } from '../../../../contract/core/codes/rules.ts'
import { invalidInput, type FieldFault } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { dayOf } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'
import { scopeIncludes } from '../../../core/request/scope-check.ts'
import { isAtSchool } from '../../../school/people/at-school.ts'
import { noId } from '../../../core/base/ids.ts'
import type { LessonValues } from './lesson-form.ts'

/** What the school's own records say about a form: one statement each, only read. */

export interface CurriculumNode {
  lsId: string
  lsName: string
  lsPath: string[]
  lsType: string
  /** The form its courses are filled in with. */
  lsFormScheme: string
  /** '0' where the node or one above it is closed. */
  enable: string
  allowLevels: string[]
}

/** The rule that a course of this node and level is rated by. Amounts in hundredths. */
interface RuleSummary {
  esId: string
  baseHours: number
  hourCap: number | null
  credit: number
  points: number
}

/**
 * The curriculum node and the level, with the rule of the nearest node above that has one for the level today.
 * @param kept the course as it is: where node and level stay, its rule stays, and neither need still be open for new
 *   courses
 */
export async function frameOf(
  { db, actor, clock }: Context,
  { lsId, liLevel }: Pick<LessonValues, 'lsId' | 'liLevel'>,
  kept?: { lsId: string; liLevel: string; esId: string | null; liStatus: string },
) {
  const { schoolId } = actor
  const same = kept !== undefined && kept.lsId === lsId && kept.liLevel === liLevel
  const keepRule =
    same &&
    (kept.esId !== null || kept.liStatus === lessonStatus.publishPassed || kept.liStatus === lessonStatus.published)
  const today = dayOf(clock.now())
  const which = keepRule
    ? sql`e."esId" = ${kept.esId}::uuid`
    : sql`e."lsId" = any(c."lsPath")
      and e."esLessonLevel" = ${liLevel}
      and e."enable" = '1'
      and e."effectFrom" <= ${today}::date
      and (e."effectTo" is null or e."effectTo" >= ${today}::date)`
  const { rows } = await sql<
    CurriculumNode & {
      fullName: string
      llName: string | null
      llFactor: number | null
      levelOn: string | null
      rule: RuleSummary | null
    }
  >`
      select c."lsId", c."lsName", c."lsPath", c."lsType", c."lsFormScheme", c."allowLevels",
        (
          select case
            when bool_and(u."enable" = '1') then ${sql.lit(enableStatus.enabled)}
            else ${sql.lit(enableStatus.disabled)}
          end
          from "curriculum" u
          where u."schoolId" = c."schoolId" and u."lsId" = any(c."lsPath")
        ) as "enable", v."llName", v."llFactor", v."enable" as "levelOn",
        (
          select string_agg(u."lsName", ' / ' order by p."at")
          from unnest(c."lsPath") with ordinality p("id", "at")
          join "curriculum" u on u."schoolId" = c."schoolId" and u."lsId" = p."id"
        ) as "fullName",
        (
          select json_build_object(
            'esId', e."esId", 'baseHours', e."baseHours", 'hourCap', e."hourCap", 'credit', e."credit", 'points',
            e."points"
          )
          from "evaluation" e
          where e."schoolId" = c."schoolId" and ${which}
          order by array_position(c."lsPath", e."lsId") desc, e."versionNo" desc
          limit 1
        ) as "rule"
      from "curriculum" c
      left join "lessonLevel" v on v."schoolId" = c."schoolId" and v."llId" = ${liLevel}
      where c."schoolId" = ${schoolId} and c."lsId" = ${lsId}::uuid`.execute(db)
  const frame = rows[0]
  if (!frame || (!same && (frame.enable !== enableStatus.enabled || frame.lsType === curriculumType.supplements)))
    throw invalidInput([{ field: 'lsId', msg: '所选课程体系不存在、已停用或不用于课程' }])
  if (frame.llName === null || frame.llFactor === null || (!same && frame.levelOn !== enableStatus.enabled))
    throw invalidInput([{ field: 'liLevel', msg: '所选课程级别不存在或已停用' }])
  if (!same && frame.allowLevels.length > 0 && !frame.allowLevels.includes(liLevel))
    throw invalidInput([{ field: 'liLevel', msg: `课程体系“${frame.lsName}”不开放${frame.llName}课程` }])
  return { ...frame, llName: frame.llName, llFactor: frame.llFactor }
}

/** The points a course gives by its rule, more at a higher level; in hundredths like all amounts. */
export const pointsOf = ({ points }: Pick<RuleSummary, 'points'>, llFactor: number): number =>
  Math.round((points * llFactor) / 100)

/**
 * Hours in question against the rule and against what a day may count for (hundredths); days are those on which a
 * session takes place.
 */
export function hourFaults(
  hours: number,
  rule: RuleSummary | null,
  sessions: { startTime: string; endTime: string }[],
  hoursPerDay: number,
): FieldFault[] {
  if (rule && rule.hourCap !== null && hours > rule.hourCap)
    return [{ field: 'liHours', msg: `认定学时不能超过评价规则的上限 ${fromHundredths(rule.hourCap)} 学时` }]
  const days = new Set<string>()
  for (const { startTime, endTime } of sessions) {
    const [first, last] = [Date.parse(dayOf(startTime)), Date.parse(dayOf(endTime))]
    for (let day = first; day <= last; day += 86_400_000) days.add(String(day))
  }
  const maxHours = days.size * hoursPerDay
  return hours > maxHours
    ? [
        {
          field: 'liHours',
          msg: `认定学时每天不能超过 ${fromHundredths(hoursPerDay)} 学时，本活动共 ${days.size} 天，最多 ${fromHundredths(maxHours)} 学时`,
        },
      ]
    : []
}

/** Who is in the school's books among those named, by id; people who left or were removed are `active: false`. */
export async function peopleByIds(ctx: Context, suIds: string[]) {
  const rows = await from(ctx, 'person', { withDeleted: true })
    .select(['suId', 'suiName', 'suiType', 'suiCollegeId', 'scClassId', isAtSchool.as('active')])
    .where(anyOf('suId', suIds))
    .execute()
  return new Map(rows.map((row) => [row.suId, row]))
}

interface Sponsor {
  liCollegeId: string | null
  liDepartmentId: string | null
  liSponsorName: string
}

/**
 * Who holds the course: the college or department chosen, else the person's own college, else the school itself where
 * they may act for it. A choice must lie in their area, or be their own.
 */
export async function sponsorOf(
  ctx: Context,
  { liCollegeId, liDepartmentId }: Pick<LessonValues, 'liCollegeId' | 'liDepartmentId'>,
  kept?: Sponsor,
): Promise<Sponsor> {
  if (kept && (liCollegeId ?? null) === kept.liCollegeId && (liDepartmentId ?? null) === kept.liDepartmentId)
    return kept
  const { db, actor, scope } = ctx
  const { rows } = await sql<{
    ownCollege: string | null
    scName: string | null
    sdName: string | null
    ownDepartment: boolean
    schName: string
  }>`
      select p."suiCollegeId" as "ownCollege", s."schName", d."sdName",
        (
          select c."scName"
          from "college" c
          where c."schoolId" = p."schoolId" and c."scId" = coalesce(${liCollegeId ?? null}::uuid, p."suiCollegeId")
        ) as "scName",
        exists (
          select
          from "departmentUser" u
          where u."schoolId" = p."schoolId" and u."suId" = p."suId" and u."sdId" = d."sdId"
        ) as "ownDepartment"
      from "person" p
      join "school" s on s."schoolId" = p."schoolId"
      left join "department" d on d."schoolId" = p."schoolId" and d."sdId" = ${liDepartmentId ?? noId}::uuid
      where p."schoolId" = ${actor.schoolId} and p."suId" = ${actor.suId}::uuid`.execute(db)
  const { ownCollege, scName, sdName, ownDepartment, schName } = rows[0]!
  if (liDepartmentId && (!sdName || !(ownDepartment || scopeIncludes(scope, { department: liDepartmentId }))))
    throw invalidInput([{ field: 'liDepartmentId', msg: '主办部门不存在或不在您的管理范围内' }])
  if (liCollegeId && (!scName || !(liCollegeId === ownCollege || scopeIncludes(scope, { college: liCollegeId }))))
    throw invalidInput([{ field: 'liCollegeId', msg: '主办学院不存在或不在您的管理范围内' }])
  if (liCollegeId || liDepartmentId)
    return {
      liCollegeId: liCollegeId ?? null,
      liDepartmentId: liDepartmentId ?? null,
      liSponsorName: sdName ?? scName!,
    }
  if (ownCollege && !scope.whole) return { liCollegeId: ownCollege, liDepartmentId: null, liSponsorName: scName! }
  if (!scope.whole) throw invalidInput([{ field: 'liCollegeId', msg: '请选择主办学院或部门' }])
  return { liCollegeId: null, liDepartmentId: null, liSponsorName: schName }
}
