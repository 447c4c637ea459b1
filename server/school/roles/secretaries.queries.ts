import { sql } from 'kysely'
import { personType } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import type { AreaTarget } from './grants.service.ts'

/** A class and the student who leads its league branch. */
export interface Appointment {
  scClassId: string
  suId: string
}

/**
 * The league secretaries of classes; the classes stay locked, so that two appointments at once still leave one
 * secretary.
 */
export async function lockedSecretaries(tx: Context, srId: string, scClassIds: readonly string[]) {
  const { schoolId } = tx.actor
  await sql`
    select
    from "schoolClass"
    where "schoolId" = ${schoolId} and "scClassId" = any(${scClassIds}::uuid[])
    order by "scClassId"
    for update`.execute(tx.db)
  return secretariesOf(tx, srId, scClassIds)
}

/** Who leads the league branches of classes: students with the role whose area names the class. */
export const secretariesOf = async (
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  srId: string,
  scClassIds: readonly string[],
) =>
  (
    await sql<Appointment & { suiName: string; suiNumber: string }>`
        select a."caTarget" "scClassId", p."suId", p."suiName", p."suiNumber"
        from "controlArea" a
        join "person" p on p."schoolId" = a."schoolId"
          and p."suId" = a."suId"
          and p."suiType" = ${sql.lit(personType.student)}
        where a."schoolId" = ${actor.schoolId}
          and a."srId" = ${srId}
          and a."caType" = 'class'
          and a."caTarget" = any(${scClassIds}::text[])
        order by p."suiNumber"`.execute(db)
  ).rows

/**
 * Refuses to make somebody a league secretary past the rule that a class has one, where the role is given like any
 * other.
 */
export async function assertSingleSecretary(
  tx: Context,
  role: { srId: string; srCode: string },
  suIds: readonly string[],
  targets: readonly AreaTarget[],
): Promise<void> {
  if (role.srCode !== 'LEAGUE_SEC') return
  if (targets.some(({ caType }) => caType !== 'class'))
    throw invalidInput([{ field: 'scClassIds', msg: '团支书只能管理班级' }])
  if (suIds.length > 1 && targets.length > 0)
    throw invalidInput([{ field: 'suIds', msg: '每个班级只有一名团支书，请逐个设置' }])
  const holders = await lockedSecretaries(
    tx,
    role.srId,
    targets.map(({ caTarget }) => caTarget),
  )
  const other = holders.find(({ suId }) => !suIds.includes(suId))
  if (other) throw new Failure('secretary-exists', { name: other.suiName })
}
