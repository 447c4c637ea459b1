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
  keys(): string[]
}

/** Kept until removed, shared by all windows of the browser. */
export const localStore = storeIn('local', () => window.localStorage)
/** Kept as long as the window. */
export const sessionStore = storeIn('session', () => window.sessionStorage)

/** Storage may be full, blocked or hold something foreign: reading then gives undefined and writing does nothing. */
function storeIn(type: Entry['type'], area: () => Storage): Store {
  const read = (key: string): Entry | undefined => {
    try {
      const parsed: unknown = JSON.parse(area().getItem(key) ?? 'null')
      return isEntry(parsed) ? parsed : undefined
    } catch {
      return undefined
    }
  }
  return {
    get: <T>(key: string) => read(key)?.content as T | undefined,
    writtenAt: (key) => read(key)?.datetime,
    set(key, content) {
      const entry: Entry = { dataType: kindOf(content), content, type, datetime: Date.now() }
      try {
        area().setItem(key, JSON.stringify(entry))
      } catch {
        // a full or blocked store costs the convenience, not the work
      }
    },
    remove(key) {
      try {
        area().removeItem(key)
      } catch {
        // nothing was stored then
      }
    },
    keys() {
      try {
        return Object.keys(area())
      } catch {
        return []
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
