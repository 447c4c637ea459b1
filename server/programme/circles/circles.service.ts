import { sql } from 'kysely'
import { circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { from } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'

type Reader = Pick<Context, 'db' | 'actor' | 'scope'>

/** Which columns of a circle an area speaks of: the college it is attached to and the unit that guides it. */
const circleScopeColumns = { college: 'circle.ciCollegeId', department: 'circle.guideUnitId' }

/**
 * The circles a person has to do with themselves: leads, guides, or has applied for and not got yet. A query of ids.
 */
export const ownCircleIds = ({ schoolId, suId }: Pick<Actor, 'schoolId' | 'suId'>) => sql`
    select "ciId"
    from "circle"
    where "schoolId" = ${schoolId} and "cpiPersonId" = ${suId}::uuid
    union all
    select "ciId"
    from "circle"
    where "schoolId" = ${schoolId}
      and "createBy" = ${suId}::uuid
      and "ciAuthStatus" <> ${sql.lit(circleAuthStatus.passed)}
    union all
    select "ciId"
    from "circleTeacher"
    where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid`

const allCircles = (ctx: Reader) => from(ctx, 'circle')

/**
 * The circles that exist for whoever asks: those their area covers and their own. Every query of circles by another
 * domain starts here.
 */
export function visibleCircles(ctx: Reader) {
  if (ctx.scope.whole) return allCircles(ctx)
  return allCircles(ctx).where(isCovered(ctx))
}

const isCovered = ({ actor, scope }: Pick<Reader, 'actor' | 'scope'>) =>
  sql<boolean>`(
    ${inScope(scope, circleScopeColumns)} or "circle"."ciId" = any(array(${ownCircleIds(actor)}))
  )`

/** The condition that a person, by the alias of their row, belongs to a class that the scope names. */
const inClassOf = ({ areas }: Reader['scope'], person: string) =>
  inScope(
    { whole: false, areas: areas.filter(({ scClassIds }) => scClassIds.length > 0) },
    { class: `${person}.scClassId`, grade: `${person}.suiGrade` },
  )

/**
 * The circles that somebody may read about: those that exist for them, and those that students of their classes are
 * members of. Whoever changes a circle starts from {@link visibleCircles}.
 */
export function readableCircles(ctx: Reader) {
  if (ctx.scope.whole) return allCircles(ctx)
  return allCircles(ctx).where(
    sql<boolean>`(
      ${isCovered(ctx)}
      or exists (
        select 1
        from "circleMember" m
        join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId"
        where m."schoolId" = "circle"."schoolId"
          and m."ciId" = "circle"."ciId"
          and m."quitTime" is null
          and ${inClassOf(ctx.scope, 'p')}
      )
    )`,
  )
}

/**
 * The condition on somebody in a circle that the asking person may read of them: in circles that exist for whoever asks
 * everybody, in others only students of their classes.
 * @param person the alias of the somebody
 */
export const readablePerson = (ctx: Pick<Reader, 'actor' | 'scope'>, person: string) =>
  ctx.scope.whole ? sql<boolean>`true` : sql<boolean>`(${isCovered(ctx)} or ${inClassOf(ctx.scope, person)})`

/** Those that somebody looks after by office: what they lead or guide themselves is not among them. */
export const governedCircles = (ctx: Reader) => allCircles(ctx).where(inScope(ctx.scope, circleScopeColumns))

/** Refuses a circle of which the person may not read. */
export async function readCircle(ctx: Reader, ciId: string): Promise<{ ciId: string; ciName: string }> {
  const row = await readableCircles(ctx).select(['ciId', 'ciName']).where('ciId', '=', ciId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** The circles in service that the asking person has to do with, under any of their rights. */
export const circleOptions = (ctx: Context) =>
  visibleCircles(ctx)
    .select(['ciId', 'ciName'])
    .where('ciStatus', '=', circleStatus.enabled)
    .where('ciAuthStatus', '=', circleAuthStatus.passed)
    .orderBy('ciName')
    .limit(1000)
    .execute()

/**
 * The circle that is to hold a course: in service, and one that the person leads or guides or that lies in their area.
 * A course keeps its circle when that is closed later (docs/rules.md R45).
 */
export async function assertMayHoldCourses(ctx: Context, ciId: string | undefined, kept: string | null): Promise<void> {
  if (ciId === undefined || ciId === kept) return
  const row = await visibleCircles(ctx)
    .select(['ciStatus', 'ciAuthStatus'])
    .where('ciId', '=', ciId)
    .forShare()
    .executeTakeFirst()
  if (!row) throw invalidInput([{ field: 'liCircleId', msg: '所选圈子不存在或不在您的管理范围内' }])
  if (row.ciStatus !== circleStatus.enabled || row.ciAuthStatus !== circleAuthStatus.passed)
    throw invalidInput([{ field: 'liCircleId', msg: '所选圈子未启用，不能发起活动' }])
}

/** Those who guide a circle, for flows that ask them. */
export async function circleTeachers(ctx: Pick<Context, 'db' | 'actor'>, ciId: string | null): Promise<string[]> {
  if (ciId === null) return []
  return (await from(ctx, 'circleTeacher').select('suId').where('ciId', '=', ciId).orderBy('suId').execute()).map(
    ({ suId }) => suId,
  )
}

/** Whether a right of the person covers a circle's place. */
export const holdsOver = (
  { permits, scopeFor }: Pick<Actor, 'permits' | 'scopeFor'>,
  permit: `circle:${string}`,
  { ciCollegeId, guideUnitId }: { ciCollegeId: string | null; guideUnitId: string | null },
): boolean => permits.has(permit) && scopeIncludes(scopeFor(permit), { college: ciCollegeId, department: guideUnitId })
