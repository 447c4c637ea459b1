/** A number as people read it, with separators of thousands: `29,414`. The one way for counts, totals and amounts. */
export const figure = (n: number): string => n.toLocaleString('zh-CN')

/** A decimal text of the wire as people read it, its decimals as they are: `1,234.50`; other texts stay themselves. */
export const amountText = (text: string): string => {
  const [, whole, decimals = ''] = /^(-?\d+)(\.\d+)?$/.exec(text) ?? []
  return whole === undefined ? text : figure(Number(whole)) + decimals
}
