import { Failure } from '../../../contract/core/failure.ts'
import { figure } from '../../../contract/core/figure.ts'

/** The refusal of a name or number that another record of the school already has, shown at its field. */
export function takenFailure(
  reason: 'name-taken' | 'number-taken',
  field: string,
  what: string,
  name: string,
): Failure {
  const values = { what, name, number: name }
  const failure = new Failure(reason, values)
  return new Failure(reason, values, { errors: [{ field, msg: failure.msg }] })
}

/** `3 个专业、12 名学生` for what still hangs on a record; empty where nothing does. */
export const dependentsText = (counts: readonly (readonly [count: number, unit: string])[]): string =>
  counts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${figure(count)} ${unit}`)
    .join('、')
