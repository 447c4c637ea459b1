/** Sums, shares and orders of the oracle: whole numbers throughout, so that what it rounds is exact. */

export const total = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)
export const sumOf = <R>(rows: readonly R[], of: (row: R) => number): number => total(rows.map(of))

export function grouped<V, K>(rows: Iterable<V>, by: (row: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>()
  for (const row of rows) groups.set(by(row), [...(groups.get(by(row)) ?? []), row])
  return groups
}

/** A fraction to two decimals, a half away from zero. Both are whole. */
function twoDecimals(over: bigint, under: bigint): number {
  const isNegative = over < 0n !== under < 0n && over !== 0n
  const [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under]
  const hundredths = (a * 200n + b) / (b * 2n)
  return (isNegative ? -1 : 1) * (Number(hundredths) / 100)
}
/** `sum` × `factor` ÷ `by` to two decimals; null where there is nothing to divide by. */
export const part = (sum: number, by: number, factor = 1): number | null =>
  by === 0 ? null : twoDecimals(BigInt(sum) * BigInt(factor), BigInt(by))
export const share = (some: number, all: number): number | null => part(some, all, 100)
/** Hundredths as the number and as the text that stand for them. */
export const units = (hundredths: number): number => hundredths / 100
export const text = (hundredths: number): string => String(hundredths / 100)
/** A mean of hundredths. */
export const mean = (hundredths: number, over: number): number | null => part(hundredths, over * 100)
/** By how much a shown figure changed, in per cent of what it was. */
export const changed = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0
    ? null
    : part(Math.round(now * 100) - Math.round(before * 100), Math.abs(Math.round(before * 100)), 100)

/** Fractions with their weights added up, as points to two decimals; one over nothing gives none. */
export function points(weighted: readonly (readonly [weight: number, of: number, over: number])[]): number {
  const [over, under] = weighted
    .filter(([, , by]) => by !== 0)
    .reduce(([a, b], [weight, of, by]) => [a * BigInt(by) + BigInt(weight) * BigInt(of) * b, b * BigInt(by)], [0n, 1n])
  return twoDecimals(over, under)
}

type Value = string | number | boolean | null
/**
 * An order by some values in turn: numbers and text rising, nothing last; `falling` turns one around, nothing stays
 * last.
 */
export const by =
  <R>(...keys: ((row: R) => Value | { falling: Value })[]) =>
  (a: R, b: R): number => {
    for (const key of keys) {
      const [x, y] = [key(a), key(b)]
      const turned = typeof x === 'object' && x !== null
      const [p, q] = [turned ? x.falling : x, typeof y === 'object' && y !== null ? y.falling : y] as [Value, Value]
      if (p === q) continue
      if (p === null || q === null) return p === null ? 1 : -1
      return p < q === turned ? 1 : -1
    }
    return 0
  }
export const falling = (value: Value): { falling: Value } => ({ falling: value })
/** Names as Chinese readers order them. */
export const inChinese =
  <R extends { name: string }>(first: (row: R) => number) =>
  (a: R, b: R): number =>
    first(b) - first(a) || a.name.localeCompare(b.name, 'zh')

/** Places in a falling order; who has as much shares the place. */
export const ranks = (values: readonly number[]): number[] =>
  values.map((value) => values.filter((other) => other > value).length + 1)
