import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { likeText } from '../../core/database/paging.ts'
import type { BizType } from './running.service.ts'
import { mayAct } from '../../school/people/may-act.ts'

const maxShown = 50
const permitOf = (bizType: BizType): string => `approval:${bizType}`

/** People in service who hold every one of these rights through some role. */
const able = (schoolId: string, permits: readonly string[]) => sql`
    select p."suId"
    from "person" p
    join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId" and ${mayAct('p', 'a')}
    where p."schoolId" = ${schoolId}
      and p."delFlag" = '0'
      and not exists (
        select 1
        from unnest(${permits}::text[]) as wanted(permit)
        where not exists (
          select 1
          from "roleUser" u
          join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" and r."enable" = '1'
          where u."schoolId" = p."schoolId" and u."suId" = p."suId" and wanted.permit = any(r."permits")
        )
      )`

/** Refuses people who have left, or who could not decide such a matter. */
export async function assertCanDecide(ctx: Context, bizType: BizType, suIds: readonly string[]): Promise<void> {
  await assertHoldPermits(ctx, [permitOf(bizType)], suIds)
}

/** Refuses people who have left, or who lack one of these rights. */
export async function assertHoldPermits(
  { db, actor }: Context,
  permits: readonly string[],
  suIds: readonly string[],
): Promise<void> {
  if (suIds.length === 0) return
  const { rows } = await sql<{
    isAble: boolean
  }>`
    select w.id in (${able(actor.schoolId, permits)}) as "isAble"
    from unnest(${suIds}::uuid[]) as w(id)`.execute(db)
  // never who it is, or whether they are there at all: the id may be anybody's
  if (rows.some(({ isAble }) => !isAble)) throw new Failure('checker-not-able')
}

const bizTypes = ['publish', 'result', 'supplement', 'question'] as const satisfies readonly BizType[]

/** The rights to decide that a person holds, one for each kind of matter. */
export const approvalPermits = ({ actor }: Context): string[] =>
  bizTypes.map(permitOf).filter((permit) => actor.permits.has(permit))

/** Who could be handed a matter of a kind, or stand in: by name or number, at most fifty, never the person who asks. */
export async function candidates(ctx: Context, { bizType, search = '' }: Checked<typeof approvalActionApi.candidates>) {
  const { db, actor } = ctx
  const permits = bizType ? [permitOf(bizType)] : approvalPermits(ctx)
  if (permits.length === 0) return []
  const like = likeText(search)
  const fits =
    search === ''
      ? sql<boolean>`true`
      : sql<boolean>`(
          (chars(p."suiName") @> chars(${search}) and p."suiName" like ${like})
          or (chars(p."suiNumber") @> chars(${search}) and p."suiNumber" like ${like})
        )`
  const { rows } = await sql<{
    id: string
    name: string
    note: string
  }>`
    select p."suId" as id, p."suiName" as name, concat_ws(' · ', p."suiNumber", k."scName") as note
    from "person" p
    left join "college" k on k."schoolId" = p."schoolId" and k."scId" = p."suiCollegeId"
    where p."schoolId" = ${actor.schoolId}
      and p."suId" <> ${actor.suId}::uuid
      and ${fits}
      and p."suId" in (${able(actor.schoolId, permits)})
    order by p."suiNumber"
    limit ${maxShown}`.execute(db)
  return rows
}
