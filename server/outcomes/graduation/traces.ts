/** What stands where a telephone, a mail address or an identity number stood in a text. */
export const gone = '***'

/** What takes the place of somebody's name and of what else they are recognised by. */
export interface Trace {
  suId: string
  /**
   * Undefined where the name stays; `isUnique` where nobody else at the school has ever had it. `nickname`: what their
   * account shows instead, where nobody else is called so.
   */
  name?: { old: string; new: string; isUnique?: boolean; nickname?: string }
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

/** What somebody is called in texts. */
export const calledIn = ({ name }: Trace): string[] =>
  name ? [name.old, ...(name.nickname ? [name.nickname] : [])] : []

/** A school year, a month or a day. */
const date = /^\d{4}[-.](?:\d{4}|\d\d|\d{1,2}[-.]\d{1,2})$/

/**
 * Whether a token is nobody else's wherever it stands alone. A short number is a room or an amount elsewhere, a short
 * one with a point or a hyphen a version or a score, what looks like a date a date, and a sign-in name without digits a
 * word.
 */
const isDistinct = (token: string): boolean =>
  token.includes('@') || (token.length > 5 && /\d/.test(token) && !date.test(token))
/** Fields of an object that hold a number or sign-in name, however short. */
const numberFields = new Set(['suiNumber', 'suLoginName'])
/** Fields of an object that hold the name of the person whose id is beside them, and nothing else. */
const ownNameFields = new Set(['suiName', 'suNickname'])
/** Those that name the person whose id is beside them. */
const nameFields = new Set([...ownNameFields, 'name', 'label'])

/**
 * Takes traces of people out of what others wrote. A number of six characters or more is nobody else's, so it goes
 * wherever it stands; a shorter one goes beside the name. A name may be somebody else's too, so it goes only from what
 * belongs to its person: by an id in the same row, or by a number in the same text.
 */
export class TraceEraser {
  readonly #traces = new Map<string, Trace>()
  /** Records that are about one of these people, by their ids. */
  readonly #kin: ReadonlyMap<string, string>
  /** What takes the place of names that only one person has had. */
  readonly #uniqueNames = new Map<string, string>()
  readonly #words = new Map<string, [Trace, string]>()
  /** Numbers that are looked for only beside the name of their person, and in fields of numbers. */
  readonly #short = new Map<string, [Trace, string]>()
  /** Tokens that are no single word, such as mail addresses; the short ones among them are in `#short` as well. */
  readonly #phrases: [string, Trace, string][] = []

  /** @param kin whose record an id is, for records of these people that carry no id of a person where they are named */
  constructor(traces: readonly Trace[], kin: ReadonlyMap<string, string> = new Map()) {
    this.#kin = kin
    for (const trace of traces) {
      this.#traces.set(trace.suId, trace)
      if (trace.name?.isUnique) this.#uniqueNames.set(trace.name.old, trace.name.new)
      if (trace.name?.nickname) this.#uniqueNames.set(trace.name.nickname, trace.name.new)
      for (const [old, replacement] of trace.tokens) {
        if (!old) continue
        const isWord = /^[A-Za-z0-9]+$/.test(old)
        if (!isWord) this.#phrases.push([old, trace, replacement])
        if (!isDistinct(old)) this.#short.set(old, [trace, replacement])
        else if (isWord) this.#words.set(old, [trace, replacement])
      }
    }
  }

  /** The trace of a person, where it is one of these. */
  of(suId: unknown): Trace | undefined {
    return typeof suId === 'string' ? this.#traces.get(suId) : undefined
  }

  /** A name that stands by itself, with no id beside it: another one where it can only be that of one of these. */
  bareName<T extends Plain>(value: T): T | string {
    return (typeof value === 'string' ? this.#uniqueNames.get(value) : undefined) ?? value
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

  /** A text about these people and nobody else: it names them, so their short numbers go as well. */
  erasedOwn(text: string, people: ReadonlySet<Trace>): string {
    return this.#text(text, people, people)
  }

  #in(value: Plain, people: ReadonlySet<Trace>): Plain {
    if (typeof value === 'string') return isId(value) ? value : this.#text(value, people)
    if (Array.isArray(value)) return value.map((one) => this.#in(one, people))
    if (value === null || typeof value !== 'object') return value
    // an object with somebody's id names that person, though another of the same name may be meant around it
    const own = isId(value['suId']) ? value['suId'] : undefined
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        const short = typeof one === 'string' && numberFields.has(key) ? this.#short.get(one) : undefined
        if (short && (own === undefined ? people.has(short[0]) : own === short[0].suId)) return [key, short[1]]
        if (own === undefined || !nameFields.has(key)) return [key, this.#in(one, people)]
        const trace = this.#traces.get(own)
        if (trace?.name && one && ownNameFields.has(key)) return [key, trace.name.new]
        return [key, this.#in(one, new Set(trace ? [trace] : []))]
      }),
    )
  }

  /** @param named whose short numbers go though their name does not stand in the text */
  #text(text: string, people: ReadonlySet<Trace>, named: ReadonlySet<Trace> = new Set()): string {
    const found = new Set(people)
    const isNamed = (trace: Trace) => named.has(trace) || calledIn(trace).some((name) => text.includes(name))
    const shortOne = (word: string) => {
      const short = this.#short.get(word)
      return short && isNamed(short[0]) ? short : undefined
    }
    let left = text.replace(/[A-Za-z0-9]+/g, (word) => {
      const known = this.#words.get(word) ?? shortOne(word)
      if (!known) return word
      found.add(known[0])
      return known[1]
    })
    for (const [phrase, trace, replacement] of this.#phrases)
      if (left.includes(phrase) && (isDistinct(phrase) || isNamed(trace)))
        left = left.replace(alone(phrase), () => {
          found.add(trace)
          return replacement
        })
    for (const trace of found)
      for (const called of calledIn(trace)) if (called.length > 1) left = left.replaceAll(called, trace.name!.new)
    return left
  }
}
