import { Failure } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { visibleStudents } from './students.service.ts'
import { visibleTeachers } from './teachers.service.ts'

export interface LockedPerson {
  suId: string
  suiName: string
  suiNumber: string
}

/** Students by their ids, locked, for one whose area covers them all; `not-found` otherwise. */
export const lockStudents = (tx: Context, ids: readonly string[]): Promise<LockedPerson[]> =>
  locked(visibleStudents(tx), ids)

/** The same for members of staff. */
export const lockTeachers = (tx: Context, ids: readonly string[]): Promise<LockedPerson[]> =>
  locked(visibleTeachers(tx), ids)

async function locked(people: ReturnType<typeof visibleStudents>, ids: readonly string[]): Promise<LockedPerson[]> {
  const rows = await people
    .select(['person.suId', 'suiName', 'suiNumber'])
    .where(anyOf('person.suId', ids))
    .orderBy('person.suId')
    .forUpdate()
    .execute()
  if (rows.length !== ids.length) throw new Failure('not-found')
  return rows
}
