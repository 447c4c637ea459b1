import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './pool.ts'

/** Stands for a value while a statement is built. */
class Slot {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/**
 * A statement of the builder that is built and compiled at its first use and then only given its values: for statements
 * of many columns that requests run all day, of which building costs more than running.
 * @param build must not look into the values it is given, for they are stand-ins: all they may become is parameters. What
 *   changes the text is not a value but another statement.
 */
export function compiledOnce<V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): (db: Db, values: V) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, values) => {
    compiled ??= build(db, new Proxy({}, { get: (_, key) => new Slot(String(key)) }) as V).compile()
    const parameters = compiled.parameters.map((one) => (one instanceof Slot ? values[one.key as keyof V] : one))
    return (await db.executeQuery<R>({ ...compiled, parameters })).rows
  }
}
