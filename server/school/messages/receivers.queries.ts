import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { maxReached, maxReceiverChoices, type messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { contains } from '../../core/database/paging.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentScopeColumns } from '../people/students.service.ts'
import { isNamed } from '../organisation/person-columns.ts'

type CallInput<K extends keyof typeof messageApi> = Checked<(typeof messageApi)[K]>

/** The people the person may write to: all staff, the students of their area, and themselves. */
const reachable = ({ db, actor, scope }: Context) =>
  from({ db, actor }, 'person').where((or) =>
    or.or([
      or('person.suiType', '<>', personType.student),
      or('person.suId', '=', actor.suId),
      inScope(scope, studentScopeColumns),
    ]),
  )

/** Those among them that are offered, and that a class or a role means: nobody looks for themselves. */
const visibleReceivers = (ctx: Context) => reachable(ctx).where('person.suId', '<>', ctx.actor.suId)

/** The first twenty of them that fit by name or number, exact numbers first. */
export const findReceivers = (ctx: Context, { suName }: CallInput<'receivers'>) => {
  let query = visibleReceivers(ctx)
  if (suName) query = query.where(isNamed(suName))
  return query
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select([
      'person.suId',
      'person.suiName as suName',
      'person.suiNumber',
      'college.scName as collegeName',
      'schoolClass.scClassName as className',
    ])
    .orderBy(sql`"person"."suiNumber" = ${suName ?? ''}`, 'desc')
    .orderBy('person.suiNumber')
    .limit(20)
    .execute()
}

/** Classes with students that may be written to, the latest years first. */
export const findClasses = (ctx: Context, { scClassName }: CallInput<'receiverClasses'>) => {
  let query = visibleReceivers(ctx)
    .innerJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .leftJoin('college', withinSchool('college.scId', 'schoolClass.scId'))
  if (scClassName) query = query.where(contains('schoolClass.scClassName', scClassName))
  return query
    .select([
      'schoolClass.scClassId',
      'schoolClass.scClassName',
      'college.scName as collegeName',
      sql<number>`count(*)::int`.as('count'),
    ])
    .groupBy(['schoolClass.scClassId', 'schoolClass.scClassName', 'schoolClass.scClassGrade', 'college.scName'])
    .orderBy('schoolClass.scClassGrade', 'desc')
    .orderBy('schoolClass.scClassName')
    .limit(maxReceiverChoices)
    .execute()
}

/** Roles with members that may be written to. Whose time in a role is over is no member. */
export const findRoles = (ctx: Context, { srName }: CallInput<'receiverRoles'>) => {
  let query = visibleReceivers(ctx)
    .innerJoin('roleUser', withinSchool('roleUser.suId', 'person.suId'))
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .where('role.enable', '=', enableStatus.enabled)
    .where((or) => or.or([or('roleUser.endDate', 'is', null), or('roleUser.endDate', '>=', dayOf(ctx.clock.now()))]))
  if (srName) query = query.where(contains('role.srName', srName))
  return query
    .select(['role.srId', 'role.srName', sql<number>`count(*)::int`.as('count')])
    .groupBy(['role.srId', 'role.srName', 'role.srSort'])
    .orderBy('role.srSort')
    .orderBy('role.srName')
    .limit(maxReceiverChoices)
    .execute()
}

/**
 * Everybody that a message to these people, classes and roles reaches, each once.
 * @throws Failure `not-found` where one of the people is out of reach, `receivers-unreachable` where a class or role
 *   holds nobody within reach, `too-many-receivers` beyond {@link maxReached}
 */
export async function reachedBy(
  ctx: Context,
  { suIds, classIds, srIds }: Pick<CallInput<'send'>, 'suIds' | 'classIds' | 'srIds'>,
): Promise<string[]> {
  const today = dayOf(ctx.clock.now())
  const roles = sql<string[]>`array(
      select m."srId"
      from "roleUser" m
      join "role" r on r."schoolId" = m."schoolId" and r."srId" = m."srId" and r."enable" = '1'
      where m."schoolId" = "person"."schoolId"
        and m."suId" = "person"."suId"
        and m."srId" = any(${srIds}::uuid[])
        and (m."endDate" is null or m."endDate" >= ${today}::date)
    )`
  const members = sql<boolean>`"person"."suId" in (
      select m."suId"
      from "roleUser" m
      where m."schoolId" = ${ctx.actor.schoolId} and m."srId" = any(${srIds}::uuid[])
    )`
  const rows = await reachable(ctx)
    .select(['person.suId', 'person.scClassId', roles.as('roles')])
    .where((or) => or.or([anyOf('person.suId', suIds), anyOf('person.scClassId', classIds), members]))
    .execute()
  const [named, classes] = [new Set(suIds), new Set(classIds)]
  const reached = rows.filter(
    (row) =>
      named.has(row.suId) ||
      (row.suId !== ctx.actor.suId && ((row.scClassId && classes.has(row.scClassId)) || row.roles.length > 0)),
  )
  if (reached.filter(({ suId }) => named.has(suId)).length !== named.size) throw new Failure('not-found')
  const held = new Set(reached.flatMap(({ scClassId, roles: own }) => [scClassId, ...own]))
  if ([...classIds, ...srIds].some((one) => !held.has(one))) throw new Failure('receivers-unreachable')
  if (reached.length > maxReached) throw new Failure('too-many-receivers', { n: maxReached })
  // those named come first, in the order in which they were named
  return [...named, ...reached.map(({ suId }) => suId).filter((suId) => !named.has(suId))]
}
