/** A number as people read it, with separators of thousands: `29,414`. The one way for counts, totals and amounts. */
export const figure = (n: number): string => n.toLocaleString('zh-CN')
