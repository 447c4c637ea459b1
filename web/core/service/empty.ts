/**
 * The product's emptiness check: what counts as "not given" in filters and forms. Booleans and numbers are never empty;
 * empty lists and objects, null, undefined, the empty text and the texts `null` and `undefined` are.
 */
export function isEmpty(value: unknown): boolean {
  if (typeof value === 'boolean' || typeof value === 'number') return false
  if (value === null || value === undefined || value === '' || value === 'null' || value === 'undefined') return true
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.keys(value).length === 0
  return false
}
