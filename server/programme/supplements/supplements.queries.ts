import { sql, type Selectable } from 'kysely'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { SupplementAction } from '../../../contract/programme/supplements/supplements.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { compiledForWhole } from '../../core/request/compiled-for-whole.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import type { Tables } from '../../core/database/pool.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { under } from '../../school/people/people.service.ts'
import { studentLocation, studentScopeColumns } from '../../school/people/students.service.ts'
import { openDispute } from '../credits/open-disputes.queries.ts'
import { assertMove, type SupplementAuthority, type SupplementState } from './supplement-life.ts'

type Reader = Pick<Context, 'db' | 'actor' | 'scope'>

/** Where a record lies: where its student stands, and its module. */
export const supplementScopeColumns = { ...studentScopeColumns, path: 'supplement.lsPath' }

/**
 * The records whose approvals wait for a person or were decided by them, and those they entered themselves. A query of
 * ids.
 */
const ownOrChecked = ({ schoolId, suId }: Actor) => sql`
    select "lisId"
    from "supplement"
    where "schoolId" = ${schoolId} and "createBy" = ${suId}::uuid
    union all
    select a."bizId"
    from "approvalTask" t
    join "approval" a on a."schoolId" = t."schoolId" and a."insId" = t."insId"
    where t."schoolId" = ${schoolId} and t."checkerId" = ${suId}::uuid and t."bizType" = 'supplement'`

const allSupplements = ({ db, actor }: Reader) =>
  from({ db, actor }, 'supplement', { withDeleted: true }).innerJoin(
    'person',
    withinSchool('person.suId', 'supplement.suId'),
  )
const entered = (actor: Actor) => sql<boolean>`"supplement"."lisId" = any(array(${ownOrChecked(actor)}))`

/**
 * The supplement records that exist for whoever asks, deleted ones too: those of students and modules their scope
 * covers, those they entered, and those they decide on. The student is joined as `person`.
 */
export function visibleSupplements(reader: Reader) {
  const query = allSupplements(reader)
  if (reader.scope.whole) return query
  return query.where((or) => or.or([inScope(reader.scope, supplementScopeColumns), entered(reader.actor)]))
}

/** The ids of those of these records that the asking person may open; nothing where they may open none at all. */
export const openableSupplements = (ctx: Context, lisIds: readonly string[]) =>
  ctx.actor.permits.has('sup:list')
    ? visibleSupplements(under(ctx, 'sup:list'))
        .select('supplement.lisId as id')
        .where(anyOf('supplement.lisId', lisIds))
    : undefined

/**
 * The same records in parts that share none: what the scope covers, and what lies outside of it and is the person's
 * own. No index answers an "or" of the two, each part has its own.
 */
export function visibleSupplementParts(reader: Reader) {
  const query = allSupplements(reader)
  if (reader.scope.whole) return [query]
  const covered = inScope(reader.scope, supplementScopeColumns)
  return [query.where(covered), query.where(entered(reader.actor)).where(sql<boolean>`${covered} is not true`)]
}

/**
 * Every record of the school without its student: a list that asks nothing of students need not read them, and a record
 * always has one. As a query that has the student joined, whose columns it must not name.
 */
export const supplementsAlone = ({ db, actor }: Reader) =>
  from({ db, actor }, 'supplement', { withDeleted: true }) as unknown as ReturnType<typeof allSupplements>

/** Whether the asking person started the running approval of the record of a row. */
export const initiatedBy = ({ schoolId, suId }: Actor) =>
  sql<boolean>`exists(
      select
      from "approval" x
      where x."schoolId" = ${schoolId}
        and x."bizType" = 'supplement'
        and x."bizId" = "supplement"."lisId"
        and x."insStatus" = ${sql.lit(approvalStatus.running)}
        and x."startBy" = ${suId}::uuid
    )`.as('initiated')

/** Whether a question about the record of a row waits for its end. */
export const isQuestioned = sql<boolean>`exists(
      select
      from "question" q
      where q."schoolId" = "supplement"."schoolId" and q."lisId" = "supplement"."lisId" and ${openDispute}
    )`

/** The columns of a record that say who may do what to it. */
interface SupplementRelations extends SupplementState {
  createBy: string | null
  suiCollegeId: string | null
  majorId: string | null
  scClassId: string | null
  suiGrade: string | null
  lsPath: string[]
  initiated: boolean
}

/** How the asking person stands to a record. */
export function supplementAuthorities({
  permits,
  scopeFor,
  suId,
}: Actor): (supplement: SupplementRelations) => SupplementAuthority {
  return (supplement) => {
    const relations = new Set<'creator' | 'initiator'>()
    if (supplement.createBy === suId) relations.add('creator')
    if (supplement.initiated) relations.add('initiator')
    return {
      permits,
      relations,
      covers: (permit) => scopeIncludes(scopeFor(permit), { ...studentLocation(supplement), path: supplement.lsPath }),
    }
  }
}

/** A record as services work on it, with its student. */
export type ReachedSupplement = Selectable<Tables['supplement']> &
  SupplementRelations & { suiName: string; suiNumber: string }

const reached = (ctx: Reader) =>
  visibleSupplements(ctx)
    .selectAll('supplement')
    .select(['suiName', 'suiNumber', 'suiCollegeId', 'majorId', 'scClassId', 'suiGrade'])
    .select(initiatedBy(ctx.actor))
    .select(isQuestioned.as('isQuestioned'))

/** The record for one who may see it; `not-found` otherwise. */
export async function reachSupplement(ctx: Reader, lisId: string): Promise<ReachedSupplement> {
  const row = await reached(ctx).where('supplement.lisId', '=', lisId).executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return row
}

/** Records, locked in the order of their ids, for one who may see them all; `not-found` otherwise. */
export async function lockSupplements(ctx: Reader, lisIds: readonly string[]): Promise<ReachedSupplement[]> {
  const rows = await reached(ctx)
    .where(anyOf('supplement.lisId', lisIds))
    .orderBy('supplement.lisId')
    .forUpdate('supplement')
    .execute()
  if (rows.length !== new Set(lisIds).size) throw new Failure('not-found')
  return rows
}

/** The record, locked, for one who may do the action to it now. */
export async function supplementFor(ctx: Context, act: SupplementAction, lisId: string): Promise<ReachedSupplement> {
  const [supplement] = await lockedOne(ctx, { lisId })
  if (!supplement) throw new Failure('not-found')
  assertMove(act, supplement, supplementAuthorities(ctx.actor)(supplement))
  return supplement
}

const lockedOne = compiledForWhole((ctx, { lisId }: { lisId: string }) =>
  reached(ctx).where('supplement.lisId', '=', lisId).forUpdate('supplement'),
)
