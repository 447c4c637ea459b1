import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { ownDepartments, personInReach } from './departments.queries.ts'

/** Puts people into a department in reach; those who are in it already stay as they are. */
export function addDepartmentUsers(ctx: Context, { sdId, suIds, post = '' }: Checked<typeof departmentApi.addUsers>) {
  return inTransaction(ctx, async (tx) => {
    const department = await departmentInReach(tx, sdId)
    const people = await from(tx, 'person').select(['suId', 'suiName']).where(anyOf('suId', suIds)).execute()
    if (people.length !== suIds.length) throw new Failure('not-found')
    const last = (await lastPlaces(tx, [sdId])).get(sdId) ?? 0
    const inOrder = people.toSorted((one, other) => suIds.indexOf(one.suId) - suIds.indexOf(other.suId))
    const added = await tx.db
      .insertInto('departmentUser')
      .values(
        inOrder.map(({ suId }, at) => ({ schoolId: tx.actor.schoolId, sdId, suId, post, memberSort: last + at + 1 })),
      )
      .onConflict((on) => on.doNothing())
      .returning('suId')
      .execute()
    await raiseVersions(
      tx,
      added.map((one) => one.suId),
    )
    await audit(tx, {
      action: '添加部门成员',
      bizType: 'department',
      bizId: sdId,
      bizName: department.sdName,
      after: { post, people: people.map(({ suiName }) => suiName) },
    })
    return { affected: added.length }
  })
}

/** Takes people out of a department in reach; all of them must be in it. */
export function removeDepartmentUsers(ctx: Context, { sdId, suIds }: Checked<typeof departmentApi.removeUsers>) {
  return inTransaction(ctx, async (tx) => {
    const department = await departmentInReach(tx, sdId)
    const removed = await tx.db
      .deleteFrom('departmentUser')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('sdId', '=', sdId)
      .where(anyOf('suId', suIds))
      .returning('suId')
      .execute()
    if (removed.length !== suIds.length) throw new Failure('not-found')
    await raiseVersions(tx, suIds)
    await audit(tx, {
      action: '移除部门成员',
      bizType: 'department',
      bizId: sdId,
      bizName: department.sdName,
      before: { suIds },
    })
    return { affected: removed.length }
  })
}

/**
 * Sets the departments a person belongs to. Those they leave and those they join must lie in reach; the others stay
 * untouched.
 */
export function setRelations(ctx: Context, { suId, relations }: Checked<typeof departmentApi.setRelations>) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const person = await personInReach(tx, suId).select(['suId', 'suiName']).forUpdate().executeTakeFirst()
    if (!person) throw new Failure('not-found')
    const wanted = new Map(relations.map(({ sdId, post = '', sdSort }) => [sdId, { sdId, post, sdSort }]))
    if (wanted.size !== relations.length) throw invalidInput([{ field: 'relations', msg: '同一部门只能填写一次' }])
    const before = await from(tx, 'departmentUser')
      .select(['sdId', 'post', 'sdSort', 'memberSort'])
      .where('suId', '=', suId)
      .execute()
    const had = new Map(before.map((one) => [one.sdId, one]))
    const gone = before.filter(({ sdId }) => !wanted.has(sdId))
    const altered = [...wanted.values()].filter(
      (one) => had.get(one.sdId)?.post !== one.post || had.get(one.sdId)?.sdSort !== one.sdSort,
    )
    const touched = [...gone, ...altered].map(({ sdId }) => sdId)
    const reachable = await ownDepartments(tx).select('sdId').where(anyOf('department.sdId', touched)).execute()
    if (reachable.length !== touched.length) throw new Failure('out-of-reach')
    if (touched.length > 0)
      await tx.db
        .deleteFrom('departmentUser')
        .where('schoolId', '=', schoolId)
        .where('suId', '=', suId)
        .where(anyOf('sdId', touched))
        .execute()
    const last = await lastPlaces(
      tx,
      altered.map(({ sdId }) => sdId),
    )
    if (altered.length > 0)
      await tx.db
        .insertInto('departmentUser')
        .values(
          altered.map((one) => ({
            schoolId,
            suId,
            ...one,
            memberSort: had.get(one.sdId)?.memberSort ?? (last.get(one.sdId) ?? 0) + 1,
          })),
        )
        .execute()
    if (touched.length > 0) await raiseVersions(tx, [suId])
    await audit(tx, {
      action: '调整人员所在部门',
      bizType: 'person',
      bizId: suId,
      bizName: person.suiName,
      before: { relations: before },
      after: { relations: [...wanted.values()] },
    })
    return { affected: touched.length }
  })
}

/**
 * Puts the members of a department in reach into an order; those who are not named follow in the order they had. One
 * statement.
 */
export function sortDepartmentUsers(ctx: Context, { sdId, suIds }: Checked<typeof departmentApi.sortUsers>) {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const department = await departmentInReach(tx, sdId)
    const members = await from(tx, 'departmentUser')
      .select('suId')
      .where('sdId', '=', sdId)
      .where(anyOf('suId', suIds))
      .forUpdate()
      .execute()
    if (members.length !== suIds.length) throw new Failure('not-found')
    const { numAffectedRows = 0n } = await sql`
          update "departmentUser" u
          set "memberSort" = o.at
          from (
            select m."suId", row_number() over (order by w.at nulls last, m."memberSort", p."suiNumber")::int at
            from "departmentUser" m
            join "person" p on p."schoolId" = m."schoolId" and p."suId" = m."suId"
            left join unnest(${suIds}::uuid[]) with ordinality w("suId", at) on w."suId" = m."suId"
            where m."schoolId" = ${schoolId} and m."sdId" = ${sdId}
          ) o
          where u."schoolId" = ${schoolId} and u."sdId" = ${sdId} and u."suId" = o."suId" and u."memberSort" <> o.at`.execute(
      tx.db,
    )
    await audit(tx, { action: '调整部门成员顺序', bizType: 'department', bizId: sdId, bizName: department.sdName })
    return { affected: Number(numAffectedRows) }
  })
}

/**
 * Whether whoever edits a person may also put them into a department or take them out of it: where the right of the
 * call covers it, or the right over members.
 */
export const maySetDepartment = ({ actor, scope }: Pick<Context, 'actor' | 'scope'>, sdId: string): boolean =>
  [scope, actor.scopeFor('department:member')].some((one) => scopeIncludes(one, { department: sdId }))

/** The form of a person holds their departments: one that was read before must not put them back. */
async function raiseVersions(tx: Context, suIds: readonly string[]): Promise<void> {
  if (suIds.length === 0) return
  await tx.db
    .updateTable('person')
    .set(updatedColumns(tx))
    .where('schoolId', '=', tx.actor.schoolId)
    .where(anyOf('suId', suIds))
    .execute()
}

/** The place of the last member of each department. */
export async function lastPlaces(
  ctx: Pick<Context, 'db' | 'actor'>,
  sdIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await from(ctx, 'departmentUser')
    .select(({ fn }) => ['sdId', fn.max('memberSort').as('last')])
    .where(anyOf('sdId', sdIds))
    .groupBy('sdId')
    .execute()
  return new Map(rows.map(({ sdId, last }) => [sdId, last]))
}

async function departmentInReach(tx: Context, sdId: string): Promise<{ sdName: string }> {
  const department = await ownDepartments(tx).select('sdName').where('department.sdId', '=', sdId).executeTakeFirst()
  if (!department) throw new Failure('not-found')
  return department
}
