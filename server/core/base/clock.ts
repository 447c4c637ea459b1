/**
 * Time in this service is wall-clock text of Asia/Shanghai, `yyyy-MM-dd HH:mm:ss`, from the database to the wire: it
 * sorts as text, reads as the school reads it and means the same wherever the process runs. Shanghai has had no summer
 * time since 1991, so arithmetic may treat it as a fixed offset.
 */
export interface Clock {
  /** Now, as wall-clock text. */
  now(): string
  /** Seconds by which the machine's own clock is ahead of this one, or behind; 0 where that is too little to matter. */
  aheadSeconds?(): number
}

const OFFSET = 8 * 3600_000

export const systemClock: Clock = { now: () => wallOf(Date.now()) }

/** Milliseconds since the epoch -> wall-clock text. */
export const wallOf = (epoch: number): string => new Date(epoch + OFFSET).toISOString().slice(0, 19).replace('T', ' ')

/** Wall-clock text (or a day, meaning its midnight) -> milliseconds since the epoch. */
export const epochOf = (wall: string): number =>
  Date.parse(`${wall.length === 10 ? `${wall} 00:00:00` : wall}Z`.replace(' ', 'T')) - OFFSET

/** Wall-clock text as ISO 8601 and XML want it: `2026-11-27T05:37:07+08:00`. */
export const isoText = (wall: string): string => `${wall.replace(' ', 'T')}+08:00`

/** Adds whole or negative seconds to a moment. */
export const addSeconds = (wall: string, seconds: number): string => wallOf(epochOf(wall) + seconds * 1000)
/** Adds minutes to a moment. */
export const addMinutes = (wall: string, minutes: number): string => addSeconds(wall, minutes * 60)
/** Adds days to a moment or a day; the kind of text stays. */
export const addDays = (wall: string, days: number): string => addSeconds(wall, days * 86_400).slice(0, wall.length)
/** The day of a moment: `2026-11-27`. */
export const dayOf = (wall: string): string => wall.slice(0, 10)
/** The first second of a day. */
export const dayStart = (day: string): string => `${day.slice(0, 10)} 00:00:00`
/** The last second of a day. */
export const dayEnd = (day: string): string => `${day.slice(0, 10)} 23:59:59`
/** Whole seconds from `a` to `b`. */
export const secondsBetween = (a: string, b: string): number => Math.round((epochOf(b) - epochOf(a)) / 1000)
