/** What stands where a telephone, a mail address or an identity number stood in a text. */
export const gone = '***'

/** What takes the place of somebody's name and of what else they are recognised by. */
export interface Trace {
  suId: string
  /** Undefined where the name stays. */
  name?: { old: string; new: string }
  /** Student number, telephone, mail and the like: each found wherever it stands alone, with what takes its place. */
  tokens: readonly (readonly [old: string, replacement: string])[]
}

/** Values of JSON. */
export type Plain = string | number | boolean | null | Plain[] | { [key: string]: Plain }

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value)

/**
 * Where a token that is no single word stands alone: not within a longer number, date or address. A number may stand in
 * the name of a file, before its ending or beside a word that is joined by `_`.
 */
function alone(token: string): RegExp {
  const text = token.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  if (token.includes('@')) return new RegExp(`(?<![\\w.@+%-])${text}(?![\\w@-]|\\.\\w)`, 'g')
  const before = /^\w/.test(token) ? '(?<![A-Za-z0-9@]|[A-Za-z0-9][_-]|[0-9]\\.)' : ''
  const after = /\w$/.test(token) ? '(?![A-Za-z0-9@]|[_-][A-Za-z0-9]|\\.[0-9])' : ''
  return new RegExp(`${before}${text}${after}`, 'g')
}

/** Fields of an object that hold the name of the person whose id is beside them. */
const nameFields = new Set(['suiName', 'suNickname', 'name', 'label'])

/**
 * Takes traces of people out of what others wrote. A number is nobody else's, so it goes wherever it stands; a name may
 * be somebody else's too, so it goes only from what belongs to its person: by an id in the same row, or by a number in
 * the same text.
 */
export class TraceEraser {
  readonly #traces = new Map<string, Trace>()
  /** Records that are about one of these people, by their ids. */
  readonly #kin: ReadonlyMap<string, string>
  readonly #words = new Map<string, [Trace, string]>()
  /** Tokens that are no single word, such as mail addresses. */
  readonly #phrases: [string, Trace, string][] = []

  /** @param kin whose record an id is, for records of these people that carry no id of a person where they are named */
  constructor(traces: readonly Trace[], kin: ReadonlyMap<string, string> = new Map()) {
    this.#kin = kin
    for (const trace of traces) {
      this.#traces.set(trace.suId, trace)
      for (const [old, replacement] of trace.tokens)
        if (/^[A-Za-z0-9]+$/.test(old)) this.#words.set(old, [trace, replacement])
        else if (old) this.#phrases.push([old, trace, replacement])
    }
  }

  /** The trace of a person, where it is one of these. */
  of(suId: unknown): Trace | undefined {
    return typeof suId === 'string' ? this.#traces.get(suId) : undefined
  }

  /** The people whose ids, or ids of whose records, stand anywhere in a value. */
  about(value: unknown, found = new Set<Trace>()): Set<Trace> {
    if (isId(value)) {
      const trace = this.#traces.get(value) ?? this.#traces.get(this.#kin.get(value) ?? '')
      if (trace) found.add(trace)
    } else if (typeof value === 'string') {
      // links and texts carry ids too
      for (const [id] of value.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)) this.about(id, found)
    } else if (Array.isArray(value)) for (const one of value) this.about(one, found)
    else if (value && typeof value === 'object') for (const one of Object.values(value)) this.about(one, found)
    return found
  }

  /** A value without the traces of these people; the same value where it has none. */
  erased<T extends Plain>(value: T, people: ReadonlySet<Trace>): T {
    return this.#in(value, people) as T
  }

  #in(value: Plain, people: ReadonlySet<Trace>): Plain {
    if (typeof value === 'string') return isId(value) ? value : this.#text(value, people)
    if (Array.isArray(value)) return value.map((one) => this.#in(one, people))
    if (value === null || typeof value !== 'object') return value
    // an object with somebody's id names that person, though another of the same name may be meant around it
    const own = isId(value['suId']) ? value['suId'] : undefined
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if (own === undefined || !nameFields.has(key)) return [key, this.#in(one, people)]
        const trace = this.#traces.get(own)
        return [key, this.#in(one, new Set(trace ? [trace] : []))]
      }),
    )
  }

  #text(text: string, people: ReadonlySet<Trace>): string {
    const named = new Set(people)
    let left = text.replace(/[A-Za-z0-9]+/g, (word) => {
      const known = this.#words.get(word)
      if (!known) return word
      named.add(known[0])
      return known[1]
    })
    for (const [phrase, trace, replacement] of this.#phrases)
      if (left.includes(phrase))
        left = left.replace(alone(phrase), () => {
          named.add(trace)
          return replacement
        })
    for (const { name } of named) if (name && name.old.length > 1) left = left.replaceAll(name.old, name.new)
    return left
  }
}
