import type { Permit } from '../../contract/core/call.ts'
import { nothingVisible } from '../../contract/core/scope.ts'
import type { Context } from '../core/request/context.ts'

/**
 * The context in which a student does for themselves what staff do for them: with just these rights, and over nothing
 * but what they made themselves. What else they may do, as secretary of their class for instance, does not count here.
 * `scope` stays as it is, the person: it says what they see.
 */
export const withOwnRights = (ctx: Context, ...permits: Permit[]): Context => ({
  ...ctx,
  actor: { ...ctx.actor, permits: new Set(permits), scopeFor: () => nothingVisible },
})
