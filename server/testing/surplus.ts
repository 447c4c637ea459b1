import type { Call } from '../../contract/core/call.ts'

/**
 * The first field of an answer that its contract does not name; undefined where there is none. Answers are sent as they
 * are: what nobody has named reaches the browser.
 */
export function surplusOf({ output, gives }: Call, data: unknown): string | undefined {
  if (gives !== 'data') return undefined
  const { success, data: checked } = output.safeParse(data)
  return success ? leftOut(data, checked) : undefined
}

/** The path of the first field that a shape has left out of a value. */
function leftOut(value: unknown, checked: unknown, at = ''): string | undefined {
  if (value === checked || typeof value !== 'object' || value === null) return undefined
  const kept = (checked ?? {}) as Record<string, unknown>
  for (const [key, inner] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${at}[]` : `${at}.${key}`
    if (!(key in kept)) return path
    const found = leftOut(inner, kept[key], path)
    if (found !== undefined) return found
  }
  return undefined
}
