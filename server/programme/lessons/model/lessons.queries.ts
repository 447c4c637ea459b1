import { sql, type Selectable } from 'kysely'
import { codesOf } from '../../../../contract/core/codes/code-list.ts'
import { approvalStatus, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { compiledForWhole } from '../../../core/request/compiled-for-whole.ts'
import type { Actor, Context } from '../../../core/request/context.ts'
import { together } from '../../../core/base/together.ts'
import { scopeIncludes } from '../../../core/request/scope-check.ts'
import type { Tables } from '../../../core/database/pool.ts'
import { from } from '../../../core/database/tenant.ts'
import { inScope } from '../../../core/request/scope-sql.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import type { LessonMove, LessonState, LifeRules, LessonAuthority, Relation } from './lesson-life.ts'
import { assertMove } from './lesson-life.ts'

type Reader = Pick<Context, 'db' | 'actor' | 'scope'>

/** The courses a person has to do with themselves: made, leads, guides, signs for. A query of ids. */
export const ownLessonIds = ({ schoolId, suId }: Actor) => sql`
  select "liId" from "lesson" where "schoolId" = ${schoolId} and "createBy" = ${suId}::uuid
  union all select "liId" from "lesson" where "schoolId" = ${schoolId} and "liPrincipalId" = ${suId}::uuid
  union all select "liId" from "lessonPerson" where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid`

/** The courses whose approvals wait for a person or were decided by them. A query of ids. */
const checkedLessonIds = ({ schoolId, suId }: Actor) => sql`
  select a."bizId" from "approvalTask" t join "approval" a on a."schoolId" = t."schoolId" and a."insId" = t."insId"
  where t."schoolId" = ${schoolId} and t."checkerId" = ${suId}::uuid and t."bizType" in ('publish', 'result')`

const coveredBy = (scope: Reader['scope']) =>
  inScope(scope, { college: 'lesson.liCollegeId', department: 'lesson.liDepartmentId', path: 'lesson.lsPath' })
const ownOrChecked = (actor: Actor) =>
  sql<boolean>`"lesson"."liId" = any(array(${ownLessonIds(actor)} union all ${checkedLessonIds(actor)}))`

/**
 * The courses that exist for whoever asks: those their scope covers, their own, and those they decide on. Their own are
 * found by their ids first, so that somebody without any scope does not have the school's courses read through for
 * them.
 */
export function visibleLessons({ db, actor, scope }: Reader) {
  const query = from({ db, actor }, 'lesson')
  if (scope.whole) return query
  return query.where((or) => or.or([coveredBy(scope), ownOrChecked(actor)]))
}

/**
 * The same courses in parts that share none: what the scope covers, and what lies outside of it and is the person's
 * own. Whoever decides on thousands has every course compared with thousands by the "or" of the two.
 */
export function visibleLessonParts({ db, actor, scope }: Reader) {
  const query = from({ db, actor }, 'lesson')
  if (scope.whole) return [query]
  const covered = coveredBy(scope)
  return [query.where(covered), query.where(ownOrChecked(actor)).where(sql<boolean>`${covered} is not true`)]
}

/**
 * What ties the asking person to the course of a row: roles they have in it, and whether they started its running
 * approval.
 */
export const relationsOf = ({ schoolId, suId }: Pick<Actor, 'schoolId' | 'suId'>) =>
  [
    sql<string[]>`array(
        select "lpRole"
        from "lessonPerson" x
        where x."schoolId" = ${schoolId} and x."liId" = "lesson"."liId" and x."suId" = ${suId}::uuid
      )`.as('myRoles'),
    sql<boolean>`exists(
        select
        from "approval" x
        where x."schoolId" = ${schoolId}
          and x."bizType" in ('publish', 'result')
          and x."bizId" = "lesson"."liId"
          and x."insStatus" = ${sql.lit(approvalStatus.running)}
          and x."startBy" = ${suId}::uuid
      )`.as('initiated'),
  ] as const

/** The columns of a course that say who may do what to it. */
export interface LessonRelations extends LessonState {
  createBy: string | null
  liPrincipalId: string
  liCollegeId: string | null
  liDepartmentId: string | null
  lsPath: string[]
  myRoles: string[]
  initiated: boolean
}

/** How the asking person stands to a course. */
export function lessonAuthorities(
  { permits, scopeFor, suId }: Actor,
  rules: LifeRules,
): (lesson: LessonRelations) => LessonAuthority {
  return ({ createBy, liPrincipalId, myRoles, initiated, liCollegeId, liDepartmentId, lsPath }) => {
    const relations = new Set<Exclude<Relation, 'scope'>>()
    if (createBy === suId) relations.add('creator')
    if (liPrincipalId === suId) relations.add('principal')
    for (const role of codesOf(lessonPersonRole)) if (myRoles.includes(role)) relations.add(role)
    if (initiated) relations.add('initiator')
    return {
      rules,
      permits,
      relations,
      covers: (permit) =>
        scopeIncludes(scopeFor(permit), { college: liCollegeId, department: liDepartmentId, path: lsPath }),
    }
  }
}

/** A course as services work on it. */
export type ReachedLesson = Selectable<Tables['lesson']> & { myRoles: string[]; initiated: boolean }

/**
 * The course for one who may see it; `not-found` otherwise. `lock` keeps it to the transaction: courses are locked
 * before everything that hangs on them.
 */
export async function reachLesson(ctx: Reader, liId: string, { lock = false } = {}): Promise<ReachedLesson> {
  let query = visibleLessons(ctx).selectAll('lesson').select(relationsOf(ctx.actor)).where('lesson.liId', '=', liId)
  if (lock) query = query.forUpdate('lesson')
  const row = await query.executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

const checkColumns = [
  'liStatus',
  'applyWay',
  'applyStart',
  'applyEnd',
  'startTime',
  'endTime',
  'signCount',
  'changeId',
  'itemCategory',
  'createBy',
  'liPrincipalId',
  'liCollegeId',
  'liDepartmentId',
  'lsPath',
] as const

/**
 * What says who may do what to a course, for one who may see it; `not-found` otherwise. Reading needs no more of the
 * course's sixty columns.
 */
export async function loadLessonForCheck(ctx: Reader, liId: string): Promise<LessonRelations & { applyWay: string }> {
  const [row] = await checkRows(ctx, { liId })
  if (!row) throw new Failure('not-found')
  return row
}

const checkRows = compiledForWhole((ctx, { liId }: { liId: string }) =>
  visibleLessons(ctx).select(checkColumns).select(relationsOf(ctx.actor)).where('lesson.liId', '=', liId),
)

/** The course, locked, for one who may do the action to it now. */
export async function lessonFor(
  ctx: Context,
  act: LessonMove,
  liId: string,
  { lock = true } = {},
): Promise<ReachedLesson> {
  const [lesson, rules] = await together(reachLesson(ctx, liId, { lock }), schoolSettings(ctx, ctx.actor.schoolId))
  assertMove(act, lesson, lessonAuthorities(ctx.actor, rules)(lesson), ctx.clock.now())
  return lesson
}
