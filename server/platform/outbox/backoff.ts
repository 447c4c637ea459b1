/** Tries of one delivery, the first among them, before it is given up: about a day. */
export const maxAttempts = 10
/** Failures in a row after which a destination pauses and the administrators are told. */
export const failuresToPause = 3

/**
 * Seconds to wait after so many failures: 10, 40, 160 … up to six hours, a fifth more or less by chance, so that many
 * that failed together do not come back together.
 * @param random from 0 to 1
 */
export const waitSeconds = (failures: number, random: number): number =>
  Math.round(Math.min(6 * 3600, 10 * 4 ** (failures - 1)) * (0.8 + 0.4 * random))

/** Seconds a destination pauses: as its failures go on, at most an hour, so that it is soon seen to be back. */
export const pauseSeconds = (failures: number, random: number): number =>
  Math.min(3600, waitSeconds(failures - failuresToPause + 1, random))
