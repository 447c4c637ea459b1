import { createHash, randomBytes } from 'node:crypto'

/**
 * Drawing by lot that anybody can check. Before anybody registers the school promises a seed by its digest; after the
 * draw the seed is shown. A registration's ticket is the digest of seed and registration number, and the smallest
 * tickets win. Whoever drew could neither choose the seed afterwards nor know before it what a registration would draw.
 * Pure but for `newSeed`.
 */
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** 32 random bytes as hex digits. */
export const newSeed = (): string => randomBytes(32).toString('hex')

/** What is published before: the SHA-256 of the seed's text. */
export const digestOf = (seed: string): string => digest(seed)

/** The ticket of a registration: SHA-256 of `seed:laId`, as `printf '%s' 'seed:laId' | sha256sum` prints it. */
export const ticketOf = (seed: string, laId: string): string => digest(`${seed}:${laId}`)

/**
 * The order of the draw: by ticket, smallest first. It depends on the seed and on who takes part, not on the order they
 * are named in.
 */
export function drawOrder<E extends { laId: string }>(seed: string, entrants: readonly E[]): E[] {
  return entrants
    .map((entrant) => ({ entrant, ticket: ticketOf(seed, entrant.laId) }))
    .toSorted((a, b) => (a.ticket < b.ticket ? -1 : a.ticket > b.ticket ? 1 : a.entrant.laId < b.entrant.laId ? -1 : 1))
    .map(({ entrant }) => entrant)
}
