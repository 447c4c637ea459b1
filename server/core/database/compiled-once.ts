import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './pool.ts'

/** Stands for a value while a statement is built. */
class Slot {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
}

/** What is asked of a builder while its statement is built: a stand-in for each value that is there. */
const standIns = <V extends object>(values: V): V =>
  new Proxy(values, {
    get: (given, key) => (given[key as keyof V] === undefined ? undefined : new Slot(String(key))),
  })

function run<V extends object, R>(db: Db, compiled: CompiledQuery<R>, values: V): Promise<R[]> {
  const parameters = compiled.parameters.map((one) => (one instanceof Slot ? values[one.key as keyof V] : one))
  return db.executeQuery<R>({ ...compiled, parameters }).then(({ rows }) => rows)
}

/**
 * A statement of the builder that is built and compiled at its first use and then only given its values: for statements
 * that requests run all day, of which building costs more than running.
 * @param build must not look into the values it is given, for they are stand-ins: all they may become is parameters.
 * What
 *   changes the text is not a value but another statement; every use gives all values.
 */
export function compiledOnce<V extends object, R>(
  build: (db: Db, values: V) => Compilable<R>,
): (db: Db, values: V) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  return async (db, values) => run(db, (compiled ??= build(db, standIns(values)).compile()), values)
}

/** Texts kept of one statement. People use a few combinations of filters; whoever tries all of them fills no memory. */
const textsKept = 200

/**
 * The same for a statement with filters and an order: one text is kept for each set of values that are there and each
 * shape. A value that is undefined is not there, and the builder sees it so.
 * @param build gets stand-ins like that of {@link compiledOnce}; the shape as it is
 */
export function compiledByShape<V extends object, R, S extends Record<string, string> = {}>(
  build: (db: Db, values: V, shape: S) => Compilable<R>,
): (db: Db, values: V, ...shape: {} extends S ? [] : [S]) => Promise<R[]> {
  const texts = new Map<string, CompiledQuery<R>>()
  return async (db, values, ...[given]) => {
    const shape = (given ?? {}) as S
    const there = Object.keys(values).filter((name) => values[name as keyof V] !== undefined)
    const key = `${there.join(' ')}/${Object.values(shape).join(' ')}`
    let compiled = texts.get(key)
    if (!compiled) {
      if (texts.size >= textsKept) texts.clear()
      texts.set(key, (compiled = build(db, standIns(values), shape).compile()))
    }
    return run(db, compiled, values)
  }
}
