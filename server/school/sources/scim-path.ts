/** A step into a value: the field's name, and of several values those of one type, work or home. */
const step = /^([A-Za-z$][\w$-]*)(?:\[type eq "([^"]*)"\])?$/

/**
 * The value at a path of a SCIM record (RFC 7644, 3.10), as text: `userName`, `name.formatted`,
 * `emails[type eq "work"].value`, `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:division`. Names of
 * fields know no case. Of several values the primary one is taken, or else the first. Empty where there is none. Pure.
 */
export function valueAt(record: Record<string, unknown>, path: string): string {
  const { from, rest } = intoSchema(record, path)
  let value: unknown = from
  for (const part of rest.split('.')) {
    const [, name = '', type] = step.exec(part) ?? []
    if (typeof value !== 'object' || value === null || !name) return ''
    value = oneOf(field(value as Record<string, unknown>, name), type)
  }
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? `${value}` : ''
}

/** Whether a path can be read by {@link valueAt}. Pure. */
export const isScimPath = (path: string): boolean =>
  path
    .replace(/^urn:.*:(?=[^:]+$)/, '')
    .split('.')
    .every((part) => step.test(part))

/** Of a path that begins with the name of an extension: the extension's own part of the record, and what follows. */
function intoSchema(record: Record<string, unknown>, path: string) {
  const schema = Object.keys(record).find(
    (key) => key.startsWith('urn:') && path.toLowerCase().startsWith(`${key.toLowerCase()}:`),
  )
  if (schema) return { from: record[schema], rest: path.slice(schema.length + 1) }
  // the core's own name may stand before its fields as well
  return { from: record, rest: path.replace(/^urn:.*:(?=[^:]+$)/, '') }
}

const field = (value: Record<string, unknown>, name: string): unknown =>
  value[Object.keys(value).find((key) => key.toLowerCase() === name.toLowerCase()) ?? '']

function oneOf(value: unknown, type: string | undefined): unknown {
  if (!Array.isArray(value)) return type === undefined ? value : undefined
  const all = value as Record<string, unknown>[]
  const fitting = type === undefined ? all : all.filter((one) => one?.['type'] === type)
  return fitting.find((one) => one?.['primary'] === true) ?? fitting[0]
}
