import { smallGroup } from '../../../contract/outcomes/province/province.calls.ts'

/** Whether a number of people is told outside their school: nobody, or enough. Pure. */
export const isTold = (count: number): boolean => count === 0 || count >= smallGroup

/** Whether a figure is told that these numbers of people can be found by. Pure. */
export const areTold = (...counts: readonly number[]): boolean => counts.every(isTold)

/** An order that does not depend on where rows come from. */
export const byCode =
  <T>(codeOf: (row: T) => string) =>
  (a: T, b: T): number => {
    const [one, other] = [codeOf(a), codeOf(b)]
    return one < other ? -1 : Number(one > other)
  }

/**
 * Which of the rows that a whole consists of are not told: those with few people in one of the ways they are counted,
 * and as many others, the smallest first, that all hidden ones together are not few either, for what is not shown can
 * be found by subtracting the rest from the whole. Ways of counting are gone through in their order, the first being
 * the people there are, so that two tables of the same people hide the same of them. Pure.
 * @param rows the counts of each row; of two as small as each other the first is hidden
 */
export function hiddenRows(rows: readonly (readonly number[])[]): Set<number> {
  const hidden = new Set<number>()
  const ways = rows[0]?.length ?? 0
  const bySize = rows.map((_, at) => at).toSorted((a, b) => rows[a]![0]! - rows[b]![0]!)
  for (let way = 0; way < ways; way++) {
    for (const [at, counts] of rows.entries()) if (!isTold(counts[way]!)) hidden.add(at)
    const isOpen = () =>
      Array.from({ length: way + 1 }, (_, one) => [...hidden].reduce((sum, at) => sum + rows[at]![one]!, 0)).some(
        (sum) => !isTold(sum),
      )
    while (isOpen()) {
      const next = bySize.find((at) => !hidden.has(at) && rows[at]!.some((count) => count > 0))
      if (next === undefined) break
      hidden.add(next)
    }
  }
  return hidden
}

/** Which of named parts of a whole are told. Pure. */
export function partsTold<K extends string>(parts: Record<K, number>): Record<K, boolean> {
  const keys = Object.keys(parts) as K[]
  const hidden = hiddenRows(keys.map((key) => [parts[key]]))
  return Object.fromEntries(keys.map((key, at) => [key, !hidden.has(at)])) as Record<K, boolean>
}

/**
 * Which of the steps that people go through one after the other are told: those of enough people, unless they differ by
 * a few from a step before that is told. Pure.
 */
export function stepsTold(steps: readonly number[]): boolean[] {
  const told: number[] = []
  return steps.map((count) => {
    const isToldNow = areTold(count, ...told.map((before) => Math.abs(before - count)))
    if (isToldNow) told.push(count)
    return isToldNow
  })
}
