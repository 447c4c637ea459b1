/** A number as people read it, with separators of thousands: `29,414`. The one way for counts, totals and amounts. */
export const figure = (n: number): string => n.toLocaleString('zh-CN')

/** The size of a file: `34 KB`, `1.2 MB`. */
export const fileSizeText = (bytes: number): string =>
  bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
