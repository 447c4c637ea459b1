import pg from 'pg'

/** Numbers by which PostgreSQL names its types. */
const oid = {
  int8: 20,
  date: 1082,
  timestamp: 1114,
  timestamptz: 1184,
  int8s: 1016,
  texts: 1009,
  dates: 1182,
  timestamptzs: 1185,
}

/**
 * `2026-11-20 09:30:00.123456+08` -> `2026-11-20 09:30:00`; the session's time zone has already made it wall-clock
 * time.
 */
const wall = (text: string): string => text.slice(0, 19)

const texts = pg.types.getTypeParser(oid.texts) as (text: string) => (string | null)[]
const each =
  <R>(convert: (text: string) => R) =>
  (text: string) =>
    texts(text).map((one) => (one === null ? null : convert(one)))

/** Where we read a type otherwise than the driver does: moments and days stay text, big integers become numbers. */
const own: Record<number, (text: string) => unknown> = {
  [oid.int8]: Number,
  [oid.int8s]: each(Number),
  [oid.date]: String,
  [oid.dates]: each(String),
  [oid.timestamp]: wall,
  [oid.timestamptz]: wall,
  [oid.timestamptzs]: each(wall),
}

/** How values from the database are read, for the driver's `types` option. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    (format === 'binary' ? undefined : own[type]) ?? pg.types.getTypeParser(type, format as 'text'),
}
