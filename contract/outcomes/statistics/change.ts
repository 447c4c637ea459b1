/** Rounds to two decimals, a half away from zero; what floating point lost of a half is found again first. */
export const round = (value: number): number =>
  (Math.sign(value) * Math.round(Number((Math.abs(value) * 100).toPrecision(12)))) / 100

/** The share by which a figure changed, in per cent; null where there is nothing to compare it with. Pure. */
export const changeRate = (now: number | null, before: number | null): number | null =>
  now === null || before === null || before === 0 ? null : round(((now - before) * 100) / Math.abs(before))
