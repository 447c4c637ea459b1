import type { Work } from './migration-plan.ts'

/**
 * Rows a second of the participations of the bench school (91,136 rows, 33 MB with indexes, PostgreSQL 18, two cores
 * that others used as well, 2026-11-24): one index of two columns, one column filled in batches of a thousand with
 * their pauses, one column changed at once, one column of another type.
 */
const rowsPerSecond: Record<Exclude<Work, 'brief' | 'create'>, number> = {
  index: 110_000,
  concurrent: 107_000,
  backfill: 5000,
  rows: 8500,
  rewrite: 20_000,
}
/** Bytes of such a row with its share of the indexes: wider rows take longer in proportion. */
const bytesPerRow = 375

/** About how many seconds a step of an upgrade takes on a table of that many rows and bytes with its indexes. */
export function secondsFor(work: Work, rows: number, bytes: number): number {
  if (work === 'brief' || work === 'create') return 0
  return Math.max(rows, bytes / bytesPerRow) / rowsPerSecond[work]
}
