/** The classes of what may still be the answer to a former question: dimmed as long as it is. */
export const formerClass = (isFormer: boolean | undefined, ...classes: readonly string[]): string | undefined =>
  [...classes, ...(isFormer ? ['is-former'] : [])].join(' ') || undefined
