/**
 * A value as JSON with one possible spelling (RFC 8785): keys in the order of their UTF-16 units, no blanks. What is signed and hashed is these
 * bytes, so that anybody can make them again from the same data. Fields that are undefined are left out, as by JSON.stringify.
 * @throws TypeError for what JSON cannot say
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value !== 'object') throw new TypeError(`a ${typeof value} cannot be written as JSON`)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`)
    .join(',')}}`
}
