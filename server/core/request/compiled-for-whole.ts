import type { Compilable } from 'kysely'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { compiledOnce } from '../database/compiled-once.ts'
import type { Context } from './context.ts'

type Reader = Pick<Context, 'db' | 'actor' | 'scope'>

/** Whoever asks, under names that no value of a query has. */
interface AskerIds {
  askingSchoolId: string
  askingSuId: string
}

/**
 * A query that starts from what somebody may see, and is asked by one who looks after the whole school with the same
 * text each time: that is compiled once ({@link compiledOnce}); for others it is built as their areas have it.
 * @param build may use of the person their school and id, and of the values no more than to hand them on
 */
export function compiledForWhole<V extends object, R>(
  build: (reader: Reader, values: V) => Compilable<R>,
): (reader: Reader, values: V) => Promise<R[]> {
  const whole = compiledOnce((db, { askingSchoolId: schoolId, askingSuId: suId, ...values }: AskerIds & V) =>
    build({ db, actor: { schoolId, suId } as Context['actor'], scope: wholeSchool }, values as unknown as V),
  )
  return async (reader, values) => {
    const { db, actor, scope } = reader
    return scope.whole
      ? whole(db, { askingSchoolId: actor.schoolId, askingSuId: actor.suId, ...values })
      : (await db.executeQuery<R>(build(reader, values).compile())).rows
  }
}
