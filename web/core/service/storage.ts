/** How every entry looks in the browser's storage: the content with its kind, where it lies and when it was written. */
export interface Entry {
  dataType: 'string' | 'number' | 'boolean' | 'object'
  content: unknown
  type: 'local' | 'session'
  /** Milliseconds since 1970. */
  datetime: number
}

export interface Store {
  get<T>(key: string): T | undefined
  /** When the entry was written, in milliseconds since 1970. */
  writtenAt(key: string): number | undefined
  set(key: string, content: unknown): void
  remove(key: string): void
  /** Removes everything, also what others have written there. */
  clear(): void
  keys(): string[]
}

/** Kept until removed, shared by all windows of the browser. */
export const localStore = storeIn('local', () => window.localStorage)
/** Kept as long as the window. */
export const sessionStore = storeIn('session', () => window.sessionStorage)

/**
 * Storage may be full, blocked or hold something foreign. What it does not take is kept as long as the page is open, so
 * that a sign-in and what waits to be sent still work there; what it cannot read is undefined.
 */
function storeIn(type: Entry['type'], area: () => Storage): Store {
  const untaken = new Map<string, string>()
  const read = (key: string): Entry | undefined => {
    try {
      const parsed: unknown = JSON.parse(untaken.get(key) ?? area().getItem(key) ?? 'null')
      return isEntry(parsed) ? parsed : undefined
    } catch {
      return undefined
    }
  }
  const remove = (key: string): void => {
    untaken.delete(key)
    try {
      area().removeItem(key)
    } catch {
      // nothing was stored then
    }
  }
  return {
    get: <T>(key: string) => read(key)?.content as T | undefined,
    writtenAt: (key) => read(key)?.datetime,
    set(key, content) {
      const entry = JSON.stringify({ dataType: kindOf(content), content, type, datetime: Date.now() } satisfies Entry)
      try {
        area().setItem(key, entry)
        untaken.delete(key)
      } catch {
        // what was there before must not come back when the page is opened anew
        remove(key)
        untaken.set(key, entry)
      }
    },
    remove,
    clear() {
      untaken.clear()
      try {
        area().clear()
      } catch {
        // nothing was stored then
      }
    },
    keys() {
      try {
        return [...new Set([...Object.keys(area()), ...untaken.keys()])]
      } catch {
        return [...untaken.keys()]
      }
    },
  }
}

function kindOf(content: unknown): Entry['dataType'] {
  const kind = typeof content
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'object'
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && 'dataType' in value && 'content' in value && 'datetime' in value
