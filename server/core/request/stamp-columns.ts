import { sql } from 'kysely'
import type { Context } from './context.ts'

/** Who made a record and when, for the columns every edited table has; with the school, which leads every key. */
export const createdColumns = ({ actor, clock }: Pick<Context, 'actor' | 'clock'>) => {
  const now = clock.now()
  return {
    schoolId: actor.schoolId,
    createBy: actor.suId,
    createName: actor.suNickname,
    createTime: now,
    updateBy: actor.suId,
    updateTime: now,
  }
}

/** Who changed a record and when. */
export const changedBy = ({ actor, clock }: Pick<Context, 'actor' | 'clock'>) => ({
  updateBy: actor.suId,
  updateTime: clock.now(),
})

/** SQL: the version of a record that is being changed. */
export const nextVersion = sql<number>`version + 1`

/** Who changed a record and when, and its next version. */
export const updatedColumns = (ctx: Pick<Context, 'actor' | 'clock'>) => ({ ...changedBy(ctx), version: nextVersion })
