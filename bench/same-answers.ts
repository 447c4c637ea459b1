/**
 * Where two answers to one question differ: every field that the bare one gives is compared with ours, rows by their
 * place. Fields whose names begin with a minus are sent and not compared.
 * @returns paths of fields with both values
 */
export function differences(bare: unknown, ours: unknown, path = ''): string[] {
  if (Array.isArray(bare)) {
    if (!Array.isArray(ours) || ours.length !== bare.length)
      return [`${path}: ${bare.length} rows, ours ${Array.isArray(ours) ? ours.length : JSON.stringify(ours)}`]
    return bare.flatMap((one, at) => differences(one, ours[at], `${path}[${at}]`))
  }
  if (typeof bare === 'object' && bare !== null)
    return Object.entries(bare).flatMap(([field, value]) =>
      field.startsWith('-')
        ? []
        : differences(value, (ours as Record<string, unknown> | null)?.[field], `${path}.${field}`),
    )
  return bare === ours ? [] : [`${path}: ${JSON.stringify(bare)}, ours ${JSON.stringify(ours)}`]
}
