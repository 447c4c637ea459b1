import type { CardKind } from '../statistics/figures.ts'
import type { Context } from '../../core/request/context.ts'
import type { Span } from '../statistics/periods.ts'

/** Figures of a school that those of other schools are added to, by name. */
export type Sums = Readonly<Record<string, number>>

/** A table of a school: groups of what a figure counts. */
export interface SchoolTable {
  key: string
  /** How many people, or of what people did, each row is counted in; the first way counts the most. */
  counts: (sums: Sums) => readonly number[]
  /** Of a column that fewer people are behind than are counted: how many, such as those who have any hours. */
  behind?: Readonly<Record<string, (sums: Sums) => readonly number[]>>
  /** Rows are parts of a whole, steps that follow each other, or each for itself; they are hidden accordingly. */
  rowsAre: 'parts' | 'steps' | 'apart'
  /** Sums that count nobody and are told as they are. */
  exact?: readonly string[]
  rows: readonly { id: string; name: string; sums: Sums }[]
}

/** One of the eight screens as it is told across schools. */
export interface Screen {
  /** The cards of the school's own screen, calculated from sums; some depend on the sums of all schools together. */
  kinds: (all: Sums) => readonly CardKind<Sums>[]
  /** Sums that are the same in each school, such as the days of a period: they are not added. */
  same?: readonly string[]
  /** Figures that count nobody and are told as they are; all others are rounded. */
  exact?: readonly string[]
  /** What the cards of a school are calculated from, in each span. */
  figures: (ctx: Context, spans: readonly Span[]) => Promise<readonly Sums[]>
  /** Which cards of a school may be told outside of it; those that are not named tell of nobody. */
  told: (sums: Sums) => Readonly<Record<string, boolean>>
  tables: (ctx: Context, span: Span) => Promise<readonly SchoolTable[]>
  /** How the columns of the tables are calculated from added rows; a column that is not here is its sum. */
  columns?: Readonly<Record<string, Readonly<Record<string, (sums: Sums) => number | null>>>>
}

/** A screen whose figures are typed by whoever knows the school's own one. */
export const screenOf = <F extends object>(
  screen: Omit<Screen, 'kinds' | 'figures' | 'told'> & {
    kinds: readonly CardKind<F>[]
    figures: (ctx: Context, spans: readonly Span[]) => Promise<readonly F[]>
    told: (sums: F) => Readonly<Record<string, boolean>>
  },
): Screen => {
  const { kinds, ...others } = screen
  return { ...others, kinds: () => kinds } as unknown as Screen
}

/** A card that counts is told as soon as its number of people is; all under one key each. */
export const eachTold = (keys: readonly string[], isToldNow: boolean): Record<string, boolean> =>
  Object.fromEntries(keys.map((key) => [key, isToldNow]))

/** Adds figures up. @param same those that are not added */
export function added(all: readonly Sums[], same: readonly string[] = []): Sums {
  const sum: Record<string, number> = {}
  for (const one of all)
    for (const [key, value] of Object.entries(one))
      sum[key] = same.includes(key) ? Math.max(sum[key] ?? value, value) : (sum[key] ?? 0) + value
  return sum
}
