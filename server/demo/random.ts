/** A seeded stream of chance (mulberry32): the same seed makes the same school. */
export interface Random {
  /** 0 to below 1. */
  next(): number
  /** A whole number from `low` to `high`, both possible. */
  whole: (low: number, high: number) => number
  /** One of them. @throws where there is none: whoever asks makes sure first */
  one<T>(from: readonly T[]): T
  /** `count` different items, fewer when there are not as many. */
  some<T>(from: readonly T[], count: number): T[]
  /** True with the given probability. */
  odds(probability: number): boolean
  /** One of the values, as often as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T
  /** A record id; ids grow with the order of calls. */
  id(): string
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  let made = 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  /** Up to eight digits. */
  const hex = (digits: number): string =>
    Math.floor(next() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return {
    next,
    whole,
    one(from) {
      if (from.length === 0) throw new RangeError('nothing to choose from')
      return from[whole(0, from.length - 1)]!
    },
    some(from, count) {
      const left = [...from]
      return Array.from({ length: Math.min(count, left.length) }, () => {
        const at = whole(0, left.length - 1)
        const item = left[at]!
        left[at] = left.at(-1)!
        left.pop()
        return item
      })
    },
    odds: (probability) => next() < probability,
    weighted(choices) {
      let at = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      return (choices.find(([, weight]) => (at -= weight) < 0) ?? choices.at(-1)!)[0]
    },
    // version 7 in form, so that it sorts like the ids of later records; the counter stands where the time would
    id: () =>
      `0190${(++made)
        .toString(16)
        .padStart(8, '0')
        .replace(/(.{4})$/, '-$1')}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`,
  }
}
