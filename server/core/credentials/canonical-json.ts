import canonicalize from 'canonicalize'

/**
 * A value as JSON with one possible spelling (RFC 8785): keys in the order of their UTF-16 units, no blanks. What is
 * signed and hashed is these bytes, so that anybody can make them again from the same data. Fields that are undefined
 * are left out, as by JSON.stringify.
 * @throws Error for what RFC 8785 does not allow: NaN, infinite numbers, half a surrogate pair, circles
 */
export const canonicalJson = (value: object): string => canonicalize(value)!
