/** Rounds to two decimals. */
const round = (value: number): number => Math.round((value + Number.EPSILON * Math.sign(value)) * 100) / 100

/** The share by which a figure changed, in per cent; null where there is nothing to compare it with. Pure. */
export const changeRate = (now: number | null, before: number | null): number | null => (now === null || before === null || before === 0 ? null : round(((now - before) * 100) / Math.abs(before)))
