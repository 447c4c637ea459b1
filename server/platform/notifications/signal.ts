import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'

/** Channel on which those who show unread messages hear that inboxes of a school have changed. */
export const messageChannel = 'message' as const

/** Says so when and if the transaction commits. PostgreSQL tells many changes of one transaction once. */
export const signalInboxes = ({ db, actor }: Pick<Context, 'db' | 'actor'>) =>
  sql`select pg_notify(${messageChannel}, ${actor.schoolId})`.execute(db)
