import { sql } from 'kysely'
import type { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import { likeText, titleContains } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentScopeColumns } from '../people/students.service.ts'
import { teacherScopeColumns } from '../people/teachers.service.ts'
import { isNamed } from '../organisation/person-columns.ts'

type AuditFilters = Omit<Checked<typeof auditApi.list>, 'current' | 'pageSize'>

/**
 * The audit rows that exist for whoever asks: all of the school, or those whose actor belongs to their area. Actions of
 * people since removed stay.
 */
export function visibleTrail({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) {
  const query = from({ db, actor }, 'auditLog')
  if (scope.whole) return query
  const people = sql`
    select "suId"
    from "person"
    where "person"."schoolId" = ${actor.schoolId}
      and (
        ("person"."suiType" = ${sql.lit(personType.student)} and ${inScope(scope, studentScopeColumns)})
        or ("person"."suiType" <> ${sql.lit(personType.student)} and ${inScope(scope, teacherScopeColumns)})
      )`
  return query.where(sql<boolean>`"auditLog"."actorId" = any(array(${people}))`)
}

/** Most people, and most different actions, that a searched text may mean. */
const maxMeant = 1000

/**
 * The visible rows that fit the filters. What a person types for people and acts is first turned into the few people
 * and acts it means, so that the rows are found by an index whatever the size of the trail.
 */
export async function matchingTrail(
  ctx: Context,
  { logStartDate, logEndDate, actor, action, bizType, bizName, result, ip, requestId }: AuditFilters,
) {
  let query = visibleTrail(ctx)
  if (logStartDate) query = query.where('logTime', '>=', logStartDate)
  if (logEndDate) query = query.where('logTime', '<=', logEndDate)
  if (actor) {
    const people = await peopleMeant(ctx, actor)
    const named = sql<boolean>`("actorId" is null and "actorName" = ${actor})`
    query = query.where(
      people.length === 0
        ? named
        : people.length === 1
          ? sql<boolean>`"actorId" = ${people[0]}::uuid`
          : sql<boolean>`("actorId" = any(${people}::uuid[]) or ${named})`,
    )
  }
  if (action) {
    const acts = await actionsMeant(ctx, action)
    query = query.where(
      acts.length === 1 ? sql<boolean>`"action" = ${acts[0]}` : sql<boolean>`"action" = any(${acts}::text[])`,
    )
  }
  if (bizType) query = query.where('bizType', '=', bizType)
  if (bizName) query = query.where(titleContains('auditLog.bizName', bizName))
  // written out, because PostgreSQL compares the condition of the index before it knows any parameter
  if (result)
    query = query.where(result === 'refused' ? sql<boolean>`"result" = 'refused'` : sql<boolean>`"result" = 'ok'`)
  if (ip) query = query.where('ip', '=', ip)
  if (requestId) query = query.where('requestId', '=', requestId)
  return query
}

/** People whose name or number holds the text; the trail tells of deleted ones as well. */
async function peopleMeant(ctx: Context, needle: string): Promise<string[]> {
  const rows = await from(ctx, 'person', { withDeleted: true })
    .select('suId')
    .where(isNamed(needle))
    .orderBy('suId')
    .limit(maxMeant)
    .execute()
  return rows.map(({ suId }) => suId)
}

/**
 * The actions whose name holds the text. Each different act is found by one step down the index, however many rows tell
 * of it.
 */
async function actionsMeant({ db, actor }: Context, needle: string): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
      with recursive acts as (
        (select "action" from "auditLog" where "schoolId" = ${actor.schoolId} order by "action" limit 1)
        union all
        select (
          select a."action"
          from "auditLog" a
          where a."schoolId" = ${actor.schoolId} and a."action" > acts."action"
          order by a."action"
          limit 1
        )
        from acts
        where acts."action" is not null
      )
      select "action"
      from acts
      where "action" like ${likeText(needle)}
      limit ${maxMeant}`.execute(db)
  return rows.map(({ action }) => action)
}
