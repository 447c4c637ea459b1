import type { z } from 'zod'
import type { Api, Call } from '../../../contract/core/call.ts'
import type { FileAnswer } from '../../../contract/core/file.ts'
import type { Context, PublicContext } from './context.ts'
import type { ReadKept } from './kept-form.ts'

type ContextOf<C extends Call> = C['permit'] extends 'public' ? PublicContext : Context
type AnswerOf<C extends Call> = C['gives'] extends 'file' ? FileAnswer : z.input<C['output']>

/** A handler gets checked input and returns what its call promises. */
type Handler<C extends Call> = (ctx: ContextOf<C>, input: z.output<C['input']>) => Promise<AnswerOf<C>>

/** A call and the function that answers it. */
export interface Route {
  call: Call
  handle: (ctx: Context, input: never) => Promise<unknown>
  /** How the record is read that the call edits, where plain callers may leave fields out. */
  kept?: ReadKept | undefined
}

/**
 * Pairs every call of an api with its handler; a missing or mistyped handler does not compile.
 * @param kept of the calls that edit a record: how it is read
 */
export function routes<A extends Api>(
  api: A,
  handlers: { [K in keyof A]: Handler<A[K]> },
  kept: { [K in keyof A]?: ReadKept } = {},
): Route[] {
  return Object.keys(api).map((name) => ({
    call: api[name] as Call,
    handle: handlers[name] as Route['handle'],
    kept: kept[name],
  }))
}
