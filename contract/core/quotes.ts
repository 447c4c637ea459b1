/** A text with quotation marks within quotation marks made single ones: `“甲“乙”丙”` becomes `“甲‘乙’丙”`. */
export function nestQuotes(text: string): string {
  let depth = 0
  return text.replace(/[“”]/g, (mark) => {
    if (mark === '“') return ++depth > 1 ? '‘' : mark
    const isInner = depth > 1
    depth = Math.max(0, depth - 1)
    return isInner ? '’' : mark
  })
}

/** A name in quotation marks; those within the name become single ones. */
export function quoted(name: string | number | null | undefined): string {
  return nestQuotes(`“${name}”`)
}
