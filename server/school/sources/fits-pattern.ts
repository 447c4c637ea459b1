/** Whether a name fits a pattern in which `*` stands for any characters, in one pass however many there are. Pure. */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const text = name.toLowerCase()
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
