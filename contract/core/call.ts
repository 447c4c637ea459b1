import { z } from 'zod'

/** Who may make a call: anybody, anybody signed in, or holders of a right written `noun:verb`. */
export type Permit = 'public' | 'signed-in' | `${string}:${string}`

/** The three roots the specification uses; every path below them is written literally on its call. */
export type Base = '/api/schoolbase' | '/api/platformbase' | '/api/auth2'

/**
 * One HTTP call, told once: the server mounts it, the console makes it, the API page prints it.
 * Quirks of a single call live on its entry and nowhere else.
 */
export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, P extends Permit = Permit> {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly base: Base
  /** Literal path below `base`; `{id}` segments are filled from the input's field of that name. */
  readonly path: string
  /** Chinese name of the action; it also names the right in the role editor and the entry in the audit log. */
  readonly summary: string
  readonly permit: P
  readonly input: I
  readonly output: O
  /**
   * Where the console puts the input; by default the query of a GET, the JSON body otherwise. The server reads both.
   */
  readonly sends: 'query' | 'body'
  /** `upload`: multipart with one file; the handler finds it in `ctx.upload`. */
  readonly takes: 'json' | 'upload'
  /**
   * `file`: the handler returns a {@link FileAnswer} instead of data in the envelope. `raw`: the output stands at the
   * top level too. `events`: a stream of server-sent events that stays open.
   */
  readonly gives: 'data' | 'file' | 'raw' | 'events'
  /** True when the call changes something: it is audited and never answered to a cross-site or prefetch request. */
  readonly writes: boolean
  /**
   * What a call costs the service, by which a person may make so many of them a minute and at once (docs/security.md
   * S8). What gives a file is an `export` unless it says otherwise.
   */
  readonly cost: 'plain' | 'search' | 'statistic' | 'export'
  /**
   * Whether somebody who has a second factor must have given a code of it within the last minutes (docs/security.md
   * S22).
   */
  readonly needsFreshCode: boolean
  /** Name of the page number on the wire where it is not `current`. */
  readonly pageField: 'current' | 'currentPageNum'
  /**
   * A public call about one school: where its `schoolId` is left out, that of whoever holds the token that comes along.
   */
  readonly defaultsToOwnSchool: boolean
  /** Other names that the specification has for fields of the input, each with the field it means (decision 034). */
  readonly alsoNamed: Readonly<Record<string, string>>
  /**
   * What is meant where fields are left out by a caller who knows of them only that they exist; not asked for those who
   * prefer strict handling (decision 034). The input is as it came.
   */
  readonly whenLeftOut: (given: Readonly<Record<string, unknown>>, by: LeftOutBy) => Record<string, unknown>
  /** Lists on all of whose rows at once, as a filter finds them, it may be done in the background (decision 046). */
  readonly forAll: readonly ForAll[]
}

/** How a call is done to all rows of a list. */
export interface ForAll {
  /** Path of the list call. */
  list: string
  /** The field of a row that holds its id, and those by which it is told in the result. */
  row: string
  name: readonly string[]
  /** The field of the call's input that takes the ids. */
  ids: string
  /** A second list of the input that goes with the ids, and the field of a row that fills it. */
  pair?: { field: string; row: string }
  /**
   * Rows of one transaction; one unless given. More only where the call changes all of its rows or none, or looks at
   * them all before it writes: what it refused of several stays refused, and the others stay done.
   */
  atOnce?: number
  /** The field of a row by which some belong together, such as a team: these are never in different transactions. */
  together?: string
  /**
   * The call that takes it back, by the same ids, and the rest of its input out of the rest of this one's; undefined
   * where what was done is not taken back.
   */
  undo?: { path: string; given: (given: Readonly<Record<string, unknown>>) => Record<string, unknown> | undefined }
}

/** Who leaves fields out, and the moment at which they do, as wall-clock text. */
interface LeftOutBy {
  suId: string
  now: string
}

type Options<I extends z.ZodType, O extends z.ZodType, P extends Permit> = {
  summary: string
  permit: P
  input: I
  output: O
} & Partial<
  Pick<
    Call,
    | 'base'
    | 'sends'
    | 'takes'
    | 'gives'
    | 'writes'
    | 'cost'
    | 'needsFreshCode'
    | 'pageField'
    | 'defaultsToOwnSchool'
    | 'alsoNamed'
    | 'whenLeftOut'
    | 'forAll'
  >
>

/** Makes a call value. A GET reads and a POST or DELETE writes unless `writes` says otherwise. */
export function call<I extends z.ZodType, O extends z.ZodType, const P extends Permit>(
  method: Call['method'],
  path: string,
  options: Options<I, O, P>,
): Call<I, O, P> {
  return {
    method,
    path,
    base: '/api/schoolbase',
    sends: method === 'GET' ? 'query' : 'body',
    takes: 'json',
    gives: 'data',
    writes: method !== 'GET',
    cost: options.gives === 'file' ? 'export' : 'plain',
    needsFreshCode: false,
    pageField: 'current',
    defaultsToOwnSchool: false,
    alsoNamed: {},
    whenLeftOut: () => ({}),
    forAll: [],
    ...options,
  }
}

/** The call's whole path, with `{id}` segments still open. */
export const fullPath = (c: Pick<Call, 'base' | 'path'>): string => c.base + c.path

/** What a caller gives. */
export type Input<C extends Call> = z.input<C['input']>
/** What the handler receives once the input has been checked. */
export type Checked<C extends Call> = z.output<C['input']>
/** What the caller receives in `data`. */
export type Output<C extends Call> = z.output<C['output']>

/** An api: the named calls of one domain. */
export type Api = Record<string, Call>
