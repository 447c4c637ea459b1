/**
 * How often and from which seed generated cases run against the service: the same in every run, so that a change is
 * judged by what it changed; `FUZZ_RUNS` and `FUZZ_SEED` (`random` for a new one each time) look further.
 */
export function fuzz(runs: number): { numRuns: number; seed?: number; endOnFailure: true } {
  const { FUZZ_RUNS, FUZZ_SEED = '20261120' } = process.env
  return {
    numRuns: Number(FUZZ_RUNS ?? runs),
    ...(FUZZ_SEED === 'random' ? {} : { seed: Number(FUZZ_SEED) }),
    endOnFailure: true,
  }
}
